"""A comparison that agrees with anything would show nothing: each way to disagree is seen."""

import unittest

import check
import reading
from reading import About, Row

PRINTED = {"id": "Z1", "measured": "3N-1 in 7 of 7 runs"}


def read(row, tool):
    formula, = reading.find(r"^(\S+) in", row["measured"])
    return {"N = 4": reading.evaluate(formula, N=4), "always": reading.all_of(row["measured"])}


def derive(wrong):
    return {"N = 4": 12 if wrong == "one_more" else 11, "always": True}


class Judging(unittest.TestCase):
    def judge(self, row, printed=PRINTED, planted=None):
        good, lines = check.judge(row, printed, None, planted)
        return good, "\n".join(lines)

    def test_a_row_that_agrees_and_whose_broken_rule_does_not_is_good(self):
        good, text = self.judge(Row("Z1", read, derive, ["one_more"]))
        self.assertTrue(good, text)

    def test_another_number_of_the_tool_is_seen(self):
        for measured in ("3N in 7 of 7 runs", "3N-1 in 6 of 7 runs", "3N-1 in 0 of 0 runs"):
            good, text = self.judge(Row("Z1", read, derive, []), {"measured": measured})
            self.assertFalse(good)
            self.assertIn("Z1 disagrees", text)

    def test_a_sentence_that_has_changed_is_seen(self):
        good, text = self.judge(Row("Z1", read, derive, []), {"measured": "all well"})
        self.assertFalse(good)
        self.assertIn("no ", text)

    def test_a_broken_rule_that_changes_nothing_is_seen(self):
        good, text = self.judge(Row("Z1", read, derive, ["harmless"]))
        self.assertFalse(good)
        self.assertIn("agrees with the broken rule harmless", text)

    def test_a_planted_rule_makes_the_row_disagree(self):
        good, text = self.judge(Row("Z1", read, derive, ["one_more"]), planted="one_more")
        self.assertFalse(good)
        self.assertIn("the tool has 11, this program 12", text)

    def test_a_value_that_only_one_side_has_is_seen(self):
        self.assertEqual(len(list(reading.differences({"a": 1}, {"a": 1, "b": 2}))), 1)


class Reading(unittest.TestCase):
    def test_formulas_are_read_as_printed(self):
        for formula, value in (("3N-1", 14), ("N(N+1)/2+N", 20), ("2kN", 30), ("4*N-2", 18),
                               ("c(2N-1)", 18), ("2N+d", 14), ("2k + 1", 7), ("N*N", 25)):
            self.assertEqual(reading.evaluate(formula, N=5, k=3, c=2, d=4), value, formula)

    def test_intervals_agree_if_they_touch(self):
        self.assertTrue(reading.agree(About(1.0, 0.2), About(1.3, 0.1)))
        self.assertFalse(reading.agree(About(1.0, 0.1), About(1.3, 0.1)))
        self.assertFalse(reading.agree(About(1.0, 0.1), 2))


if __name__ == "__main__":
    unittest.main()
