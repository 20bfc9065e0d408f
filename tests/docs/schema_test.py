"""schema.py accepts what it learned from, and nothing else."""

import copy
import unittest

import schema

ANSWER = {"leader": "a", "token": "17", "alive": True, "lag_ns": 5, "members": [{"name": "a"}],
          "by_type": {"Election": 3}}


class Schema(unittest.TestCase):
    def setUp(self):
        self.schema = schema.learn([("x", ANSWER), ("x", {**ANSWER, "leader": None})])["$defs"]["x"]

    def problems(self, **changes):
        return list(schema.problems({**copy.deepcopy(ANSWER), **changes}, self.schema))

    def test_what_was_learned_fits(self):
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.problems(leader=None, by_type={"Answer": 1}), [])

    def test_another_type_is_found_with_its_place(self):
        self.assertEqual(self.problems(members=[{"name": 1}]), [
            ".members[].name: is integer, not string"])
        self.assertEqual(self.problems(alive=1), [".alive: is integer, not boolean"])

    def test_a_token_is_a_string_of_digits(self):
        self.assertIn("does not match", self.problems(token="seventeen")[0])

    def test_a_new_field_and_a_missing_one_are_found(self):
        self.assertEqual(self.problems(age=1), [".age: the schema does not know it"])
        del (answer := dict(ANSWER))["lag_ns"]
        self.assertEqual(list(schema.problems(answer, self.schema)), [".lag_ns: is missing"])

    def test_a_run_that_shows_less_takes_nothing_away(self):
        former = {"$defs": {"x": self.schema}}
        for seen in ({**ANSWER, "leader": None}, ANSWER):
            self.assertEqual(schema.learn([("x", seen)], former)["$defs"]["x"], self.schema)

    def test_digits_in_a_name_make_no_map_of_an_object(self):
        learned = schema.learn([("x", {"bound_p99_ns": 3}), ("x", {"bound_p99_ns": 4})])
        self.assertEqual(list(learned["$defs"]["x"]["properties"]), ["bound_p99_ns"])

    def test_a_keyword_that_it_cannot_check_is_refused(self):
        with self.assertRaises(ValueError):
            list(schema.problems(1, {"type": "integer", "minimum": 3}))


if __name__ == "__main__":
    unittest.main()
