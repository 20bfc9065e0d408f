"""The tarball and the image need nothing of a machine: they run in roots that have nothing else."""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import roots

if not roots.alone():
    print("skipped: this machine does not let us mount")
    sys.exit(77)

OUT = roots.ROOT / "build/packages"


class Empty(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="conclave-empty-")
        self.addCleanup(made.cleanup)
        self.root = Path(made.name)
        subprocess.run(["mount", "-t", "tmpfs", "none", str(self.root)], check=True)
        self.addCleanup(subprocess.run, ["umount", "-lR", str(self.root)], check=True)
        for folder in ("proc", "dev", "state"):
            (self.root / folder).mkdir()
        for source in ("/proc", "/dev"):
            subprocess.run(["mount", "--rbind", source, f"{self.root}{source}"], check=True)

    def run_inside(self, *words):
        done = subprocess.run(["chroot", str(self.root), *words], capture_output=True, text=True,
                              timeout=60, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        return done.stdout + done.stderr

    def lead_alone(self, tool):
        """A group of one; its command makes a key."""
        said = self.run_inside(tool, "run", "--group", "g", "--expect", "1", "--name", "a",
                               "--state", "/state", "--when-done", "leave", "--",
                               tool, "keygen", "/state/made.key")
        self.assertTrue((self.root / "state/made.key").exists(), said)

    def test_the_tarball_runs_a_command_where_there_is_nothing_else(self):
        [tarball] = OUT.glob("conclave-*.tar.gz")
        with tarfile.open(tarball) as packed:
            packed.extractall(self.root, filter="tar")
        [folder] = self.root.glob("conclave-*")
        inside = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        for name in ("bin/conclave", "bin/conclave-guardian", "LICENSE", "etc/conclave/sample.toml",
                     "lib/systemd/system/conclave@.service", "share/man/man1/conclave-run.1"):
            self.assertIn(name, inside)
        tool = f"/{folder.name}/bin/conclave"
        self.assertRegex(self.run_inside(tool, "--version"), r"^conclave [\d.]+ \(commit \w+\)\n")
        self.lead_alone(tool)

    def test_the_image_runs_a_command_and_holds_nothing_else(self):
        [image] = OUT.glob("*.oci.tar")
        with tarfile.open(image) as packed:
            read = lambda name: packed.extractfile(name).read()
            blob = lambda entry: "blobs/" + entry["digest"].replace(":", "/")
            manifest = json.loads(read(blob(json.loads(read("index.json"))["manifests"][0])))
            config = json.loads(read(blob(manifest["config"])))["config"]
            for layer in manifest["layers"]:
                with tarfile.open(fileobj=packed.extractfile(blob(layer))) as files:
                    files.extractall(self.root, filter="tar")
        self.assertEqual(config["Entrypoint"], ["/usr/bin/conclave"])
        self.assertEqual(list(config["Volumes"]), ["/var/lib/conclave"])
        programs = [p for p in sorted(self.root.glob("usr/**/*")) if p.is_file()]
        self.assertEqual([p.name for p in programs], ["conclave", "conclave-guardian"])
        self.assertTrue(all(os.access(p, os.X_OK) for p in programs))
        self.lead_alone("/usr/bin/conclave")


if __name__ == "__main__":
    unittest.main()
