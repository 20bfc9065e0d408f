// The address bar is the state: the words of a scenario or recording, how far it is played, what is
// open on the page, and where in a guided tour one is.

export type Word = [name: string, value: string];

export interface Link {
  words: Word[];
  view: string | null; // what shows the run; null: what is usual for it
  tab: string | null; // what is open below it; null: the first
  node: number | null; // the one that is chosen
  at: number | null; // steps that have happened; null: all of them
  tour: string | null; // "tempo.3": the third step of a tour
}

export const views = ["clocks", "messages"];

export function linkOf(words: Word[], view: string | null = null): Link {
  return { words, view, tab: null, node: null, at: null, tour: null };
}

export const longestLink = 200_000;

const own = new Set(["view", "tab", "node", "at", "tour"]); // keys of the page, not of the scenario

function readable(text: string): string {
  return encodeURIComponent(text)
    .replace(/%40/g, "@")
    .replace(/%3A/g, ":")
    .replace(/%2C/g, ",")
    .replace(/%2F/g, "/")
    .replace(/%20/g, "+");
}

export function formatLink(link: Link): string {
  const parts = link.words.map(([name, value]) => `${readable(name)}=${readable(value)}`);
  if (link.view !== null) parts.push(`view=${link.view}`);
  if (link.tab !== null) parts.push(`tab=${link.tab}`);
  if (link.node !== null) parts.push(`node=${link.node}`);
  if (link.at !== null) parts.push(`at=${link.at}`);
  if (link.tour !== null) parts.push(`tour=${readable(link.tour)}`);
  return "#" + parts.join("&");
}

// A key of the page; a problem is one sentence.
function readOwn(link: Link, name: string, value: string): string {
  if (link[name as "view" | "tab" | "node" | "at" | "tour"] !== null)
    return `${name} is said twice in this link: leave out one.`;
  if (name === "at") {
    if (!/^\d{1,9}$/.test(value)) return `at cannot be “${value}”: give a number of steps.`;
    link.at = Number(value);
  } else if (name === "node") {
    if (!/^[1-9]\d{0,3}$/.test(value)) return `node cannot be “${value}”: give its number.`;
    link.node = Number(value);
  } else if (name === "view") {
    if (!views.includes(value))
      return `view cannot be “${value}”: choose from ${views.join(", ")}, or leave it out.`;
    link.view = value;
  } else if (name === "tab") {
    if (!/^[A-Z][a-z]{1,19}$/.test(value))
      return `tab cannot be “${value.slice(0, 40)}”: give the name of one, such as Share.`;
    link.tab = value;
  } else link.tour = value;
  return "";
}

// A problem is one sentence.
export function parseLink(hash: string): Link | { problem: string } {
  const link = linkOf([]);
  if (hash.length > longestLink)
    return { problem: `This link is ${hash.length} letters long: give at most ${longestLink}.` };
  for (const part of hash.replace(/^#/, "").split("&")) {
    if (part === "") continue;
    const cut = part.indexOf("=");
    const damaged = `This link is damaged at “${part.slice(0, 40)}”: copy it once more.`;
    let name: string, value: string;
    try {
      name = decodeURIComponent(part.slice(0, Math.max(cut, 0)).replace(/\+/g, " "));
      value = decodeURIComponent(part.slice(cut + 1).replace(/\+/g, " "));
    } catch {
      return { problem: damaged };
    }
    if (cut < 1) return { problem: damaged };
    if (/[\n\r]/.test(name + value))
      return { problem: "This link has a line break inside: copy it once more." };
    const problem = own.has(name) ? readOwn(link, name, value) : "";
    if (problem !== "") return { problem };
    if (!own.has(name)) link.words.push([name, value]);
  }
  return link;
}

export function valueOf(words: readonly Word[], name: string): string | null {
  return words.find(([each]) => each === name)?.[1] ?? null;
}

export function withWord(words: readonly Word[], name: string, value: string | null): Word[] {
  const others = words.filter(([each]) => each !== name);
  if (value === null || value === "") return others;
  const place = words.findIndex(([each]) => each === name);
  const before = words.slice(0, place < 0 ? words.length : place).filter(([each]) => each !== name);
  return [...before, [name, value], ...others.slice(before.length)];
}

export function addWord(words: readonly Word[], name: string, value: string): Word[] {
  return [...words, [name, value]];
}

export function toRequest(verb: string, words: readonly Word[]): string {
  return (
    verb +
    "\n" +
    words
      .filter(([name]) => !own.has(name))
      .map(([n, v]) => `${n}=${v}\n`)
      .join("")
  );
}
