"""A page about installing is true on machines with a real systemd: page.py PAGE [--rewrite]

Its machines are bare: they have apt and the machine's own mirror, and the folder that ./dev package
--repository makes, mounted at /srv/conclave. --installed: they have revision 1 of the package
already, and the repository has revision 2 as well. What the page says of itself, "N commands" and
"N seconds", is held against the run.
"""

import re
import sys
import tempfile
import time
from pathlib import Path

import repositories
import roots

sys.path.insert(0, str(roots.ROOT / "tests/docs"))

from booted import Booted  # noqa: E402
from tutorial import Page, play_page  # noqa: E402

SOURCES = """Types: deb
URIs: file:/srv/conclave
Suites: ./
Signed-By: /srv/conclave/conclave.gpg
"""
SLOWER = 4  # a busy machine may take this many times as long as the page says


def install_first(machines):
    machines.write("all", "/etc/apt/sources.list.d/conclave.sources", SOURCES)
    said = machines.run("all", "apt-get -qq update && apt-get -qq -y install conclave='*-1'")
    version = machines.run("all", "dpkg-query -W -f '${Version}\\n' conclave")
    if not re.fullmatch(r"([\d.]+-1\n)+", version):
        sys.exit(f"revision 1 is not installed: {version}{said}")


def not_upgraded(machines):
    """The page's words are compared without their numbers; these are the ones that count."""
    version = machines.run("all", "dpkg-query -W -f '${Version}\\n' conclave")
    if not re.fullmatch(r"([\d.]+-2\n)+", version):
        yield f"after the page revision 2 is not installed everywhere: {version}"
    program = machines.run("all", "readlink /proc/$(systemctl show --value -p MainPID "
                           "'conclave@jobs')/exe")
    if not re.fullmatch(r"(/usr/bin/conclave\n)+", program):
        yield f"after the page a node still runs the former program: {program}"


def count(page):
    """Commands up to the group that runs: the page's own count is of these."""
    text = page.text.split("<!-- the group runs -->")[0]
    return len(re.findall(r"^(?:[a-z]+)\$ ", text, re.M))


def complaints(page, seconds):
    stated = re.search(r"(\d+) commands.* (\d+) seconds", page.text)
    if not stated:
        return
    if int(stated[1]) != count(page):
        yield f"{page.path} says {stated[1]} commands, and has {count(page)}"
    if seconds > SLOWER * int(stated[2]):
        yield f"{page.path} says {stated[2]} seconds, and it took {seconds:.0f}"


def play(page, rewrite, installed):
    with tempfile.TemporaryDirectory(prefix="conclave-repository-") as folder:
        served = repositories.make(folder, ["2"] if installed else [])
        try:
            with Booted(page.names, served) as machines:
                if installed:
                    install_first(machines)
                began = time.monotonic()
                text, wrong = play_page(machines, page, rewrite)
                seconds = time.monotonic() - began
                if installed:
                    wrong += not_upgraded(machines)
                if wrong and not rewrite:
                    print("\n".join([*wrong, *machines.logs()]))
        finally:
            repositories.stop_agent()
    return text, wrong, seconds


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not roots.alone():
        print("skipped: this machine does not let us boot others as containers")
        return 77
    rewrite, page = "--rewrite" in sys.argv, Page(Path(words[0]).resolve())
    text, wrong, seconds = play(page, rewrite, "--installed" in sys.argv)
    if rewrite:
        page.path.write_text(text, encoding="utf-8")
    else:
        wrong += complaints(page, seconds)
    print(f"{count(page)} commands, {seconds:.0f} seconds, {len(wrong)} are not as the page says")
    print("\n".join(wrong) if not rewrite else "")
    return 1 if wrong and not rewrite else 0


if __name__ == "__main__":
    sys.exit(main())
