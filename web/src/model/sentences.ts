// What happens in a step, in words.
import { everyone, type Run } from "./run";

const reasons: Record<string, string> = {
  lost: "is lost on the way",
  "cut off": "does not get through: the network is cut",
  down: "reaches a node that is down",
};

// What a member of a cluster says and stores has many parts: a sentence names it without them.
const brief = (text: string) =>
  text.length <= 60 ? text : text.replace(/\(.*$/, text.startsWith("LeaseStored") ? "" : "(…)");

function opened(run: Run, i: number): string {
  const { node, other } = run.answer;
  const me = `node ${node[i]}`;
  switch (run.kind(i)) {
    case "start":
      return `${me} comes up`;
    case "recover":
      return `${me} comes up again with what it stored`;
    case "call":
      return `${me} calls an election`;
    case "timer":
      return `the timer ${run.text(i)} of ${me} expires`;
    case "suspect":
      return `${me} suspects ${other[i]}`;
    case "trust":
      return `${me} no longer suspects ${other[i]}`;
    case "arrive":
      return `${me} receives ${brief(run.text(i))} from ${other[i]}`;
    case "crash":
      return `${me} crashes`;
    case "pause":
      return `${me} stands still`;
    case "resume":
      return `${me} goes on`;
    case "network":
      return `the network changes: ${run.text(i)}`;
    case "violation":
      return `violated: ${run.text(i)}`;
    default:
      return followed(run, i);
  }
}

function followed(run: Run, i: number): string {
  const { node, other } = run.answer;
  switch (run.kind(i)) {
    case "state":
      return `becomes ${run.text(i)}`;
    case "store":
      return `stores ${brief(run.text(i))}`;
    case "report":
      return `reports: ${run.text(i)}`;
    case "follow":
      if (other[i] === 0) return "follows nobody";
      return other[i] === node[i] ? "leads" : `follows ${other[i]}`;
    case "send":
      return other[i] === everyone
        ? `broadcasts ${brief(run.text(i))}`
        : `sends ${brief(run.text(i))} to ${other[i]}`;
    case "lose":
      return `the message from ${other[i]} to ${node[i]} ${reasons[run.text(i)] ?? run.text(i)}`;
    default:
      return run.kind(i);
  }
}

export function describeStep(run: Run, step: number): string {
  const records = run.recordsOf(step);
  if (records.length === 0) return "Nothing has happened yet.";
  const parts: string[] = [];
  let actor = 0; // whose doings are told
  let copies = 0; // of a broadcast that is named already
  for (const i of records) {
    const kind = run.kind(i);
    if (kind === "send" && run.answer.other[i] === everyone) copies = run.answer.ring.length - 1;
    else if (kind === "send" && copies > 0) {
      --copies;
      continue;
    }
    const sentence = opened(run, i);
    const told = sentence !== followed(run, i) || kind === "lose"; // it names its node itself
    parts.push(
      told || run.answer.node[i] === actor ? sentence : `node ${run.answer.node[i]} ${sentence}`,
    );
    if (kind !== "lose") actor = run.answer.node[i];
  }
  const most = 9;
  const shown = parts.slice(0, most);
  if (parts.length > most) shown.push(`and ${parts.length - most} more`);
  const sentence = shown.join("; ");
  return sentence[0].toUpperCase() + sentence.slice(1) + ".";
}
