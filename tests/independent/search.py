"""Every run of a small system in which time goes by in ticks.

A state is (ticks left, nodes, mail). A message may arrive when it is `least` ticks old and must
before it is older than `most`; a timer that has run down must fire before time goes on. The order
of events within one tick is free, so each order is tried.
"""


def reachable(start, model, bad, least, most):
    """Whether some run leads from `start` to nodes that are `bad`."""
    seen, todo = {start}, [start]
    while todo:
        ticks, nodes, mail = todo.pop()
        if bad(nodes):
            return True
        for state in successors(ticks, nodes, mail, model, least, most):
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return False


def successors(ticks, nodes, mail, model, least, most):
    busy_links = set()
    for place, (age, source, target, content) in enumerate(mail):
        first = (source, target) not in busy_links  # links keep the order
        busy_links.add((source, target))
        if first and age >= least:
            rest = mail[:place] + mail[place + 1:]
            node, sent = model.hear(nodes[target], target, source, content)
            yield ticks, replace(nodes, target, node), post(rest, target, sent)
    for who in range(len(nodes)):
        for node, sent in model.act(nodes[who], who):
            yield ticks, replace(nodes, who, node), post(mail, who, sent)
    urgent = any(age >= most for age, *_ in mail) or any(map(model.due, nodes))
    if ticks and not urgent:
        older = tuple((age + 1, *rest) for age, *rest in mail)
        yield ticks - 1, tuple(map(model.tick, nodes)), older


def replace(nodes, place, node):
    return nodes[:place] + (node,) + nodes[place + 1:]


def post(mail, source, sent):
    """Adds (target, content) pairs. Mail is sorted by link and age, so equal states look alike."""
    new = tuple((0, source, target, content) for target, content in sent)
    return tuple(sorted(mail + new, key=lambda letter: (letter[1], letter[2], -letter[0])))
