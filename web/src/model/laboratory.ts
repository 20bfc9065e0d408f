// Asks the modules in their workers. The simulator has one worker for what is on the screen and one
// for sweeps; those of clusters, clocks and the checker are started, and load, when somebody asks.

export interface Problem {
  problem: string;
}

export function isProblem(answer: unknown): answer is Problem {
  return typeof answer === "object" && answer !== null && "problem" in answer;
}

type Module = "simulator" | "cluster" | "clocks" | "checker";

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

// Whole clusters are simulated by a module of their own.
class Stage {
  private plain = new Bench("simulator");
  private cluster = new Bench("cluster");

  ask<Answer>(request: string): Promise<Answer | Problem> {
    return (isClustered(request) ? this.cluster : this.plain).ask(request);
  }
  list(clustered: boolean): Promise<Catalogue | Problem> {
    return (clustered ? this.cluster : this.plain).ask("list");
  }
  stop(sentence: string): void {
    this.plain.stop(sentence);
    this.cluster.stop(sentence);
  }
}

export const stage = new Stage();
export const sweeps = new Stage();
export const clocks = new Bench("clocks");
export const search = new Bench("checker");

export interface Algorithm {
  name: string;
  paper: string;
  network: string;
  links: string;
  messages: string;
  assumes: string;
  promises: { one_leader: boolean; best: boolean; informed: boolean };
  settings: Record<string, string>;
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
