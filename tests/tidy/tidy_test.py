"""Each rule of the tidy test bites, and leaves good code alone."""

import tempfile
import unittest
from pathlib import Path

import cpp_text
import tidy

LAYERS = """# comment
core:
election: core
lease:    core
member:   core lease
agent:    core election member
net:      core election
cli:      core
elector.hpp: cli
"""
GOOD = "// Its purpose.\n#pragma once\n\n#include <vector>\n\nint one();\n"


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("conclave/layers.txt", LAYERS)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def complaints(self, name, text):
        self.write(name, text)
        found = list(tidy.complaints(self.root))
        (self.root / name).unlink()
        return found

    def expect(self, name, text, complaint):
        found = self.complaints(name, text)
        self.assertTrue(any(complaint in line for line in found), (complaint, found))
        self.assertTrue(all(line.startswith(name + ":") for line in found), found)

    def expect_none(self, name, text):
        self.assertEqual(self.complaints(name, text), [])

    def test_a_good_file_is_left_alone(self):
        self.expect_none("conclave/core/one.hpp", GOOD)

    def test_including_below_is_right(self):
        self.expect_none("conclave/net/a.hpp", GOOD + '#include "conclave/election/b.hpp"\n')
        self.expect_none("conclave/net/a.hpp", GOOD + '#include "conclave/net/b.hpp"\n')

    def test_including_above_is_wrong(self):
        text = GOOD + '#include "conclave/net/b.hpp"\n'
        self.expect("conclave/core/a.hpp", text, "a.hpp:7: core must not include net")

    def test_including_a_neighbour_is_wrong(self):
        text = GOOD + '#include "conclave/lease/b.hpp"\n'
        self.expect("conclave/election/a.hpp", text, "election must not include lease")

    def test_two_headers_of_one_name_are_wrong(self):
        self.write("conclave/core/b.hpp", GOOD)
        self.expect("conclave/net/b.hpp", GOOD, "conclave/core/b.hpp has the same name")
        self.expect_none("conclave/net/b.cpp", "int one();\n")
        self.expect_none("tests/net/b.hpp", GOOD)

    def test_an_agent_that_decides_is_wrong(self):
        self.expect_none("conclave/agent/a.hpp", GOOD + '#include "conclave/member/view.hpp"\n')
        for header in ("member/detector.hpp", "election/bully.hpp"):
            text = GOOD + f'#include "conclave/{header}"\n'
            self.expect("conclave/agent/a.hpp", text, f"conclave/{header} decides")

    def test_an_agent_with_an_opinion_of_its_own_is_wrong(self):
        for line in ("Id leader_ = nobody;", "bool suspected_;", "view.leader = me;", "Call{};"):
            self.expect("conclave/agent/a.hpp", GOOD + line + "\n", "the member's to know")
        self.expect_none("conclave/agent/a.hpp", GOOD + "bool same = view.leader == me;\n")
        self.expect_none("conclave/member/a.hpp", GOOD + "Id leader_;\n")

    def test_a_second_writer_of_the_leader_is_wrong(self):
        complaint = "written by believe() alone"
        for line in ("member.leader = id;", "leader = id;", "std::exchange(member.leader, id);"):
            self.expect("conclave/member/a.hpp", GOOD + line + "\n", complaint)
        once = GOOD + "member.leader = whom;\n"
        self.expect_none("conclave/member/belief.hpp", once)
        self.expect("conclave/member/belief.hpp", once + "member.leader = nobody;\n", complaint)
        for line in ("Id leader = nobody;", "const Id leader = a.leader;", "f({.leader = id});"):
            self.expect_none("conclave/member/a.hpp", GOOD + line + "\n")

    def test_a_class_of_many_fields_is_wrong(self):
        fields = "".join(f"    int a{i} = f(1, 2), b{i}{{}};\n" for i in range(12))
        rest = (
            "    static int one, two;\n    void act(int a, int b);\n    using Many = int;\n"
            "    struct Part { int x, y; };\n    int get() const { int u, v; return 1; }\n"
        )
        text = GOOD + "struct Large {\n" + fields + rest + "    Part part;\n};\n"
        self.expect_none("conclave/net/a.hpp", text)
        more = text.replace("    Part part;", "    std::map<int, int> part{}, other;")
        self.expect("conclave/net/a.hpp", more, "a.hpp:7: Large has 26 fields: at most 25")

    def test_fields_are_counted_whatever_their_types(self):
        text = (
            "class A final : B<int, C> {\npublic:\n    A(int x) : x_(x), y_{1} {}\n"
            "    std::function<void(int, int)> call{};\n    bool operator==(const A&) const;\n"
            "    struct Inner {\n        int one;\n    };\n    Inner inner{};\n"
            "private:\n    int x_, y_ = 2;\n    const Time born_ = now();\n};\n"
        )
        found = {name: fields for _, name, fields in cpp_text.classes(text)}
        self.assertEqual(found, {"A": 5, "Inner": 1})

    def test_single_files_have_a_layer_too(self):
        text = '#include "conclave/cli/b.hpp"\n'
        self.expect_none("conclave/elector.cpp", text)
        self.expect("conclave/net/a.cpp", '#include "conclave/elector.hpp"\n', "include elector")

    def test_folders_without_a_layer_are_wrong(self):
        self.expect("conclave/odd/a.hpp", GOOD, "odd has no layer")
        text = '#include "conclave/odd/b.hpp"\n'
        self.expect("conclave/net/a.cpp", text, "odd has no layer")

    def test_relative_includes_are_wrong(self):
        self.expect("conclave/core/a.cpp", '#include "turn.hpp"\n', "is no file of conclave/")
        self.expect("conclave/core/a.cpp", '#include "tests/x.hpp"\n', "is no file of conclave/")

    def test_the_core_includes_only_quiet_headers(self):
        wrong = ["iostream", "thread", "mutex", "random", "fstream", "sys/socket.h", "unistd.h"]
        for header in wrong + ["nlohmann/json.hpp", "time.h"]:
            text = GOOD + f"#include <{header}>\n"
            self.expect("conclave/core/a.hpp", text, f"<{header}> is not for core")
        self.expect_none("conclave/core/a.hpp", GOOD + "#include <chrono>\n#include <cstdio>\n")

    def test_others_include_what_they_need(self):
        self.expect_none("conclave/net/a.hpp", GOOD + "#include <thread>\n#include <unistd.h>\n")

    def test_the_core_asks_no_clock_and_throws_nothing(self):
        for line in [
            "auto t = std::chrono::steady_clock::now();",
            "auto t = Clock::now();",
            "throw 1;",
            "try { f(); } catch (int) {}",
            "int r = std::rand();",
        ]:
            text = GOOD + f"inline void f() {{\n    {line}\n}}\n"
            self.expect("conclave/election/a.hpp", text, "a.hpp:8:")
            self.expect_none("conclave/net/a.hpp", text)

    def test_comments_and_strings_may_say_what_they_like(self):
        text = GOOD + '// throw it, or try\nconst char* s = "try; throw";\n/* catch\n now */\n'
        self.expect_none("conclave/core/a.hpp", text)

    def test_long_files_are_wrong(self):
        self.expect_none("conclave/core/a.cpp", "\n" * 400)
        self.expect("conclave/core/a.cpp", "\n" * 401, "401 lines")
        self.expect("tests/core/a_test.cpp", "\n" * 401, "401 lines")

    def test_long_functions_are_wrong(self):
        body = "    g();\n"
        self.expect_none("conclave/core/a.cpp", "void f() {\n" + body * 58 + "}\n")
        self.expect("conclave/core/a.cpp", "void f() {\n" + body * 59 + "}\n", "function of 61")

    def test_long_lines_are_wrong(self):
        self.expect_none("conclave/core/a.cpp", "// " + "é" * 97 + "\n")
        self.expect("conclave/core/a.cpp", "// " + "e" * 98 + "\n", "101 columns")
        self.expect("a.py", "# " + "e" * 99 + "\n", "101 columns")

    def test_prose_may_have_long_lines(self):
        self.expect_none("docs/a.md", "word " * 40 + "\n")

    def test_unfinished_work_is_wrong(self):
        for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]:
            self.expect("docs/a.md", f"here {word}: more\n", f"a.md:1: {word}")
        self.expect_none("docs/a.md", "hackles, todos and mktemp name.XXXXXX\n")

    def test_machine_paths_are_wrong(self):
        for path in ["/home" + "/me/x", "/root" + "/x", "/work" + "/main", "/tmp" + "/w/x"]:
            self.expect("docs/a.md", f"see {path}\n", "is a path of one machine")
        for path in ["/usr/share/x", "./work" + "/x", "https://x.example/home" + "/y"]:
            self.expect_none("docs/a.md", f"see {path}\n")

    def test_tests_that_share_a_file_are_wrong(self):
        self.expect("tests/core/a_test.cpp", "auto path = testing::TempDir();\n", "Folder")

    def test_headers_say_what_they_are_for(self):
        self.expect("conclave/core/a.hpp", "#pragma once\n", "starts with a comment")

    def test_headers_are_included_once(self):
        self.expect("conclave/core/a.hpp", "// A.\n\nint f();\n", "says #pragma once")


