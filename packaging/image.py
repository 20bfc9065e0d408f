"""An image for containers with the static programs and nothing else, as an OCI archive."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import archive

STORE = str(Path(__file__).resolve().parent.parent / "build/image")

def buildah(*words):
    storage = ["--root", STORE, "--runroot", STORE + ".run", "--storage-driver", "vfs"]
    made = subprocess.run(["buildah", *storage, *words], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"buildah {' '.join(words)}: {made.stderr}")
    return made.stdout.strip()


def make(programs, out, version, epoch):
    """conclave is its entry point, /var/lib/conclave its volume, and the usual port its own."""
    if not shutil.which("buildah"):
        sys.exit("buildah is missing: install it, or let ./dev do so")
    work = buildah("from", "scratch")
    try:
        for program in ("conclave", "conclave-guardian"):
            buildah("copy", "--chmod", "755", work, f"{programs}/bin/{program}", "/usr/bin/")
        buildah("config", "--entrypoint", '["/usr/bin/conclave"]', "--cmd", "--help",
                "--volume", "/var/lib/conclave", "--port", "7675/udp",
                "--label", f"org.opencontainers.image.version={version}",
                "--label", "org.opencontainers.image.licenses=Apache-2.0", work)
        layout = Path(STORE + ".oci")
        shutil.rmtree(layout, ignore_errors=True)
        buildah("commit", "--quiet", "--timestamp", str(epoch), work,
                f"oci:{layout}:conclave:{version}")
    finally:
        buildah("rm", work)
    target = out / f"conclave-{version}-{os.uname().machine}.oci.tar"
    archive.pack(target, layout, epoch)
