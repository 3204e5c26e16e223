/** Search for words in the actions, observations and infos of an episode. */
import { signal } from "@preact/signals";
import type { Opening, Step } from "../../api.js";
import { patternOf, withoutTerminalCodes } from "../../parts/visible-text.js";

/** Number of matches in the action, the observation and the info of a step. */
export type Counts = readonly [action: number, observation: number, info: number];

export interface Hit {
  /** Number of the step, or 0 for the reset. */
  readonly at: number;
  readonly counts: Counts;
}

/** Milliseconds of work before each pause, so that the page stays responsive. */
const sliceMs = 8;
/** Steps with matches after which the search ends. */
const mostHits = 5_000;

export class Search {
  readonly words = signal("");
  readonly hits = signal<readonly Hit[]>([]);
  /** Match that is shown: its step, and its number among the matches of the step. */
  readonly current = signal<{ at: number; match: number } | null>(null);
  private run = 0;

  /** Searches all steps anew. @param onFirst called with the step of the first match at or after `from` */
  async find(opening: Opening, steps: readonly Step[], from: number, onFirst: (at: number) => void): Promise<void> {
    const run = ++this.run;
    const pattern = patternOf(this.words.value);
    this.hits.value = [];
    this.current.value = null;
    if (!pattern) return;
    const hits: Hit[] = [];
    let begun = performance.now();
    for (let at = 0; at <= steps.length && hits.length < mostHits; at++) {
      const texts = at === 0 ? textsOf("", opening) : textsOf(steps[at - 1]?.action ?? "", steps[at - 1] as Step);
      const counts = texts.map((text) => countOf(withoutTerminalCodes(text), pattern)) as unknown as Counts;
      if (counts.some((count) => count > 0)) hits.push({ at, counts });
      if (performance.now() - begun < sliceMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.run) return;
      begun = performance.now();
    }
    this.hits.value = hits;
    const first = hits.find((hit) => hit.at >= from) ?? hits[0];
    if (!first) return;
    this.current.value = { at: first.at, match: 0 };
    onFirst(first.at);
  }

  /** Goes to the next or the previous match, and returns its step. @param at step that is shown */
  move(at: number, direction: 1 | -1): number | undefined {
    const hits = this.hits.value;
    if (hits.length === 0) return undefined;
    const { current } = this;
    const here = hits.find((hit) => hit.at === at);
    if (here && current.value?.at === at) {
      const match = current.value.match + direction;
      if (match >= 0 && match < totalOf(here)) {
        current.value = { at, match };
        return at;
      }
    }
    const ahead = direction === 1 ? hits.find((hit) => hit.at > at) : hits.findLast((hit) => hit.at < at);
    const next = (ahead ?? (direction === 1 ? hits[0] : hits.at(-1))) as Hit;
    current.value = { at: next.at, match: direction === 1 ? 0 : totalOf(next) - 1 };
    return next.at;
  }

  clear(): void {
    this.run += 1;
    this.words.value = "";
    this.hits.value = [];
    this.current.value = null;
  }

  /** Returns the number of the shown match within one of the texts of a step, or undefined. */
  matchIn(at: number, part: 0 | 1 | 2): number | undefined {
    const current = this.current.value;
    const hit = this.hits.value.find((each) => each.at === at);
    if (!hit || current?.at !== at) return undefined;
    const before = hit.counts.slice(0, part).reduce((sum, count) => sum + count, 0);
    const match = current.match - before;
    return match >= 0 && match < hit.counts[part] ? match : undefined;
  }
}

export function totalOf({ counts }: Hit): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the texts of a step that are searched, as the page shows them. */
function textsOf(action: string, { observation, info }: Opening): [string, string, string] {
  return [action, observation, infoText(info)];
}

export function infoText(info: Record<string, unknown>): string {
  return Object.keys(info).length === 0 ? "" : JSON.stringify(info, null, 2);
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count += 1;
  return count;
}
