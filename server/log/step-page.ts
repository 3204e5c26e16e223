/**
 * The form in which steps are logged: a page of text that holds all steps of one commit, of whatever episodes. One row a
 * page costs a tenth of one row a step, and under load a page holds hundreds.
 *
 * Each step has two lines of JSON: `[episode, index, ended, action]`, and the reply exactly as it was sent. A fifth entry of
 * the first line holds the answers that the step got from outside of the gym, if it asked anything there.
 */
import type { Ended } from "../hosts/protocol.js";

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
  /** JSON array of the answers that the step got from outside of the gym; "" where there were none. */
  answers: string;
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
  add(episode: number, index: number, action: string, reply: string, ended: Ended, answers = ""): number {
    const outside = answers === "" ? "" : `,${answers}`;
    const head = `[${episode},${index},${ended},${stringify(action)}${outside}]`;
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

type Head = [episode: number, index: number, ended: Ended, action: string, answers?: unknown[]];

/** The step at one place of a page, which was split into its lines. */
export function readStep(lines: readonly string[], place: number): LoggedStep {
  const [, index, ended, action, answers] = JSON.parse(lines[2 * place] as string) as Head;
  const outside = answers === undefined ? "" : stringify(answers);
  return { index, action, reply: lines[2 * place + 1] as string, ended, answers: outside };
}

/** What `places` was when the page was written. */
export function readPlaces(lines: string): number[] {
  const heads = lines.split("\n").filter((_, line) => line % 2 === 0);
  return heads.flatMap((head) => (head === "" ? [] : (JSON.parse(head) as number[]).slice(0, 2)));
}
