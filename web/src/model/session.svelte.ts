// What is on the screen: the link, the run that it describes, and how far it is played.
import {
  addWord,
  formatLink,
  parseLink,
  toRequest,
  valueOf,
  withWord,
  type Link,
  type Word,
} from "./link";
import { isProblem, stage, type Catalogue } from "./laboratory";
import { leadersOf, Run, spellTime, type Flight, type RunAnswer } from "./run";

const patience = 20_000; // ms that a run may take before it is given up
const firstWords: Word[] = [
  ["algorithm", "chang-roberts"],
  ["nodes", "5"],
  ["initiators", "all"],
  ["order", "descending"],
];

// How an algorithm is first shown: the situation that its paper is about, for as long as it takes.
export const firstScenes: Record<string, Word[]> = {
  archimedean: [["initiators", "all"]],
  bully: [
    ["crash", "5@0s"],
    ["initiators", "1"],
  ],
  "chang-roberts": [
    ["initiators", "all"],
    ["order", "descending"],
  ],
  consensus: [
    ["crash", "5@0s"],
    ["initiators", "1"],
  ],
  "dolev-klawe-rodeh": [["initiators", "all"]],
  franklin: [["initiators", "all"]],
  "hirschberg-sinclair": [["initiators", "all"]],
  invitation: [["until", "120ms"]],
  "itai-rodeh": [["initiators", "all"]],
  "le-lann": [["initiators", "all"]],
  multicast: [["initiators", "all"]],
  nemeth: [["until", "30ms"]],
  "repaired-chang-roberts": [
    ["detector", "perfect"],
    ["crash", "5@2ms"],
  ],
  tempo: [["until", "1s"]],
};

class Session {
  catalogue = $state.raw<Catalogue | null>(null);
  link = $state.raw<Link>({ words: firstWords, at: null, tour: null });
  run = $state.raw<Run | null>(null);
  step = $state(0); // so many steps of the run have happened
  between = $state(0); // 0 .. 1: how far on the way to the next step, while playing
  playing = $state(false);
  speed = $state(1);
  problem = $state("");
  busy = $state(false);
  selectedNode = $state<number | null>(null);
  selectedFlight = $state.raw<Flight | null>(null);
  private past: Link[] = [];
  private future: Link[] = [];
  undoable = $state(0);
  redoable = $state(0);
  private asked = 0;

  now = $derived.by(() => {
    if (this.run === null) return 0;
    const time = this.run.timeAfter(this.step);
    const next =
      this.step < this.run.steps.length ? this.run.answer.time[this.run.steps[this.step]] : time;
    return time + (next - time) * this.between;
  });
  views = $derived.by(() => this.run?.viewsAfter(this.step) ?? []);
  leaders = $derived(leadersOf(this.views));
  algorithm = $derived(
    this.catalogue?.algorithms.find(
      (each) => each.name === valueOf(this.link.words, "algorithm"),
    ) ?? null,
  );

  word(name: string): string | null {
    return valueOf(this.link.words, name);
  }

  async open(hash: string): Promise<void> {
    if (this.catalogue === null) {
      const list = await stage.ask<Catalogue>("list");
      if (isProblem(list)) this.problem = list.problem;
      else this.catalogue = list;
    }
    const parsed = parseLink(hash);
    if ("problem" in parsed) this.problem = parsed.problem;
    const usable = !("problem" in parsed) && parsed.words.length > 0;
    const shown = usable && (await this.show(parsed));
    if (shown || this.run !== null) return;
    const sentence = this.problem; // of the link; the page goes on with another run
    await this.show({ words: firstWords, at: null, tour: null });
    this.problem = sentence;
  }

  // Runs what the link says. What cannot be run is said in a sentence, and the old run stays.
  async show(link: Link): Promise<boolean> {
    const mine = ++this.asked;
    this.busy = true;
    const timer = setTimeout(
      () =>
        stage.stop(
          "This run takes too long for a page: give fewer nodes, or an earlier end with until.",
        ),
      patience,
    );
    const answer = await stage.ask<RunAnswer>(toRequest("run", link.words));
    clearTimeout(timer);
    if (mine !== this.asked) return false; // somebody has asked for another one meanwhile
    this.busy = false;
    if (isProblem(answer)) {
      this.problem = answer.problem;
      return false;
    }
    this.problem = "";
    this.run = new Run(answer, this.catalogue!.kinds);
    this.link = link;
    this.selectedFlight = null;
    this.between = 0;
    this.step = link.at === null ? this.run.steps.length : Math.min(link.at, this.run.steps.length);
    this.tell();
    return true;
  }

  // An edit by a person, which can be undone. The same moment stays in view.
  async edit(words: Word[], keepTime = true): Promise<boolean> {
    const before: Link = { ...this.link, at: this.step };
    const time = this.now;
    this.playing = false;
    if (!(await this.show({ words, at: null, tour: this.link.tour }))) return false;
    this.past.push(before);
    this.future = [];
    this.countPast();
    if (keepTime && this.run !== null) this.goTo(this.run.stepAt(time));
    return true;
  }
  set(name: string, value: string | null): Promise<boolean> {
    return this.edit(withWord(this.link.words, name, value), false);
  }
  add(name: string, value: string): Promise<boolean> {
    return this.edit(addWord(this.link.words, name, value));
  }
  choose(algorithm: string): Promise<boolean> {
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
    if (this.run === null) return;
    this.step = Math.max(0, Math.min(step, this.run.steps.length));
    this.between = 0;
    this.tell();
  }
  // The address bar follows, without a new entry in the browser's history; once things are at rest,
  // because browsers ignore a page that changes its address too often.
  private telling: ReturnType<typeof setTimeout> | undefined;
  tell(): void {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const hash = formatLink({ ...this.link, at: this.step });
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
    const longer = spellTime(flight.ended - flight.sent + 5e6);
    const line =
      what === "delay"
        ? `delay ${name} = ${longer}`
        : what === "duplicate"
          ? `duplicate ${name} = 1ms`
          : `${what} ${name}`;
    return this.edit(
      what === "deliver" && key === "decisions" ? others : addWord(others, key, line),
    );
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
