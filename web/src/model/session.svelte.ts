// What is on the screen: the link, the run that it describes, and how far it is played.
import {
  addWord,
  formatLink,
  linkOf,
  parseLink,
  toRequest,
  valueOf,
  withWord,
  type Link,
  type Word,
} from "./link";
import { ClockRun, type ClockAnswer } from "./clockrun";
import {
  clocks,
  isClustered,
  isProblem,
  stage,
  type Catalogue,
  type Problem,
  type WordRow,
} from "./laboratory";
import { Machines } from "./machines";
import { leadersOf, Run, spellTime, type Flight, type RunAnswer, type Timeline } from "./run";
import { firstScenes, firstWords, rooms } from "./scenes";
import { completeLink, findStep } from "../tours/all";
import { stepOf } from "../tours/facts";

const patience = 20_000; // ms that a run may take before it is given up
const tooLong =
  "This run takes too long for a page: give fewer nodes, or an earlier end with until.";

class Session {
  catalogue = $state.raw<Catalogue | null>(null);
  link = $state.raw<Link>(linkOf(firstWords));
  run = $state.raw<Run | null>(null); // of an election or a cluster
  clocks = $state.raw<ClockRun | null>(null); // of time daemons: one of the two is null
  clockWords = $state.raw<WordRow[]>([]);
  step = $state(0); // so many steps of the run have happened
  between = $state(0); // 0 .. 1: how far on the way to the next step, while playing
  playing = $state(false);
  speed = $state(1);
  problem = $state("");
  busy = $state(false);
  focus = $state<number | null>(null); // ns: pictures of a long run come near this moment
  private chosen = $state<number | null>(null);
  selectedFlight = $state.raw<Flight | null>(null);
  private past: Link[] = [];
  private future: Link[] = [];
  undoable = $state(0);
  redoable = $state(0);
  private asked = 0;

  timeline = $derived<Timeline | null>(this.run ?? this.clocks);
  length = $derived(this.timeline?.length ?? 0);
  now = $derived.by(() => {
    if (this.timeline === null) return 0;
    const time = this.timeline.timeAfter(this.step);
    return time + (this.timeline.nextTime(this.step) - time) * this.between;
  });
  clustered = $derived(/^(on|true)$/.test(valueOf(this.link.words, "cluster") ?? ""));
  room = $derived(this.clocks !== null ? "Clocks" : this.clustered ? "Lease" : "Elections");
  machines = $derived(this.run !== null && this.clustered ? new Machines(this.run) : null);
  views = $derived.by(() => this.run?.viewsAfter(this.step) ?? []);
  leaders = $derived(leadersOf(this.views));
  algorithm = $derived(
    this.catalogue?.algorithms.find(
      (each) => each.name === valueOf(this.link.words, "algorithm"),
    ) ?? null,
  );

  get selectedNode(): number | null {
    return this.chosen;
  }
  set selectedNode(node: number | null) {
    this.chosen = node;
    this.tell();
  }
  // What is on the screen now.
  present(): Link {
    return { ...this.link, node: this.chosen, at: this.step };
  }

  word(name: string): string | null {
    return valueOf(this.link.words, name);
  }

  async open(hash: string): Promise<void> {
    const parsed = parseLink(hash);
    if ("problem" in parsed) this.problem = parsed.problem;
    const step = "problem" in parsed ? undefined : findStep(parsed.tour)?.step;
    if (!("problem" in parsed) && step !== undefined) completeLink(parsed, step);
    const usable = !("problem" in parsed) && (parsed.words.length > 0 || parsed.view !== null);
    const shown = usable && (await this.show(parsed));
    if (shown && parsed.at === null && step !== undefined && this.run !== null)
      this.goTo(stepOf(this.run, step));
    if (shown || this.timeline !== null) return;
    const sentence = this.problem; // of the link; the page goes on with another run
    if (await this.show(linkOf(firstWords))) this.problem = sentence;
  }

  // Runs what the link says. What cannot be run is said in a sentence, and the old run stays.
  async show(link: Link): Promise<boolean> {
    const mine = ++this.asked;
    this.busy = true;
    const timer = setTimeout(() => {
      stage.stop(tooLong);
      clocks.stop(tooLong);
    }, patience);
    const done = await (link.view === "clocks" ? this.runClocks(link) : this.runNodes(link));
    clearTimeout(timer);
    if (mine !== this.asked) return false; // somebody has asked for another one meanwhile
    this.busy = false;
    if (isProblem(done)) {
      this.problem = done.problem;
      return false;
    }
    this.problem = "";
    this.run = done instanceof Run ? done : null;
    this.clocks = done instanceof ClockRun ? done : null;
    this.link = { ...link, node: null }; // it is in `chosen` from now on
    this.selectedFlight = null;
    this.focus = null;
    if (link.node !== null) this.chosen = link.node;
    if ((this.chosen ?? 0) > this.nodes()) this.chosen = null;
    this.between = 0;
    this.step = link.at === null ? done.length : Math.min(link.at, done.length);
    this.tell();
    return true;
  }
  private async runNodes(link: Link): Promise<Run | Problem> {
    const request = toRequest("run", link.words);
    const answer = await stage.ask<RunAnswer>(request);
    if (isProblem(answer)) return answer;
    // Any module that runs nodes lists all there is; that of clusters knows who can be in one.
    const clustered = isClustered(request);
    let list = this.catalogue;
    if (list === null || (clustered && list.clusters.length === 0)) {
      const told = await stage.list(request);
      if (isProblem(told)) return told;
      this.catalogue = list = told;
    }
    return new Run(answer, list.kinds);
  }
  private async runClocks(link: Link): Promise<ClockRun | Problem> {
    const answer = await clocks.ask<ClockAnswer>(toRequest("clocks", link.words));
    if (isProblem(answer)) return answer;
    if (this.clockWords.length === 0) {
      const list = await clocks.ask<{ words: WordRow[] }>("words");
      if (!isProblem(list)) this.clockWords = list.words;
    }
    return new ClockRun(answer);
  }
  nodes(): number {
    return this.clocks?.nodes ?? this.run?.answer.ring.length ?? 0;
  }

