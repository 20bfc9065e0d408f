"""One machine with a real systemd and the installed packages: what units and removal do.

The machine is bare, and gets the packages with apt from the folder that ./dev package --repository
makes.
"""

import sys
import tempfile
import time
import unittest

import repositories
import roots
from booted import Booted
from page import SOURCES

if not roots.alone():
    print("skipped: this machine does not let us boot others as containers")
    sys.exit(77)

# Where installing and removing any package leaves something.
KEPT = ("/var/lib/apt|/var/lib/dpkg|/var/cache|/var/log|/var/lib/systemd|/var/lib/python|/proc|/sys"
        "|/run|/tmp|/dev|/etc/ld.so.cache|/etc/apt/sources.list.d|/srv")
LISTING = f"find / -xdev | grep -vE '^({KEPT})' | sort"
ALONE = 'expect = 1\nname = "anna"\n'


def setUpModule():
    global folder, machine
    folder = tempfile.TemporaryDirectory(prefix="conclave-repository-")
    unittest.addModuleCleanup(folder.cleanup)
    served = repositories.make(folder.name)
    unittest.addModuleCleanup(repositories.stop_agent)
    machine = Booted(["anna"], served)
    machine.__enter__()
    unittest.addModuleCleanup(machine.__exit__, None, None, None)
    machine.write("all", "/etc/apt/sources.list.d/conclave.sources", SOURCES)
    run("apt-get -qq update")


def run(line):
    return machine.run("anna", line)


def install(*packages):
    return run(f"apt-get -qq -y --no-install-recommends install {' '.join(packages)} 2>&1")


def property_of(unit, name):
    return run(f"systemctl show --value -p {name} {unit}").strip()


class Cleanliness(unittest.TestCase):
    """The first of all: the machine is as bare as it will ever be."""

    def test_a_purge_leaves_nothing_behind(self):
        install("python3")  # apt keeps it, because others recommend it
        before = run(LISTING)
        install("conclave", "conclave-lab", "conclave-engine", "python3-conclave", "libconclave0")
        run("python3 -c 'import conclave'")  # Python would keep what it compiles of the module
        machine.write("anna", "/etc/conclave/jobs.toml", ALONE)
        machine.write("anna", "/etc/conclave/timed.env", "CLOCK=none\n")
        machine.write("anna", "/etc/systemd/system/conclave@.service.d/more.conf", "[Service]\n")
        run("conclave keygen /etc/conclave/jobs.key; conclave keygen /etc/conclave/time.key")
        run("systemctl daemon-reload; systemctl --quiet enable conclave-timed; "
            "systemctl start --no-block conclave-timed")
        run("systemctl --quiet enable --now conclave@jobs")
        self.assertEqual(property_of("conclave@jobs", "ActiveState"), "active")
        self.assertEqual(property_of("conclave-timed", "ActiveState"), "activating")
        between = run(LISTING)
        self.assertIn("/var/lib/conclave/jobs/anna.state\n", between)
        said = run("apt-get -qq -y purge '*conclave*' 2>&1; apt-get -qq -y autoremove --purge 2>&1")
        self.assertEqual(property_of("conclave@jobs", "ActiveState"), "inactive", said)
        self.assertEqual(property_of("conclave-timed", "ActiveState"), "inactive", said)
        left = sorted(set(run(LISTING).splitlines()) - set(before.splitlines()))
        self.assertEqual(left, [])
        self.assertEqual(run("ls -d /run/conclave 2>/dev/null"), "")


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        said = install("conclave")
        if "datagrams" not in run("conclave --version"):
            raise AssertionError(said)


