/** Wordings of the customers' first messages and answers, and of the records' notes. */
import { jsonFile } from "../../shared/kept/data-file.js";
import type { Draw } from "../../shared/rng/draw.js";

export type Wording = keyof typeof import("../data/wordings.json");

export const wordings = jsonFile<Readonly<Record<Wording, readonly string[]>>>(
  new URL("../data/wordings.json", import.meta.url),
);

/** Picks one of the wordings, replaces each placeholder with its value, and begins with a capital letter. */
export function worded(draw: Draw, wording: Wording, values: Readonly<Record<string, string | number>> = {}): string {
  const text = draw.one(wordings()[wording]).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`expected a value of ${name} in ${wording}, but received none`);
    return String(value);
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}
