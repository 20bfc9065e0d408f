"""Programs are built and run with the installed packages only.

dpkg installs them into an overlay of this machine's root, which has a compiler already; the machine
itself is not changed.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import roots

if not roots.alone():
    print("skipped: this machine does not let us mount")
    sys.exit(77)

ROOT, OUT = roots.ROOT, roots.ROOT / "build/packages"
LIBRARY = "/usr/lib/*/libconclave.so.0"


def setUpModule():
    global root
    made = tempfile.TemporaryDirectory(prefix="conclave-overlay-", ignore_cleanup_errors=True)
    unittest.addModuleCleanup(made.cleanup)
    work, root = Path(made.name), Path(made.name, "root")
    mount("-t", "tmpfs", "none", str(work))
    for name in ("upper", "work", "root"):
        (work / name).mkdir()
    layers = f"lowerdir=/,upperdir={work}/upper,workdir={work}/work"
    mount("-t", "overlay", "overlay", "-o", layers, str(root))
    cache = subprocess.run(["ccache", "-k", "cache_dir"], capture_output=True, text=True)
    for shared in ("/proc", "/dev", str(ROOT), cache.stdout.strip()):
        if shared and Path(shared).is_dir():
            (root / shared[1:]).mkdir(parents=True, exist_ok=True)
            mount("--rbind", shared, f"{root}{shared}")
    packages = [str(OUT / each.name) for each in sorted(OUT.glob("*.deb"))]
    inside("dpkg", "--install", *packages)


def mount(*words):
    subprocess.run(["mount", *words], check=True)
    unittest.addModuleCleanup(subprocess.run, ["umount", "-lR", words[-1]], check=False)


def inside(*words):
    done = subprocess.run(["chroot", str(root), *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Consumers(unittest.TestCase):
    def test_find_package_pkg_config_c_and_python_find_the_installed_libraries(self):
        inside("python3", "-B", f"{ROOT}/tests/install/page.py", f"{ROOT}/docs/library.md",
               "/opt/page")
        inside("cmake", "-G", "Ninja", "-S", f"{ROOT}/tests/install/consumer", "-B", "/opt/build",
               "-D", "CMAKE_CXX_COMPILER=g++", "-D", "CMAKE_CXX_COMPILER_LAUNCHER=ccache",
               "-D", "CMAKE_CXX_FLAGS=-Werror", "-D", "CMAKE_C_FLAGS=-Werror",
               "-D", f"CONCLAVE_EXAMPLES={ROOT}/examples", "-D", "CONCLAVE_PAGE=/opt/page",
               "-D", f"CONCLAVE_LANGUAGES={ROOT}/tests/elector/languages.py",
               "-D", "Python3_EXECUTABLE=/usr/bin/python3", "-D", "CONCLAVE_PYTHON_PATH=")
        found = inside("sed", "-n", "s/^conclave_DIR:PATH=//p", "/opt/build/CMakeCache.txt")
        self.assertRegex(found, r"^/usr/lib/[^/]+/cmake/conclave$")
        inside("cmake", "--build", "/opt/build", "-j", "2")
        inside("ctest", "--test-dir", "/opt/build", "--output-on-failure", "--no-tests=error")

    def test_the_shared_library_has_its_name_and_exports_the_header_alone(self):
        names = inside("sh", "-c", f"objdump -p {LIBRARY}")
        self.assertRegex(names, r"SONAME +libconclave\.so\.0\n")
        exported = inside("sh", "-c", f"nm -D --defined-only --format=just-symbols {LIBRARY}")
        exported = {line.split("@")[0] for line in exported.splitlines()} - {"CONCLAVE_0"}
        header = (root / "usr/include/conclave.h").read_text(encoding="utf-8")
        self.assertEqual({name for name in exported if name + "(" not in header}, set())
        self.assertGreater(len(exported), 10)


if __name__ == "__main__":
    unittest.main()
