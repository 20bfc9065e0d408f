"""run.py MODULE NATIVE NODE: the module was built, and prints what the native program prints.

Ends with 77 where there is no node to run it.
"""

import subprocess
import sys
from pathlib import Path


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfailed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    module, native, node = sys.argv[1:]
    complaints = Path(module + ".log").read_text()
    if complaints or not Path(module).exists():
        sys.exit("it does not build for WebAssembly:\n" + complaints)
    expected = run(native)
    if node.endswith("NOTFOUND"):
        print("built, but not run: there is no node here")
        sys.exit(77)
    printed = run(node, "--no-warnings", str(Path(__file__).with_name("run.mjs")), module)
    if printed != expected:
        sys.exit(f"WebAssembly printed:\n{printed}\nand the native program:\n{expected}")


if __name__ == "__main__":
    main()
