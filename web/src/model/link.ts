// The address bar is the state: the words of a scenario or recording, how far it is played, and
// where in a guided tour one is.

export type Word = [name: string, value: string];

export interface Link {
  words: Word[];
  at: number | null; // steps that have happened; null: all of them
  tour: string | null; // "tempo.3": the third step of a tour
}

export const longestLink = 200_000;

const own = new Set(["at", "tour"]); // keys of the page, not of the scenario

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
  if (link.at !== null) parts.push(`at=${link.at}`);
  if (link.tour !== null) parts.push(`tour=${readable(link.tour)}`);
  return "#" + parts.join("&");
}

// A problem is one sentence.
export function parseLink(hash: string): Link | { problem: string } {
  const link: Link = { words: [], at: null, tour: null };
  if (hash.length > longestLink)
    return { problem: `This link is ${hash.length} letters long: give at most ${longestLink}.` };
  for (const part of hash.replace(/^#/, "").split("&")) {
    if (part === "") continue;
    const cut = part.indexOf("=");
    let name: string, value: string;
    try {
      name = decodeURIComponent(part.slice(0, Math.max(cut, 0)).replace(/\+/g, " "));
      value = decodeURIComponent(part.slice(cut + 1).replace(/\+/g, " "));
    } catch {
      return { problem: `This link is damaged at “${part.slice(0, 40)}”: copy it once more.` };
    }
    if (cut < 1)
      return { problem: `This link is damaged at “${part.slice(0, 40)}”: copy it once more.` };
    if (name === "at") {
      if (!/^\d{1,9}$/.test(value))
        return { problem: `at cannot be “${value}”: give a number of steps.` };
      link.at = Number(value);
    } else if (name === "tour") link.tour = value;
    else if (/[\n\r]/.test(name + value))
      return { problem: "This link has a line break inside: copy it once more." };
    else link.words.push([name, value]);
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
