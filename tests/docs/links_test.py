"""links.py finds what is wrong, and nothing else."""

import pathlib
import tempfile
import unittest

import links
import md_text

GOOD = {
    "README.md": "# A\n\n[map](docs/README.md) [same](#a)\n",
    "docs/README.md":
        "# Map\n\n- [page](page.md), [folder](room/README.md), [home](../README.md#a)\n",
    "docs/page.md":
        "# Page\n\n## Two words: `here`\n\n[up](README.md) [out](https://nowhere.example)\n",
    "docs/room/README.md": "# Room\n\n[inside](inside.md)\n",
    "docs/room/inside.md": "# Inside\n\n[there](../page.md#two-words-here)\n",
}


class Links(unittest.TestCase):
    def complaints(self, **changes):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            changed = {name.replace("__", "/"): text for name, text in changes.items()}
            for name, text in {**GOOD, **changed}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            names = links.pages(root)
            found = [c for name in names for c in links.check_links(root, name)]
            return found + list(links.check_map(root, names))

    def test_a_sound_tree_has_none(self):
        self.assertEqual(self.complaints(), [])

    def test_a_missing_page_is_found_with_its_line(self):
        page = "# Page\n\n[x](gone.md)\n## Two words: `here`\n"
        found = self.complaints(**{"docs__page.md": page})
        self.assertEqual(found, ["docs/page.md:3: gone.md is not there"])

    def test_a_missing_anchor_is_found(self):
        found = self.complaints(**{"docs__room__inside.md": "# I\n\n[x](../page.md#two-words)\n"})
        self.assertEqual(len(found), 1)
        self.assertIn("../page.md#two-words: no heading has this anchor", found[0])

    def test_a_page_without_a_place_in_the_map_is_found(self):
        found = self.complaints(**{"docs__lost.md": "# Lost\n"})
        self.assertEqual(len(found), 1)
        self.assertIn("docs/lost.md: has no place in the map", found[0])

    def test_code_holds_no_links(self):
        page = "# Page\n\n## Two words: `here`\n\n`[a](b.md)`\n\n```\n[c](d.md)\n```\n"
        self.assertEqual(self.complaints(**{"docs__page.md": page}), [])

    def test_anchors_are_those_of_forges(self):
        self.assertEqual(md_text.anchors("# A – `b`\n"), {"a--b"})
        self.assertEqual(md_text.anchors("# Németh: why\n"), {"németh-why"})


if __name__ == "__main__":
    unittest.main()