  // An edit by a person, which can be undone. The same moment stays in view.
  edit(words: Word[], keepTime = true): Promise<boolean> {
    return this.change({ ...this.link, words, at: null }, keepTime);
  }
  private async change(link: Link, keepTime: boolean): Promise<boolean> {
    const before: Link = { ...this.link, at: this.step };
    const time = this.now;
    this.playing = false;
    if (!(await this.show(link))) return false;
    this.past.push(before);
    this.future = [];
    this.countPast();
    if (keepTime && this.timeline !== null) this.goTo(this.timeline.stepAt(time));
    return true;
  }
  enter(room: string): Promise<boolean> {
    this.selectedNode = null;
    return this.change(rooms.find(([name]) => name === room)![1](), false);
  }
  // What is shown, and what is open below it: no edit, but part of the link.
  look(how: { view?: string | null; tab?: string | null }): void {
    this.link = { ...this.link, ...how };
    this.tell();
  }
  set(name: string, value: string | null): Promise<boolean> {
    return this.edit(withWord(this.link.words, name, value), false);
  }
  add(name: string, value: string): Promise<boolean> {
    return this.edit(addWord(this.link.words, name, value));
  }
  choose(algorithm: string): Promise<boolean> {
    if (this.clustered) return this.edit(withWord(this.link.words, "algorithm", algorithm), false);
    const scene = firstScenes[algorithm] ?? [];
    return this.edit([["algorithm", algorithm], ["nodes", "5"], ...scene], false);
  }

  async undo(): Promise<void> {
    const link = this.past.pop();
    if (link === undefined) return;
    this.future.push({ ...this.link, at: this.step });
    await this.show(link);
    this.countPast();
  }
  async redo(): Promise<void> {
    const link = this.future.pop();
    if (link === undefined) return;
    this.past.push({ ...this.link, at: this.step });
    await this.show(link);
    this.countPast();
  }
  private countPast(): void {
    this.undoable = this.past.length;
    this.redoable = this.future.length;
  }

  goTo(step: number): void {
    this.step = Math.max(0, Math.min(step, this.length));
    this.between = 0;
    this.tell();
  }
  comeNear(time: number): void {
    this.focus = time;
    this.goTo(this.timeline?.stepAt(time) ?? 0);
  }
  // The address bar follows, without a new entry in the browser's history; once things are at rest,
  // because browsers ignore a page that changes its address too often.
  private telling: ReturnType<typeof setTimeout> | undefined;
  tell(): void {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const hash = formatLink(this.present());
      if (hash !== location.hash) history.replaceState(null, "", hash);
    }, 120);
  }

  // ------------------------------------------------------------ breaking it

  // A decision about a message, by the name that it has in recordings.
  async decide(what: "lose" | "deliver" | "delay" | "duplicate", flight: Flight): Promise<boolean> {
    const name = `${flight.from}>${flight.to} #${flight.count}`;
    const key = this.word("recording") === null ? "override" : "decisions";
    const others = this.link.words.filter(
      ([word, value]) =>
        !(word === key && new RegExp(`^(lose|deliver|${what}) ${name}( |$)`).test(value)),
    );
    const took = this.flightTime(flight);
    const line =
      what === "delay"
        ? `delay ${name} = ${spellTime(took + this.delayBy(flight))}`
        : what === "duplicate"
          ? `duplicate ${name} = ${spellTime(took)}`
          : `${what} ${name}`;
    return this.edit(
      what === "deliver" && key === "decisions" ? others : addWord(others, key, line),
    );
  }
  // How long it is under way; where it takes no time or never ends: a millisecond, the usual delay.
  private flightTime(flight: Flight): number {
    const took = flight.arrives ? flight.ended - flight.sent : 0;
    return took > 0 ? took : 1e6;
  }
  // Enough to be overtaken by several others, whatever the scale of time: 1, 2 or 5 of some unit.
  delayBy(flight: Flight): number {
    const wanted = 5 * this.flightTime(flight);
    const unit = 10 ** Math.floor(Math.log10(wanted));
    return unit * (wanted < 2 * unit ? 1 : wanted < 5 * unit ? 2 : 5);
  }
  at(): string {
    return spellTime(this.now);
  }
  cut(parts: number[][]): Promise<boolean> {
    return this.add("partition", parts.map((part) => part.join(",")).join("/") + `@${this.at()}..`);
  }
  // Partitions that have no end, end now.
  heal(): Promise<boolean> {
    const open = /^(.*@)(.*)\.\.$/;
    return this.edit(
      this.link.words.map(([name, value]): Word =>
        name === "partition" && open.test(value) ? [name, value + this.at()] : [name, value],
      ),
    );
  }
}

export const session = new Session();
