"""A program that leads, or follows: it counts aloud while it leads, and publishes what it is.

    python3 elector.py NAME STATE-FOLDER [SECONDS [GROUP]]
"""

import sys
import time

import conclave


def tell(now):
    if now.leads:
        print("I lead", flush=True)
    elif not now.leader:
        print("nobody leads", flush=True)
    else:
        print(f"{now.leader} leads under token {now.token}: {now.value}", flush=True)


def count_until(elector, end):
    count = 1
    while time.monotonic() < end:
        if not elector.campaign(timeout=0.1).leads:
            continue
        # A store that is given the token can refuse one that is less than the last.
        now = elector.leadership()
        if now.remaining < 0.02:
            continue
        print(f"{count} under token {now.token}", flush=True)
        count += 1
        time.sleep(0.1)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: elector.py NAME STATE-FOLDER [SECONDS [GROUP]]")
    name, state, *more = sys.argv[1:]
    settings = {
        "group": more[1] if len(more) > 1 else "counters",
        "name": name,
        "members": "a,b,c",
        "detect": "400ms",
        "publish": f"{name} is written in Python",
        "state": state,
    }
    try:
        with conclave.Elector(on_change=tell, **settings) as elector:
            count_until(elector, time.monotonic() + (float(more[0]) if more else 60))
    except conclave.Refusal as refusal:
        sys.exit(f"elector: {refusal}")


if __name__ == "__main__":
    main()
