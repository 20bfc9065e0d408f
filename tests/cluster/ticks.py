"""What the ticker wrote, and what it says about the commands that lived."""


class Tick:
    def __init__(self, line):
        self.node, self.token, moment, self.who = line.split()
        self.token = int(self.token)
        self.time = float(moment)


class Terms(list):
    """The ticks in order, as one (token, node, first, last) for each stretch of one token."""

    def __init__(self, ticks):
        super().__init__()
        for tick in sorted(ticks, key=lambda t: t.time):
            if self and self[-1][0] == tick.token:
                self[-1][3] = tick.time
            else:
                self.append([tick.token, tick.node, tick.time, tick.time])

    def problem(self):
        """A token that comes back after a greater one: both commands lived, or tokens fell."""
        seen, began = 0, 0.0
        for token, node, first, _ in self:
            if token < seen:
                last = max(end for each, _, _, end in self if each == token)
                return (f"token {token} of {node} ticked for {last - began:.3f} s beside or after "
                        f"token {seen}, which began at {began:.6f}")
            if token > seen:
                seen, began = token, first
        return None


def stale_start(ticks):
    """A start of the command whose token is not greater than that of every start before it."""
    greatest = None
    for tick in sorted((t for t in ticks if t.who == "start"), key=lambda t: t.time):
        if greatest and tick.token <= greatest.token:
            return (f"at {tick.time:.6f} {tick.node} started the command under token {tick.token}, "
                    f"after a start under token {greatest.token} on {greatest.node}")
        greatest = tick
    return None