class Units(Installed):
    def setUp(self):
        machine.write("anna", "/etc/conclave/jobs.toml", ALONE)
        machine.write("anna", "/etc/conclave/jobs.env", "COMMAND=/bin/sleep infinity\n")
        self.addCleanup(run, "systemctl stop conclave@jobs; systemctl reset-failed conclave@jobs")

    def wait(self, condition, what):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.2)
        journal = run("journalctl --no-pager -n 30 -u 'conclave*'")
        self.fail(f"not within 30 s: {what}\n{journal}")

    def leads(self):
        return run("conclave is-leader --group jobs && echo yes").endswith("yes\n")

    def test_nothing_is_enabled_or_started_by_the_installation(self):
        self.assertEqual(run("systemctl is-enabled conclave-timed"), "disabled\n")
        self.assertEqual(run("systemctl is-active conclave-timed"), "inactive\n")

    def test_a_wrong_configuration_is_not_tried_again(self):
        machine.write("anna", "/etc/conclave/jobs.toml", "expct = 1\n")
        run("systemctl start conclave@jobs")
        time.sleep(2.5)
        self.assertEqual(property_of("conclave@jobs", "ActiveState"), "failed")
        self.assertEqual(property_of("conclave@jobs", "ExecMainStatus"), "2")
        self.assertEqual(property_of("conclave@jobs", "NRestarts"), "0")

    def test_a_node_that_is_killed_is_started_again(self):
        run("systemctl start conclave@jobs")
        self.wait(self.leads, "it leads")
        run("systemctl kill --kill-whom=main --signal=KILL conclave@jobs")
        self.wait(lambda: property_of("conclave@jobs", "NRestarts") == "1", "it starts again")
        self.wait(self.leads, "it leads again")

    def test_an_upgrade_of_the_package_leaves_a_node_alone(self):
        run("systemctl start conclave@jobs")
        self.wait(self.leads, "it leads")
        before = property_of("conclave@jobs", "MainPID")
        said = run("apt-get -qq -y --reinstall install conclave 2>&1")
        self.assertIn("Unpacking conclave ", said)
        self.assertEqual(property_of("conclave@jobs", "MainPID"), before)
        self.assertTrue(self.leads())

    def test_a_name_that_is_taken_is_tried_again_until_it_is_free(self):
        other = machine.begin("anna", "echo $$ >other.pid; exec conclave run --group jobs "
                              "--expect 1 --name anna --state /var/lib/conclave")
        self.wait(self.leads, "another node of this name leads")
        run("systemctl start --no-block conclave@jobs")
        self.wait(lambda: int(property_of("conclave@jobs", "NRestarts") or 0) > 2, "it is tried")
        journal = run("journalctl --no-pager -u conclave@jobs")
        self.assertIn("Main process exited, code=exited, status=121", journal)
        run("kill $(cat other.pid)")
        other.communicate(timeout=30)
        self.wait(self.leads, "the unit's node leads")

    def test_a_hardened_node_runs_its_command_in_a_namespace_of_its_own(self):
        run("mkdir -p /etc/systemd/system/conclave@.service.d; "
            "cp /usr/share/doc/conclave/examples/hardened.conf $_; systemctl daemon-reload")
        self.addCleanup(run, "rm -r /etc/systemd/system/conclave@.service.d; "
                        "systemctl daemon-reload")
        write = "COMMAND=/bin/sh -c 'touch${IFS}/usr/x;exec${IFS}sleep${IFS}1000'\n"
        machine.write("anna", "/etc/conclave/jobs.env", write)
        run("systemctl start conclave@jobs")
        self.wait(self.leads, "it leads")
        self.assertEqual(property_of("conclave@jobs", "NoNewPrivileges"), "yes")
        self.assertIn("(containment pid)", run("conclave status --group jobs"))
        self.assertEqual(run("ls /usr/x 2>&1"), "ls: cannot access '/usr/x': No such file or "
                         "directory\n")

    def start_timed(self):
        run("[ -e /etc/conclave/time.key ] || conclave keygen /etc/conclave/time.key")
        machine.write("anna", "/etc/conclave/timed.env", "CLOCK=none\n")
        run("systemctl start --no-block conclave-timed")
        self.addCleanup(run, "systemctl stop conclave-timed")

    def timed_answers(self):
        return '"name":"anna"' in run("conclave timed status --json")

    def test_the_time_daemon_runs_in_its_sandbox_and_not_as_root(self):
        self.start_timed()
        self.wait(self.timed_answers, "it answers")
        self.assertEqual(property_of("conclave-timed", "NRestarts"), "0")
        process = "/proc/" + property_of("conclave-timed", "MainPID")
        self.assertGreater(int(run(f"stat -c %u {process}")), 0)

    def test_a_time_daemon_whose_port_is_taken_is_tried_again_until_it_is_free(self):
        other = machine.begin("anna", "echo $$ >other.pid; exec conclave timed --clock none "
                              "--insecure --no-control")
        self.wait(lambda: ":525 " in run("ss -lun"), "another daemon has the port")
        self.start_timed()
        self.wait(lambda: int(property_of("conclave-timed", "NRestarts") or 0) > 5, "it is tried")
        journal = run("journalctl --no-pager -u conclave-timed")
        self.assertIn("Main process exited, code=exited, status=125", journal)
        run("kill $(cat other.pid)")
        other.communicate(timeout=30)
        self.wait(self.timed_answers, "the unit's daemon answers")


