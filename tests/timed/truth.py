"""Whether a daemon's error bound holds: the truth is what its clock and its master's show outside.

A daemon that trusts its clock must have its master's time between the ends of its interval. The
two clocks are not read in one moment: so the master's is read twice, and what it has moved by in
between is allowed. Its own visible clock may still be on the way to the time that it tells.
"""

from stage import Failed


def bound_of(status, *parts):
    """In seconds; nothing where the time is unknown."""
    bound = status["clock"]["bound"]
    return sum(bound[f"{part}_ns"] for part in parts or ("total",)) / 1e9 if bound else None


def offset_of(status):
    """Of a virtual clock from the machine's, in seconds."""
    return status["clock"]["offset_ns"] / 1e9


def hold_bound(name, status, offset, truth):
    """`truth` has what the master's clock showed before and after, and its own error at most."""
    before, after, more = truth
    bound = bound_of(status)
    if bound is None:
        return
    apart = min(abs(offset - before), abs(offset - after))
    allowed = bound + abs(after - before) + more
    if apart > allowed:
        raise Failed(f"{name} is {status['trust']}, off by at most {bound * 1e6:.3f} us, and is "
                     f"{apart * 1e6:.3f} us from its master, of which {allowed * 1e6:.3f} us may "
                     f"be: {status['clock']}")


def truth_of(before, after):
    """Of two looks at a master; nothing if it was none all the time, or does not know the time."""
    same = all(before[word] == after[word] for word in ("state", "term"))
    if not same or before["state"] != "master" or None in (bound_of(before), bound_of(after)):
        return None
    ways = (bound_of(status, "slew", "visible") for status in (before, after))
    return offset_of(before), offset_of(after), max(ways)
