/** Options that select how an agent sees a page. */

import type { EnvironmentOption, Options } from "../../env.js";
import type { View, ViewKind } from "../browser/observation/observe.js";

export const viewport = { width: 1280, height: 720 };

const observation: EnvironmentOption & { values: Record<ViewKind, unknown> } = {
  summary: "How the page in front is shown.",
  values: {
    tree: { summary: "The accessibility tree as text, as WebArena prints it." },
    aria: { summary: "Playwright's snapshot for models as text, with the contents of frames." },
    screenshot: { summary: "The accessibility tree as text, and a picture beside it." },
    marks: { summary: "A picture with numbered frames around elements, and the elements as text." },
  },
};

const extent: EnvironmentOption = {
  summary: "How much of the page the accessibility tree shows.",
  values: {
    viewport: { summary: "The part that fits into the window of 1280 x 720 pixels." },
    page: { summary: "The whole page." },
  },
};

const numbers: EnvironmentOption = {
  summary: "Which numbers elements have.",
  values: {
    order: { summary: "From 1 in the order of the page: the same for the same page." },
    browser: { summary: "Chromium's own, as the original's; they depend on what the browser has shown before." },
  },
};

/** Options of environments on the bundled sites, whose episodes can be replayed byte for byte. */
export const replayableOptions = { observation, extent };
export const options = { ...replayableOptions, numbers };

export function viewOf(chosen: Options): View {
  const kind = chosen.observation as ViewKind;
  const ids = chosen.numbers === "browser" ? "browser" : "ordinal";
  return { kind, viewport, isWhole: chosen.extent === "page", ids, isNoiseDropped: true };
}
