"""What the shared library exports is what its header declares: exports.py LIBRARY HEADER"""

import re
import subprocess
import sys


def main():
    library, header = sys.argv[1:]
    found = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                           check=True).stdout
    exported = {line.split()[2].split("@")[0] for line in found.splitlines()
                if line.split()[1] != "A"}  # A: the name of the version itself
    with open(header, encoding="utf-8") as text:
        bare = re.sub(r"/\*.*?\*/", "", text.read(), flags=re.S)
    declared = set(re.findall(r"^[a-z].*?\b(conclave_\w+)\(", bare, re.M))
    if exported != declared or not declared:
        sys.exit(f"exported, not declared: {sorted(exported - declared)}; "
                 f"declared, not exported: {sorted(declared - exported)}")
    name = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                          check=True).stdout
    if "[libconclave.so.0]" not in name:
        sys.exit("the SONAME is not libconclave.so.0")
    print(f"{len(exported)} functions")


main()
