/**
 * The form in which steps are logged: a page of text that holds all steps of one commit, of whatever episodes. One row a
 * page costs a tenth of one row a step, and under load a page holds hundreds.
 *
 * Each step has two lines of JSON: `[episode, index, ended, action]`, and the reply exactly as it was sent.
 */
import type { Ended } from "./host-protocol.js";

/** Taken before any environment can put another in its place: one that breaks lines would break the page. */
const { stringify } = JSON;

export interface StepPage {
  /** Episode key and index of each step, in turn: what an index has to know, without reading the lines. */
  places: number[];
  lines: string;
}

/** A step as the log has it. */
export interface LoggedStep {
  index: number;
  action: string;
  /** JSON text of the step result. */
  reply: string;
  ended: Ended;
}

/** Places of a page are counted from 0 to less than this. */
export const placesPerPage = 4096;

export class StepPageWriter {
  private places: number[] = [];
  private lines = "";

  get characters(): number {
    return this.lines.length;
  }

  /** @returns characters of the step's first line, without its end */
  add(episode: number, index: number, action: string, reply: string, ended: Ended): number {
    const head = `[${episode},${index},${ended},${stringify(action)}]`;
    this.places.push(episode, index);
    this.lines += `${head}\n${reply}\n`;
    return head.length;
  }

  /** The page so far; the writer begins a new one. */
  take(): StepPage {
    const page = { places: this.places, lines: this.lines };
    this.places = [];
    this.lines = "";
    return page;
  }
}

/** The step at one place of a page, which was split into its lines. */
export function readStep(lines: readonly string[], place: number): LoggedStep {
  const [, index, ended, action] = JSON.parse(lines[2 * place] as string) as [number, number, Ended, string];
  return { index, action, reply: lines[2 * place + 1] as string, ended };
}

/** What `places` was when the page was written. */
export function readPlaces(lines: string): number[] {
  const heads = lines.split("\n").filter((_, line) => line % 2 === 0);
  return heads.flatMap((head) => (head === "" ? [] : (JSON.parse(head) as number[]).slice(0, 2)));
}
