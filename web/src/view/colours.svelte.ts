// The colours in the browser's present theme, as a value that follows it.
import { theme, type Theme } from "./colours";

export { leaderColour } from "./colours";

export function watchTheme(): Theme {
  const colours = $state(theme());
  $effect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const change = () => Object.assign(colours, theme());
    dark.addEventListener("change", change);
    return () => dark.removeEventListener("change", change);
  });
  return colours;
}