CODE = """namespace a::b {
template <class T, class U = std::vector<T>>
struct S : Base<T> {
    S(int x) : x_{x}, y_(x) {
        f();
    }
    explicit S(T t) : Base<T>{t}, z_{1} {}
    enum class State { one, two } state = State::one;
    bool operator()(int a) const noexcept override { return a < 1'000; }
    auto g() -> std::optional<int> {
        const auto inner = [&](char c) { return c == '{' || c == '\\''; };
        return inner('}') ? 1 : 2;
    }
    std::array<int, 2> x_{1, 2};
};
constexpr auto table = std::array{Row{1, 2},
                                  Row{3, 4}};
template <class T>
concept Sized = requires(T t) {
    { t.size() } -> std::same_as<int>;
};
#define MACRO(x) { x
inline constexpr auto value = []<class T>(T t) {
    return t;
}(3);
TEST(Suite, sentence) {
    EXPECT_EQ(R"(}})", "}{");  // }
    for (int i = 0; i < 3; ++i) {
    }
}
template <class T>
    requires Sized<T>
void h(
    T t) {}
}  // namespace a::b
"""


class Functions(unittest.TestCase):
    def test_are_found_with_their_first_and_last_lines(self):
        expected = [(4, 6), (7, 7), (9, 9), (10, 13), (23, 25), (26, 30), (31, 34)]
        self.assertEqual(list(cpp_text.functions(CODE)), expected)

    def test_bare_text_keeps_its_lines(self):
        self.assertEqual(cpp_text.bare(CODE).count("\n"), CODE.count("\n"))
        self.assertNotIn("}}", cpp_text.bare('R"(}})"'))


if __name__ == "__main__":
    unittest.main()
