"""JSON Schema, as far as docs/schema.json uses it: checks values, and learns from examples."""

import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": float,
         "boolean": bool, "null": type(None)}
KNOWN = set("type properties required additionalProperties items pattern description".split())
TOKEN = "^[0-9]+$"
INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z$"


def type_of(value):
    if isinstance(value, bool):
        return "boolean"
    return next(name for name, kind in TYPES.items() if isinstance(value, kind))


def problems(value, schema, place=""):
    """Where a value does not fit, as sentences that begin with the place."""
    if unknown := set(schema) - KNOWN:
        raise ValueError(f"{place}: this reader does not know {sorted(unknown)}")
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    kind = type_of(value)
    if kind not in types and not (kind == "integer" and "number" in types):
        yield f"{place}: is {kind}, not {' or '.join(types)}"
    elif kind == "string" and not re.search(schema.get("pattern", ""), value):
        yield f"{place}: '{value}' does not match {schema['pattern']}"
    elif kind == "array" and "items" in schema:
        for item in value:
            yield from problems(item, schema["items"], place + "[]")
    elif kind == "object":
        known = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place}.{name}: is missing"
        for name, each in value.items():
            if name in known:
                yield from problems(each, known[name], f"{place}.{name}")
            elif rest is False:
                yield f"{place}.{name}: the schema does not know it"
            elif isinstance(rest, dict):
                yield from problems(each, rest, f"{place}.{name}")


def is_map(values):
    """Names that are data: types of messages, ids, settings."""
    keys = {key for value in values for key in value}
    return bool(keys) and any(not re.fullmatch(r"[a-z][a-z0-9_]*", key) for key in keys)


def learned(values, name=""):
    """The narrowest schema that all of the values fit."""
    kinds = sorted({type_of(value) for value in values})
    if kinds == ["integer", "number"]:
        kinds = ["number"]
    schema = {"type": kinds[0] if len(kinds) == 1 else kinds}
    texts = [value for value in values if isinstance(value, str)]
    objects = [value for value in values if isinstance(value, dict)]
    items = [item for value in values if isinstance(value, list) for item in value]
    if texts and name.endswith("token"):
        schema["pattern"] = TOKEN
    elif texts and all(re.search(INSTANT, text) for text in texts):
        schema["pattern"] = INSTANT
    if items:
        schema["items"] = learned(items)
    if objects and (is_map(objects) or name == "settings"):
        schema["additionalProperties"] = learned([v for o in objects for v in o.values()])
    elif objects:
        names = list(dict.fromkeys(key for each in objects for key in each))
        schema["properties"] = {
            key: learned([each[key] for each in objects if key in each], key) for key in names
        }
        schema["required"] = [key for key in names if all(key in each for each in objects)]
        schema["additionalProperties"] = False
    return schema


def widened(schema, former):
    """Takes over that a value may be null, or more than null, which not every run shows."""
    types = [each if isinstance(each, list) else [each] for each in
             (schema.get("type", []), former.get("type", []))]
    if types[0] == ["null"] and former:
        schema.update(former)
    if "null" in types[1] and "null" not in types[0]:
        schema["type"] = sorted([*types[0], "null"])
    for name, each in schema.get("properties", {}).items():
        widened(each, former.get("properties", {}).get(name, {}))
    if "items" in schema:
        widened(schema["items"], former.get("items", {}))
    return schema


def learn(answers, former=None):
    """docs/schema.json, from pairs of a definition's name and an answer."""
    names = dict.fromkeys(name for name, _ in answers)
    known = (former or {}).get("$defs", {})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "JSON that conclave prints, by verb",
            "$defs": {name: widened(learned([a for each, a in answers if each == name]),
                                    known.get(name, {})) for name in names}}
