/** Set-of-marks (Yang et al. 2023): a screenshot with a numbered frame around each interactive element. */
import type { Page } from "playwright";
import type { BrowserSession } from "../../../../sandboxes/browser.js";
import type { Place } from "./ax-text.js";

/** Roles of elements that get a mark. */
const marked = new Set([
  "link",
  "button",
  "textbox",
  "searchbox",
  "combobox",
  "checkbox",
  "radio",
  "switch",
  "slider",
  "spinbutton",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "tab",
  "treeitem",
  "listbox",
  "DisclosureTriangle",
]);

const layerId = "palestra-marks";
/** Colors of the frames, assigned in turn so that neighboring frames differ. */
const colours = ["#d32f2f", "#1565c0", "#2e7d32", "#6a1b9a", "#e65100", "#00838f"];

/** Returns the elements that get a mark, by the number on the mark. */
export function markedPlaces(places: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> {
  return new Map([...places].filter(([, { role, rect }]) => rect && marked.has(role)));
}

/** Returns a PNG of the page with marks, and then removes the marks from the page. */
export async function markedPicture(
  session: BrowserSession,
  page: Page,
  places: ReadonlyMap<string, Place>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const marks = [...places].map(([id, { rect }], at) => ({ id, rect, colour: colours[at % colours.length] }));
  await session.call(() => page.evaluate(`(${drawMarks})(${JSON.stringify(marks)})`), { signal });
  try {
    return await session.screenshot(page, { signal });
  } finally {
    await session.call(() => page.evaluate(removeMarks)).catch(() => {});
  }
}

/** JavaScript function that draws the marks inside the page. */
const drawMarks = `(marks) => {
  const layer = document.createElement("div");
  layer.id = "${layerId}";
  layer.style.cssText = "all: initial; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none";
  const root = layer.attachShadow({ mode: "closed" });
  for (const { id, rect: [x, y, width, height], colour } of marks) {
    const frame = document.createElement("div");
    frame.style.cssText = "position: absolute; box-sizing: border-box; border: 2px solid " + colour +
      "; left: " + x + "px; top: " + y + "px; width: " + width + "px; height: " + height + "px";
    const label = document.createElement("div");
    label.textContent = id;
    label.style.cssText = "position: absolute; left: -2px; top: -2px; padding: 0 3px; color: #fff; background: " + colour +
      "; font: bold 12px/14px Arial, sans-serif";
    frame.append(label);
    root.append(frame);
  }
  document.documentElement.append(layer);
}`;

const removeMarks = `document.getElementById("${layerId}")?.remove()`;
