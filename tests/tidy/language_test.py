"""Each rule of the house style bites, and leaves good prose alone."""

import unittest

import language


class File:
    def __init__(self, name, text):
        self.name, self.text, self.lines = name, text, text.splitlines()


def complaints(name, text):
    return [found for rule in language.RULES for found in rule(File(name, text))]


class Words(unittest.TestCase):
    def test_a_replaced_word_is_found_in_pages_and_in_comments(self):
        found = complaints("docs/a.md", "# A\n\nThe heir stands in vain.\n")
        self.assertEqual([line for line, _ in found], [3, 3])
        self.assertIn("say successor", found[0][1])
        self.assertEqual(len(complaints("conclave/core/a.hpp", "int a;  // its reign\n")), 1)
        self.assertEqual(len(complaints("docs/options.md", "| `--x N` | 3 unless given |\n")), 1)

    def test_code_strings_and_names_are_left_alone(self):
        page = "`--break quarantine-after-restart`\n\n```\nin vain\n```\n"
        self.assertEqual(complaints("docs/a.md", page), [])
        self.assertEqual(complaints("conclave/core/a.cpp", 'const char* x = "heir";\n'), [])
        self.assertEqual(complaints("conclave/core/a.hpp", "// \"quarantine\" of the table\n"), [])

    def test_papers_keep_their_words(self):
        self.assertEqual(complaints("conclave/election/a.hpp", "// the reign of a master\n"), [])


class Comments(unittest.TestCase):
    def test_none_opens_with_a_riddle(self):
        for word in "Who", "What", "So":
            found = complaints("conclave/core/a.hpp", f"int a;\n    // {word} asks is told.\n")
            self.assertEqual([line for line, _ in found], [2])

    def test_a_line_within_a_comment_may_begin_so(self):
        self.assertEqual(complaints("conclave/core/a.hpp", "// It is told.\n// So be it.\n"), [])
        self.assertEqual(complaints("conclave/core/a.hpp", "// Sometimes.\n"), [])


if __name__ == "__main__":
    unittest.main()
