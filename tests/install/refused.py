"""A program that must not compile: refused.py FILE RESULT COMPILER [FLAG]...

The file's first line says what the compiler must complain about: // refused: WORDS. Compiled with
-D MENDED it must be accepted, so that it is refused for that reason only. The build runs this
when something the file includes has changed; a test then looks at what it wrote into RESULT.
"""

import os
import re
import subprocess
import sys

AS_EXPECTED = "refused for the right reason"


def judge(file, result, command):
    with open(file, encoding="utf-8") as text:
        expected = re.match(r"// refused: (.+)", text.readline())
    if not expected:
        return f"{file} must start with a line // refused: WORDS"
    remember = ["-DMENDED", "-MD", "-MF", result + ".d", "-MT", result]
    mended = subprocess.run(command + remember + [file], capture_output=True, text=True)
    if mended.returncode != 0:
        return f"even mended it is refused:\n{mended.stderr}"
    broken = subprocess.run(command + [file], capture_output=True, text=True)
    if broken.returncode == 0:
        return f"{file} compiles, but must not"
    if not re.search(expected[1], broken.stderr):
        return f"refused, but not with '{expected[1]}':\n{broken.stderr}"
    return AS_EXPECTED


def main():
    file, result, *command = sys.argv[1:]
    open(result + ".d", "w").close()
    verdict = judge(file, result, command + ["-fsyntax-only"])
    with open(result, "w", encoding="utf-8") as out:
        out.write(verdict + "\n")
    if verdict != AS_EXPECTED:
        os.utime(result, (0, 0))  # out of date at once: look again at the next build


if __name__ == "__main__":
    main()
