import { jsonFile } from "../shared/kept/data-file.js";
import { Draw as AnyDraw } from "../shared/rng/draw.js";

/** Name of a problem's wordings in the data file. */
export type WordingName = keyof typeof import("./data/wordings.json");

/** Wordings of the same problem. Placeholders, such as `{name}`, stand for names and numbers. */
export const wordings = jsonFile<Readonly<Record<WordingName, readonly string[]>>>(
  new URL("./data/wordings.json", import.meta.url),
);

/** First names of the people in problems. */
export const people = jsonFile<readonly string[]>(new URL("./data/people.json", import.meta.url));

/** Random choices in the generation of one problem. */
export class Draw extends AnyDraw {
  people(count: number): string[] {
    return this.some(people(), count);
  }

  /** Picks one of a problem's wordings and replaces each placeholder with its value. */
  say(problem: WordingName, values: Readonly<Record<string, string | number>>): string {
    return this.one(wordings()[problem]).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`expected a value of ${name}, but received none`);
      return String(value);
    });
  }
}
