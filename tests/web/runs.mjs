// The runs that must have the same bytes everywhere: every algorithm under twenty seeds, in calm
// and in trouble by turns, and storms over whole clusters.
const algorithms = [
  "afek-gafni",
  "archimedean",
  "bully",
  "chang-roberts",
  "consensus",
  "dolev-klawe-rodeh",
  "echo",
  "franklin",
  "garcia-molina",
  "hirschberg-sinclair",
  "invitation",
  "itai-rodeh",
  "le-lann",
  "multicast",
  "nemeth",
  "peterson",
  "raft",
  "repaired-chang-roberts",
  "ring-basic",
  "ring-collect",
  "stoller",
  "tempo",
  "time-slice",
  "yo-yo",
];
const trouble =
  "initiators=all delay=exp:1ms loss=0.05 duplicate=0.1 reorder=0.1 drift=200 wander=5 offset=1ms " +
  "detector=late:1ms..9ms,incomplete:0.2,inaccurate:3 crash=5@20ms recover=5@60ms pause=2@5ms..9ms " +
  "partition=1,2/3,4@30ms..50ms";

function words(text) {
  return text
    .split(" ")
    .map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]);
}

export const runs = [
  ...algorithms.flatMap((algorithm) =>
    Array.from({ length: 20 }, (_, i) =>
      words(
        `algorithm=${algorithm} nodes=5 ${i % 2 ? trouble : "initiators=all"} until=300ms seed=${i + 1}`,
      ),
    ),
  ),
  ...["bully", "invitation", "multicast", "nemeth", "tempo"].flatMap((algorithm) =>
    Array.from({ length: 5 }, (_, i) =>
      words(`algorithm=${algorithm} cluster=true nodes=3 storm=2s until=4s seed=${i + 1}`),
    ),
  ),
];

// The module that runs it: clusters, and algorithms beside those of the documents, have their own.
const others = "afek-gafni echo garcia-molina peterson raft stoller time-slice yo-yo".split(" ");
export function moduleOf(run) {
  const value = new Map(run);
  if (value.has("cluster")) return "cluster";
  return others.includes(value.get("algorithm")) ? "others" : "simulator";
}

export function request(verb, run) {
  return verb + "\n" + run.map(([name, value]) => `${name}=${value}\n`).join("");
}
export function command(run) {
  return run.flatMap(([name, value]) =>
    name === "algorithm" ? [value] : name === "cluster" ? ["--cluster"] : [`--${name}`, value],
  );
}