class Contents(Installed):
    def test_every_package_holds_what_the_page_says(self):
        install("conclave-lab", "conclave-engine", "python3-conclave")
        share = "/usr/share"
        for package, files in {
            "conclave": ["/usr/bin/conclave", "/usr/bin/conclave-guardian",
                         "/lib/systemd/system/conclave@.service",
                         "/lib/systemd/system/conclave-timed.service", "/etc/conclave/sample.toml",
                         f"{share}/man/man1/conclave-run.1.gz",
                         f"{share}/man/man1/conclave-status.1.gz",
                         f"{share}/bash-completion/completions/conclave",
                         f"{share}/zsh/site-functions/_conclave",
                         f"{share}/fish/vendor_completions.d/conclave.fish"],
            "conclave-lab": ["/usr/bin/conclave-lab", f"{share}/man/man1/conclave-sim.1.gz",
                             f"{share}/bash-completion/completions/conclave-lab"],
            "conclave-engine": ["/usr/bin/conclave-engine"],
            "python3-conclave": ["/usr/lib/python3/dist-packages/conclave/__init__.py"],
        }.items():
            held = run(f"dpkg -L {package}").splitlines()
            self.assertEqual([file for file in files if file not in held], [], package)

    def test_a_node_finds_the_installed_connection_to_an_engine(self):
        install("conclave-engine")
        said = run("timeout 5 conclave run --group jobs --via etcd://127.0.0.1:1/jobs "
                   "--name anna --state /srv/via -- sleep 1 2>&1")
        self.assertNotIn("install the package", said)


class Samples(Installed):
    def test_the_sample_is_accepted_as_it_is_and_with_every_line(self):
        check = "conclave run --group jobs --check-config --state /srv/sample --config"
        self.assertIn("expect = 3", run(f"{check} /etc/conclave/sample.toml"))
        run("sed '/members/d; s/^#\\([a-z]\\)/\\1/; s/GROUP/jobs/' /etc/conclave/sample.toml "
            ">/srv/all.toml; conclave keygen /etc/conclave/jobs.key")
        said = run(f"{check} /srv/all.toml")
        for line in ("detect = 1s", "health = tcp:", "http = 127.0.0.1:7677"):
            self.assertIn(line, said)


class Python(unittest.TestCase):
    def test_the_program_of_the_page_runs_with_the_installed_module(self):
        install("python3-conclave")
        text = (roots.ROOT / "docs/library.md").read_text(encoding="utf-8")
        program = text.split("```python\n")[1].split("```")[0]
        machine.write("anna", "/srv/program.py", program)
        said = run("cd /srv; python3 program.py")
        self.assertRegex(said, r"token \d+, [\d.]+ s left, as seen by a\n")


if __name__ == "__main__":
    unittest.main()
