/**
 * The format of logged steps. A page is text that holds all steps of one commit, from any number of episodes. Writing
 * one row per page takes a tenth of the time of writing one row per step. Under load, a page holds hundreds of steps.
 *
 * Each step has two lines of JSON: `[episode, index, ended, action]`, and the reply as it was sent. If the step called
 * a service outside the gym, the first line has a fifth entry with the service's answers. If the environment took a
 * millisecond or longer, a sixth entry has the milliseconds, after an empty list if there are no answers.
 */
import { LogDamage } from "./damage.js";
import type { Ended } from "./episode-state.js";

/**
 * `stringify` is captured before an environment can replace it. A replacement that adds line breaks would corrupt the page.
 */
const { stringify } = JSON;

export interface StepPage {
  /** Episode key and index of each step, alternating, so that the index of steps can be built without parsing the lines. */
  places: number[];
  lines: string;
}

/** A step in the log. */
export interface LoggedStep {
  index: number;
  action: string;
  /** JSON text of the step result. */
  reply: string;
  ended: Ended;
  /** JSON array of the answers that the step got from services outside the gym, or "" if there were none. */
  answers: string;
  /** Milliseconds that the environment took. Absent if it took less than one, and in logs of older versions. */
  gymMs?: number | undefined;
  /** Time of the step's commit in milliseconds since the Unix epoch. Null in pages of schema version 5 and older. */
  atMs: number | null;
}

/**
 * Largest number of steps in a page. The position of a step in its page is called its place. Places are counted from 0.
 */
export const placesPerPage = 4096;

/** Size of the test page that is stored after a failure. A page of a few bytes might fit even on a full disk. */
export const trialBytes = 2 ** 18;

export class StepPageWriter {
  private places: number[] = [];
  private lines = "";

  get characters(): number {
    return this.lines.length;
  }

  /**
   * @param answers JSON array of the answers that the step got from services outside the gym, or ""
   * @param gymMs milliseconds that the environment took
   * @returns length of the step's first line without the line break
   */
  add(episode: number, index: number, action: string, reply: string, ended: Ended, answers = "", gymMs = 0): number {
    const took = Math.round(gymMs);
    const more = took > 0 ? `,${answers || "[]"},${took}` : answers && `,${answers}`;
    const head = `[${episode},${index},${ended},${stringify(action)}${more}]`;
    this.places.push(episode, index);
    this.lines += `${head}\n${reply}\n`;
    return head.length;
  }

  /** Returns the current page and begins a new page. */
  take(): StepPage {
    const page = { places: this.places, lines: this.lines };
    this.places = [];
    this.lines = "";
    return page;
  }
}

/** A page that was read from the log. */
export interface SplitPage {
  /** Two lines for each step. */
  lines: readonly string[];
  /** See `LoggedStep.atMs`. */
  atMs: number | null;
}

type Head = [episode: number, index: number, ended: Ended, action: string, answers?: unknown[], gymMs?: number];

/** Returns the step at a place of a page. @throws {LogDamage} the place contains another step, or none */
export function readStep({ lines, atMs }: SplitPage, place: number, expected: number): LoggedStep {
  const [episode, index, ended, action, answers = [], gymMs] = JSON.parse(lines[2 * place] ?? "[]") as Head;
  if (index !== expected) throw new LogDamage(`The place of step ${expected} of episode ${episode}`);
  const outside = answers.length === 0 ? "" : stringify(answers);
  const reply = lines[2 * place + 1] as string;
  return { index, action, reply, ended, answers: outside, ...(gymMs !== undefined && { gymMs }), atMs };
}

/**
 * Returns `LoggedStep.gymMs` from the end of a step's first line, without parsing its action.
 *
 * @param replyAt place of the step's second line in the page
 */
export function gymMsBefore(lines: string, replyAt: number): number | undefined {
  // The line ends with a bracket and a line break. Before them is a digit, or the end of the action or of the answers.
  const last = replyAt - 3;
  if (!/\d/.test(lines[last] ?? "")) return undefined;
  return Number(lines.slice(lines.lastIndexOf(",", last) + 1, last + 1));
}

/** Returns `StepPage.places` of a page, read from its lines. */
export function readPlaces(lines: string): number[] {
  return headsOf(lines).flatMap((head) => (head === "" ? [] : (JSON.parse(head) as number[]).slice(0, 2)));
}

/** Returns the bytes in UTF-8 of each step of a page, including line breaks. */
export function bytesOfSteps(lines: string): number[] {
  const isAscii = Buffer.byteLength(lines) === lines.length;
  const bytes: number[] = [];
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf("\n", lines.indexOf("\n", from) + 1) + 1;
    if (end <= from) break;
    bytes.push(isAscii ? end - from : Buffer.byteLength(lines.slice(from, end)));
    from = end;
  }
  return bytes;
}

/** Returns the first line of each step of a page, and "" for the end of the page. */
export function headsOf(lines: string): string[] {
  return lines.split("\n").filter((_, line) => line % 2 === 0);
}
