/** The title of the page's tab, and of its entry in the browser's history. */
import { effect } from "@preact/signals";
import { readableLine } from "./parts/visible-text.js";
import { place } from "./route.js";

/** The pages by their first part of the path, in the order of the navigation. */
export const pages = [
  { path: "overview", title: "Overview" },
  { path: "episodes", title: "Episodes" },
  { path: "environments", title: "Environments" },
  { path: "runs", title: "Runs" },
  { path: "judge", title: "Judge" },
] as const;

const compared = { path: "compare", title: "Compare" };

/** Keeps the title that of the present place, such as `textcraft@1 · Environments · Palestra`. */
export function keepTitle(): void {
  effect(() => {
    const [path = "overview", name] = place.value.path;
    const page = [...pages, compared].find((each) => each.path === path)?.title ?? "No such page";
    const parts = name === undefined ? [page] : [readableLine(name, 80), page];
    document.title = [...parts, "Palestra"].join(" · ");
  });
}
