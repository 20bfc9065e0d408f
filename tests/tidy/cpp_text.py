"""C++ as far as the tidy test needs it: without comments and strings, and cut into functions."""

import re

TOKEN = re.compile(
    r'R"(?P<mark>[^()\s\\]{0,16})\((?:.|\n)*?\)(?P=mark)"'  # raw string
    r"|//(?:\\\n|[^\n])*"
    r"|/\*(?:.|\n)*?\*/"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|\b[0-9](?:'?[0-9a-zA-Z_.])*"  # a number, whose ' is no quote
    r"|'(?:\\.|[^'\\\n])+'"
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b")
ANGLES = re.compile(r"\btemplate\s*<|(?<=\])\s*<")


def bare(text):
    """The same text, line by line, with comments, strings and preprocessor lines blanked."""

    def blank(match):
        token = match.group()
        if token[0].isdigit():
            return token
        quoted = token[0] in "\"'R"
        return ('""' if quoted else "") + "\n" * token.count("\n")

    return DIRECTIVE.sub(lambda m: "\n" * m[0].count("\n"), TOKEN.sub(blank, text))


def without_parameters(header):
    """Removes template parameter lists and attributes, in which the word class means nothing."""
    while match := ANGLES.search(header):
        depth, end = 1, match.end()
        while end < len(header) and depth > 0:
            depth += {"<": 1, ">": -1}.get(header[end], 0)
            end += 1
        header = header[: match.start()] + header[end:]
    return re.sub(r"\[\[.*?\]\]|\balignas\s*\([^)]*\)", "", header, flags=re.S)


def opens(header):
    """What a brace after this text opens: a scope, a function, or a mere value."""
    header = without_parameters(header).strip()
    scope = SCOPE.search(header)
    if scope and "(" not in header[scope.end() :] and "=" not in header[: scope.start()]:
        return "scope"
    if re.search(r"\brequires\s*(\([^()]*(\([^()]*\)[^()]*)*\))?$", header):
        return "value"
    after = header[header.find(")") + 1 :] if ")" in header else ""
    if re.search(r"(?<!:):(?!:)", after) and re.search(r"[\w>]$", header):
        return "value"  # Type(int a) : member{...
    if ")" in header or header.endswith("]"):
        return "function"
    return "value"


def functions(text):
    """Yields (first line, last line) of every function that is not inside another."""
    text = bare(text)
    stack, begin, line, parens = [], 0, 1, 0
    first_line = None
    for at, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char in "()":
            parens += 1 if char == "(" else -1
        elif char == "{":
            inside = stack and stack[-1][0] != "scope"
            kind = "inside" if inside else opens(text[begin:at])
            if kind == "function":
                header = text[begin:at]
                first_line = line - header[len(header) - len(header.lstrip()) :].count("\n")
            stack.append((kind, first_line))
            if kind in ("scope", "function"):
                begin = at + 1
        elif char == "}" and stack:
            kind, started = stack.pop()
            if kind == "function":
                yield started, line
            if kind in ("scope", "function"):
                begin = at + 1
        elif char == ";" and parens == 0 and not any(k != "scope" for k, _ in stack):
            begin = at + 1


NO_FIELD = re.compile(
    r"^(?:using|typedef|friend|static|template|enum|union|struct|class|extern|static_assert|"
    r"inline\s+static|constexpr\s+static)\b"
)


def without_angles(text):
    """Removes template arguments: a comma or a parenthesis in them separates nothing."""
    text = re.sub(r"operator\s*<=>|operator\s*<<?=?|operator\s*>>?=?|->|<=|>=|<<", " ", text)
    while (shorter := re.sub(r"<[^<>]*>", " ", text)) != text:
        text = shorter
    return text


def count_declared(statement):
    """How many fields one statement of a class declares."""
    statement = re.sub(r"^(?:(?:public|protected|private)\s*:\s*)+", "", statement.strip())
    statement = without_angles(statement.replace("{}", ""))
    if not statement or NO_FIELD.match(statement) or "operator" in statement:
        return 0
    if "(" in statement.split("=")[0]:
        return 0  # a function
    while (shorter := re.sub(r"\([^()]*\)", " ", statement)) != statement:
        statement = shorter
    return len(statement.split(","))


def classes(text):
    """Yields (line, name, number of fields) of every class and struct."""
    text = bare(text)
    stack, begin = [], 0
    for at, char in enumerate(text):
        if char == "{":
            header = (stack[-1].pop("pending", "") if stack else "") + text[begin:at]
            inside = stack and stack[-1]["kind"] != "scope"
            kind = "inside" if inside else opens(without_angles(header))
            if kind == "function" and re.search(r"(?<!operator)=", header.split("(")[0]):
                kind = "value"  # int a = f(1), b{...
            name = re.search(r"\b(?:class|struct)\s+(\w+)", without_parameters(header))
            is_class = kind == "scope" and name and not re.search(r"\benum\b", header)
            line = text.count("\n", 0, at) - header.strip().count("\n") + 1
            stack.append({"kind": kind, "name": is_class and name[1], "line": line, "fields": 0})
            stack[-1]["before"] = header
            begin = at + 1
        elif char == "}" and stack:
            closed = stack.pop()
            if closed["name"]:
                yield closed["line"], closed["name"], closed["fields"]
            begin = at + 1
            if closed["kind"] == "value" and stack:  # an initializer: the statement goes on
                stack[-1]["pending"] = closed["before"] + "{}"
        elif char in ";:" and stack and stack[-1]["name"]:
            if char == ":" and not re.search(r"\b(?:public|protected|private)\s*$", text[begin:at]):
                continue
            statement = stack[-1].pop("pending", "") + text[begin:at]
            if char == ";":
                stack[-1]["fields"] += count_declared(statement)
            begin = at + 1
        elif char == ";" and (not stack or stack[-1]["kind"] == "scope"):
            begin = at + 1
