// Asks the modules in their workers. The simulator has one worker for what is on the screen and one
// for sweeps; those of clusters, clocks, the checker and the algorithms beside those of the
// documents are started, and load, when somebody asks.

export interface Problem {
  problem: string;
}

export function isProblem(answer: unknown): answer is Problem {
  return typeof answer === "object" && answer !== null && "problem" in answer;
}

type Module = "simulator" | "others" | "cluster" | "clocks" | "checker";

class Bench {
  private worker: Worker | null = null;
  private waiting = new Map<number, (answer: unknown) => void>();
  private next = 1;

  constructor(private module: Module) {}

  ask<Answer>(request: string): Promise<Answer | Problem> {
    this.worker ??= this.start();
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve as (answer: unknown) => void);
      this.worker!.postMessage({ id, request });
    });
  }

  // Whatever it does, it stops; what it was asked is answered with this sentence.
  stop(sentence: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const resolve of this.waiting.values()) resolve({ problem: sentence });
    this.waiting.clear();
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      type: "module",
      name: this.module,
    });
    worker.onmessage = (event: MessageEvent<{ id: number; answer: string }>) => {
      const resolve = this.waiting.get(event.data.id);
      this.waiting.delete(event.data.id);
      resolve?.(JSON.parse(event.data.answer));
    };
    worker.onerror = () =>
      this.stop("The module cannot be loaded: look whether all files of the page are there.");
    return worker;
  }
}

export function isClustered(request: string): boolean {
  return /^cluster *= *"?(on|true)"?$/m.test(request);
}

// web/module/listed.hpp has the same list.
const others =
  /^algorithm *= *"?(afek-gafni|echo|garcia-molina|peterson|raft|stoller|time-slice|yo-yo)"?$/m;

// Whole clusters, and the other algorithms, are simulated by modules of their own.
class Stage {
  private plain = new Bench("simulator");
  private others = new Bench("others");
  private cluster = new Bench("cluster");

  ask<Answer>(request: string): Promise<Answer | Problem> {
    return this.benchOf(request).ask(request);
  }
  // Of the module that runs this request, which is loaded then.
  list(request: string): Promise<Catalogue | Problem> {
    return this.benchOf(request).ask("list");
  }
  stop(sentence: string): void {
    for (const bench of [this.plain, this.others, this.cluster]) bench.stop(sentence);
  }
  private benchOf(request: string): Bench {
    if (isClustered(request)) return this.cluster;
    return others.test(request) ? this.others : this.plain;
  }
}

export const stage = new Stage();
export const sweeps = new Stage();
export const clocks = new Bench("clocks");
export const search = new Bench("checker");

export interface Reading {
  setting: string;
  value: string; // the first of a setting is its default
  sentence: string; // of the document, that allows it
}

export interface Algorithm {
  name: string;
  paper: string;
  network: string;
  links: string;
  messages: string;
  assumes: string;
  promises: { one_leader: boolean; best: boolean; informed: boolean };
  settings: Record<string, string>;
  readings: Reading[];
  message_types: string[];
  timers: string[];
  rows: string[];
}

export interface WordRow {
  name: string;
  kind: string;
  form: string;
  example: string;
  purpose: string;
}

export interface Catalogue {
  version: string;
  algorithms: Algorithm[];
  words: WordRow[];
  kinds: string[];
  clusters: string[]; // algorithms that agents can run; known to the module of clusters alone
  rules: string[]; // of the lease
  faults: string[]; // of a machine in a cluster
}
