"""The Python module, with the library that it finds by itself."""

import ctypes
import os
import select
import tempfile
import threading
import time
import unittest

import conclave


class Module(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.settings = {
            "group": f"module{os.getpid()}",
            "state": kept.name,
            "detect": "300ms",
        }

    def elector(self, name, members, **more):
        made = conclave.Elector(name=name, members=members, **self.settings, **more)
        self.addCleanup(made.close)
        return made

    def wait_for(self, condition):
        end = time.monotonic() + 30
        while not condition() and time.monotonic() < end:
            time.sleep(0.005)
        self.assertTrue(condition())

    def test_what_is_wrong_is_said_in_a_sentence(self):
        with self.assertRaisesRegex(conclave.Refusal, "--expect and --members are both missing"):
            conclave.Elector(**self.settings)
        with self.assertRaisesRegex(conclave.Refusal, "there is no option 'no-such'"):
            conclave.Elector(no_such=1, **self.settings)
        with self.assertRaisesRegex(conclave.Refusal, "zero character"):
            conclave.Elector(name="a\0", **self.settings)
        alone = self.elector("a", "a")
        with self.assertRaisesRegex(conclave.Refusal, "at most 256 bytes, not 257"):
            alone.publish("x" * 257)
        alone.close()
        alone.close()
        with self.assertRaisesRegex(conclave.Refusal, "closed"):
            alone.leadership()

    def test_changes_the_members_and_the_times_of_its_group(self):
        a = self.elector("a", "a")
        self.assertTrue(a.campaign(timeout=30).leads)
        b = conclave.Elector(name="b", join=True, **self.settings)
        self.addCleanup(b.close)
        a.add_member("b")
        b.set_times(detect=1.0)
        self.wait_for(lambda: a.leadership().remaining > 0.5 or b.leadership().remaining > 0.5)
        with self.assertRaisesRegex(conclave.Refusal, "'x' is no member: a, b"):
            a.replace_member("x", "c")
        with self.assertRaisesRegex(conclave.Refusal, "needs no force|no leader"):
            a.force_members(["a"], "b is lost for good")
        a.remove_member("b")
        self.assertEqual([each.name for each in a.participants()], ["a"])

    def test_leads_follows_publishes_and_hands_over(self):
        told, lines = [], []
        a = self.elector("a", "a,b", on_change=told.append,
                         log=lambda level, line: lines.append((level, line)))
        b = self.elector("b", "a,b", publish="grün")
        self.assertFalse(a.campaign(timeout=0).leads and b.campaign(timeout=0).leads)

        def let(leader, other, name):
            if other.leadership().leads:
                try:
                    other.resign(name)
                except conclave.Refusal:
                    pass  # it does not lead any more
            return leader.leadership().leads

        self.wait_for(lambda: let(b, a, "b"))
        own = b.leadership()
        self.assertTrue(0 < own.remaining <= 0.3)
        self.wait_for(lambda: a.leadership().value == "grün")
        seen = a.leadership()
        self.assertEqual((seen.leader, seen.token, seen.leads), ("b", own.token, False))
        self.assertEqual(seen.remaining, 0)
        self.assertRegex(seen.address, r"^127\.0\.0\.1:\d+$")
        self.assertEqual([p.name for p in a.participants()], ["a", "b"])
        self.assertTrue(a.participants()[0].is_self)
        a.pause()
        self.wait_for(lambda: b.participants()[0].paused)
        a.resume()
        self.wait_for(lambda: not b.participants()[0].paused)
        self.wait_for(lambda: let(a, b, "a"))
        self.assertGreater(a.leadership().token, own.token)
        self.assertIn(conclave.LogLevel.INFO, {level for level, _ in lines})
        self.wait_for(lambda: any(now.leads for now in told))
        a.check()

    def test_campaign_ends_when_it_is_told_to(self):
        one = self.elector("a", "a,b,c")
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        self.assertFalse(one.campaign(stop=stop).leads)
        began = time.monotonic()
        self.assertFalse(one.campaign(timeout=0.15).leads)
        self.assertGreaterEqual(time.monotonic() - began, 0.15)

    def test_structs_have_the_layout_of_the_header(self):
        sizes = {"_Leadership": 448, "_Participant": 176, "_Options": 48, "_Setting": 16}
        for name, size in sizes.items():
            self.assertEqual(ctypes.sizeof(getattr(conclave, name)), size, name)

    def test_news_can_be_selected(self):
        one = self.elector("a", "a")
        self.assertEqual(select.select([one], [], [], 30)[0], [one])
        self.wait_for(lambda: one.take_news().leads)

    def test_a_context_hands_over_at_its_end(self):
        with conclave.Elector(name="a", members="a", **self.settings) as one:
            self.assertTrue(one.campaign(timeout=30).leads)
        with self.assertRaises(conclave.Refusal):
            one.check()

    def test_after_fork_the_lease_stays_with_the_parent(self):
        one = self.elector("a", "a")
        self.assertTrue(one.campaign(timeout=30).leads)
        child = os.fork()
        if child == 0:
            leads = one.leadership().leads
            one.close()
            os._exit(1 if leads else 0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(one.leadership().leads)


if __name__ == "__main__":
    unittest.main()
