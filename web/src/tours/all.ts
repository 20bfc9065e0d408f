import archimedean from "./archimedean.json";
import cs425 from "./cs425.json";
import lecture9 from "./lecture9.json";
import nemeth from "./nemeth.json";
import tempo from "./tempo.json";
import type { Link } from "../model/link";
import { wordsOf, type Step, type Tour } from "./tour";

export const tours = [tempo, nemeth, lecture9, cs425, archimedean] as Tour[];

// "tempo.3" -> the tour and its third step
export function findStep(name: string | null): { tour: Tour; step: Step; place: number } | null {
  const cut = name?.match(/^(\w+)\.(\d+)$/);
  const tour = tours.find((each) => each.id === cut?.[1]);
  const place = Number(cut?.[2]) - 1;
  const step = tour?.steps[place];
  return tour && step ? { tour, step, place } : null;
}

// A link may name a step of a tour and nothing else: "#tour=tempo.3".
export function completeLink(link: Link, step: Step): void {
  if (link.words.length > 0) return;
  link.words = wordsOf(step);
  link.tab ??= step.look ?? null;
}
