"""Three of examples/elector: one of them counts; when it ends, another goes on."""

import subprocess
import sys
import tempfile
import time


def counts(text):
    return [line for line in text.splitlines() if " under token " in line]


def token_of(line):
    return int(line.split()[-1])


def main():
    example = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        files = {name: open(f"{folder}/{name}", "w+b") for name in "abc"}
        nodes = {
            name: subprocess.Popen([example, name, folder, "40"], stdout=file)
            for name, file in files.items()
        }

        def text_of(name):
            with open(f"{folder}/{name}") as file:
                return file.read()

        def wait_for_count(names):
            for _ in range(3000):
                for name in names:
                    if nodes[name].poll() is not None:
                        sys.exit(f"{name} ended with {nodes[name].returncode}")
                    if counts(text_of(name)):
                        return name
                time.sleep(0.01)
            sys.exit("nobody counts")

        try:
            first = wait_for_count("abc")
            nodes[first].kill()
            nodes[first].wait()
            last = max(map(token_of, counts(text_of(first))))
            second = wait_for_count([name for name in "abc" if name != first])
            if min(map(token_of, counts(text_of(second)))) <= last:
                sys.exit("the token did not grow")
        finally:
            for node in nodes.values():
                node.kill()
                node.wait()


main()
