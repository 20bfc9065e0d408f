"""Two masters, one of them a BSD timed, and slaves that lose their master. rivals.py TOOL"""

import scene
from scene import SCALE, Scene, main
from tsp_peer import Host

OURS = ("we", "bsd1", "bsd2", "bsd3")


class Rivals(Scene):
    def three(self, scale=SCALE):
        """Of ours, with right clocks; the master comes first."""
        daemons = [self.daemon(name=name, mode="auto", trust=OURS, scale=scale)
                   for name in ("we", "bsd2", "bsd3")]
        wanted = ["master", "slave", "slave"]
        self.wait_for(lambda: sorted(str(d.state()) for d in daemons) == wanted and
                      all(d.synchronised() for d in daemons), "they follow one of them", 30)
        return sorted(daemons, key=lambda daemon: daemon.state() != "master")

    def silent_master(self, **more):
        """A BSD timed that was a master before it could be heard."""
        bsd = self.peer("bsd1", **more)
        bsd.state = "master"
        return bsd

    def test_a_lone_bsd_master_does_not_depose_one_that_has_slaves(self):
        daemons = self.three()
        bsd = self.silent_master(offset=10.0)
        self.wait_for(lambda: bsd.state == "slave", "the BSD timed quits", 10)
        self.wait_for(lambda: bsd.corrections, "it is corrected", 10)
        self.assertAlmostEqual(bsd.offset, 0, delta=0.1)
        self.stage.run(2)
        self.assertEqual([d.state() for d in daemons], ["master", "slave", "slave"])
        for daemon in daemons:
            self.assertAlmostEqual(daemon.offset(), 0, delta=0.01)

    def test_a_bsd_master_that_insists_is_obeyed_in_the_end(self):
        """As one that believes nobody but itself: timed -F."""
        daemons = self.three(scale=120)
        bsd = self.silent_master(scale=120)
        bsd.master_quit = lambda packet, source: None
        bsd.timer = bsd.after(240, bsd.run_round)
        follow = lambda: {d.status()["master"] for d in daemons} == {"bsd1"}  # noqa: E731
        self.wait_for(follow, "all follow it", 30)

    def test_where_bsd_timed_has_the_majority_its_time_is_kept_whoever_is_master(self):
        """Two of ours are 10 s off. The hosts of BSD's kind are at the machine's time."""
        names = (*OURS, "evil")
        daemons = [self.daemon("--offset", "10s", name=name, mode="auto", trust=names)
                   for name in ("we", "bsd3")]
        self.wait_for(lambda: all(d.synchronised() for d in daemons), "they have a time", 30)
        bsd = self.silent_master()
        for name in ("bsd2", "evil"):
            slave = self.peer(name, "slave")
            bsd.hosts[name] = Host(slave.channel.address, fresh=False)
        self.wait_for(lambda: bsd.state == "slave", "the BSD timed quits", 10)
        for daemon in daemons:
            self.wait_for(lambda d=daemon: abs(d.offset()) < 0.05, f"{daemon.name} gives in", 20)
        for peer in self.peers:
            self.wait_for(lambda p=peer: p.corrections, f"{peer.name} is corrected", 20)
            self.assertLess(max(abs(change) for _, change in peer.corrections), 0.05)

    def test_a_master_that_is_alone_gives_way_to_a_bsd_master(self):
        we = self.daemon(trust=OURS)
        self.wait_state(we, "master")
        bsd = self.silent_master()
        bsd.say("LOOP", sequence=5, hops=10)
        self.wait_state(we, "slave", 5)
        self.assertEqual(we.status()["master"], "bsd1")
        self.assertEqual(self.heard(bsd, "QUIT"), [])
        self.wait_for(we.synchronised, "it has the time")

    def bothered(self, we, seconds=6):
        """How often a BSD master that is not believed says QUIT."""
        self.wait_state(we, "master")
        bsd = self.silent_master()
        self.stage.run(seconds)
        self.assertEqual(we.state(), "master")
        return len({s.packet.sequence for s in self.stage.log
                    if s.who == "bsd1" and s.way == "out" and s.packet.type == "QUIT"})

    def test_a_bystander_is_not_bothered_where_only_the_key_counts(self):
        we = self.daemon("--key", self.new_key(), mode="auto", trust=())
        self.assertEqual(self.bothered(we), 0)

    def test_a_bystander_is_bothered_no_more_than_once_a_bsd_round(self):
        we = self.daemon(mode="auto", trust=("bsd2",))
        self.assertLessEqual(self.bothered(we), 1)


class Orphans(Scene):
    """Slaves whose master was deposed by another, which does not call them."""

    def slave(self, scale):
        master = self.peer("bsd1", "master", scale=scale)
        self.stage.run(4 / scale)
        we = self.daemon(scale=scale)
        self.wait_heard(master, "ACK")
        self.wait_for(we.synchronised, "it is synchronised")
        self.assertEqual(we.status()["master"], "bsd1")
        return we, master

    def test_are_adjusted_by_the_other_master_within_ten_seconds_of_healing(self):
        """In BSD's own times. A round is due when the network is whole again: the other hears its
        LOOP, and answers with QUIT."""
        scene.LAN.move(["bsd2"], "br1")
        self.addCleanup(scene.LAN.move, ["bsd2"], "br0")
        other = self.peer("bsd2", "master", scale=1)
        we, master = self.slave(scale=1)
        self.assertEqual((master.state, other.state), ("master", "master"))
        self.assertEqual(self.heard(other, "SLAVEUP"), [])
        scene.LAN.move(["bsd2"], "br0")
        healed = self.stage.now()
        master.run_round()
        said = self.wait_heard(other, "ACK", 10, since=healed)[0]
        self.assertEqual(master.state, "slave")
        self.assertLess(said.when - healed, 10)
        self.wait_for(lambda: we.status()["master"] == "bsd2", "it follows the other", 1)

    def test_elect_a_master_where_nobody_answers(self):
        we, master = self.slave(scale=4)
        began = self.stage.now()
        master.master_quit(None, None)
        master.state = "puppet"
        self.wait_heard(master, "MASTERUP", 10 / 4 + 2, since=began)
        self.assertEqual(len(self.heard(master, "SLAVEUP", since=began)), 5)


if __name__ == "__main__":
    main()
