"""Units expose as much as docs/howto-systemd.md says: units.py ANALYZE BUILD

BUILD has the units. The page's table of exposures is held against what systemd-analyze computes.
The time daemon, which runs nothing of its operator's, is exposed by no more than LIMIT.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/howto-systemd.md"
LIMIT = 2.1
ROW = re.compile(r"^\| `(conclave[@a-z-]+\.service)`(?: with `([a-z.]+)`)? \| ([\d.]+) \|$", re.M)


def exposure(analyze, unit):
    command = [analyze, "security", "--offline=true", "--no-pager", str(unit)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.search(r"Overall exposure level for \S+: ([\d.]+)", said)[1]


def with_dropin(unit, dropin, folder):
    """Offline, drop-ins are not read: later settings count as they would in one."""
    text = unit.read_text(encoding="utf-8").split("[Install]")[0]
    more = (ROOT / "packaging/units" / dropin).read_text(encoding="utf-8")
    made = Path(folder, unit.name)
    made.write_text(text + more, encoding="utf-8")
    return made


def main():
    analyze, build = sys.argv[1], Path(sys.argv[2])
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    wrong = [] if len(rows) == 3 else [f"{PAGE} has {len(rows)} rows of exposures, not 3"]
    for name, dropin, stated in rows:
        with tempfile.TemporaryDirectory() as folder:
            unit = with_dropin(build / name, dropin, folder) if dropin else build / name
            measured = exposure(analyze, unit)
        print(f"{name} {dropin}: {measured}")
        if measured != stated:
            wrong.append(f"{PAGE} says {stated} of {name} {dropin}, and it is {measured}")
        if name == "conclave-timed.service" and float(measured) > LIMIT:
            wrong.append(f"{name} is exposed by {measured}, more than {LIMIT}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
