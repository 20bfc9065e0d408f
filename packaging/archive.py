"""Archives whose bytes depend on names and contents only."""

import subprocess


def pack(target, folder, epoch):
    """A tar file of what is in the folder; gzipped where the target's name ends in .gz."""
    names = sorted(path.name for path in folder.iterdir())
    plain = str(target).removesuffix(".gz")
    subprocess.run(["tar", "--sort=name", f"--mtime=@{epoch}", "--owner=0", "--group=0",
                    "--mode=go-w", "--numeric-owner", "--format=ustar", "-C", str(folder),
                    "-cf", plain, *names], check=True)
    if plain != str(target):
        subprocess.run(["gzip", "-9n", plain], check=True)
