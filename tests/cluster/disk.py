"""The disk of one node, whose steps fail on request: see disk_faults.cpp."""

import errno
import itertools
import shutil
import time

STEPS = ["open", "write", "fsync", "rename", "open_folder", "fsync_folder", "record"]
# Every step, reported failed though done or not done at all; a write that only begins; and a disk
# that takes its time.
FAULTS = [(step, how) for step in STEPS for how in ("fail", "done")]
FAULTS += [("write", "short"), ("fsync", "slow"), ("fsync_folder", "slow")]
ERRORS = {"open": errno.ENOSPC, "write": errno.ENOSPC, "open_folder": errno.EMFILE}


class Disk:
    orders = itertools.count(1)

    def __init__(self, library, folder, state):
        self.library, self.folder, self.state = str(library), folder, state
        folder.mkdir()

    def another(self, folder, state):
        """A new one of the same kind."""
        shutil.rmtree(folder, ignore_errors=True)
        return Disk(self.library, folder, state)

    def words(self):
        """What stands before a command to give it this disk."""
        return ["env", f"LD_PRELOAD={self.library}", f"DISK_FAULTS={self.folder}",
                f"DISK_FAULTS_OF={self.state}"]

    def fail(self, step, how="fail", count=0, seconds=0.0):
        """From now on; so often, so long, or until it is healed."""
        until = time.clock_gettime(time.CLOCK_BOOTTIME) + seconds if seconds else 0
        error = ERRORS.get(step, errno.EIO)
        beside = self.folder / "next"
        beside.write_text(f"{next(self.orders)} {step} {how} {error} {count} {until:.6f}\n")
        beside.replace(self.folder / "now")

    def heal(self):
        (self.folder / "now").unlink(missing_ok=True)

    def hits(self):
        """How many steps were made to fail so far."""
        hits = self.folder / "hits"
        return len(hits.read_text().splitlines()) if hits.exists() else 0

    def crash(self):
        """What was not synchronised is lost, as when the machine dies. Its node must be dead."""
        kept = self.folder / "kept"
        for file in self.state.rglob("*.state.*"):
            file.unlink()
        for file in self.state.rglob("*.state"):
            file.write_bytes(kept.read_bytes()) if kept.exists() else file.unlink()
