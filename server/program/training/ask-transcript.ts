/** The transcript of an episode of `deepsearch` as readable lines, and its result. */
import type { GymEpisode } from "../../../trainer/gym/gym.js";
import type { RolloutWatcher, Turn } from "../../../trainer/rollout/episode-rollout.js";

const mostThought = 300;
const mostLine = 160;
const mostAnswer = 2_000;
const column = 8;
/** Pattern of the start of an action, in any action format. */
const beginningOfAction = /<(?:search|open|answer|tool_call)>|^Action:/m;

export class AskTranscript implements RolloutWatcher {
  answer: string | undefined;
  private searches: string[] = [];
  private pages: string[] = [];
  private cited: string[] = [];
  private hasBegun = false;
  /** Titles of the pages that the episode has shown, by id. */
  private readonly titles = new Map<string, string>();

  /** @param say receives each line as soon as it is complete */
  constructor(private readonly say: (line: string) => void) {}

  /** Result of the episode as JSON, for programs. */
  get facts() {
    const { answer = null, searches, pages, cited } = this;
    return { answer, cited: cited.map((id) => ({ id, title: this.titles.get(id) ?? null })), searches, pages };
  }

  began({ observation }: GymEpisode): void {
    [this.answer, this.searches, this.pages, this.cited] = [undefined, [], [], []];
    if (!this.hasBegun) this.say(observation);
    this.hasBegun = true;
  }

  turned({ reply, observation, info }: Turn): void {
    const [thought = ""] = reply.text.split(beginningOfAction);
    if (thought.trim() !== "") this.tell("think", inOneLine(thought, mostThought));
    const text = (value: unknown) => (typeof value === "string" ? value : "");
    switch (info.action) {
      case "search":
        return this.searched(text(info.query), listOf(info.results));
      case "open":
        return this.opened(text(info.page), info.isThere === true, observation);
      case "answer":
        return this.answered(text(info.answer), listOf(info.cited).map(String));
      default:
        return this.tell("refused", inOneLine(observation, mostLine));
    }
  }

  failed(error: Error, waitMs: number | undefined): void {
    if (waitMs !== undefined) this.tell("failed", `${inOneLine(error.message, mostThought)}; it begins anew`);
  }

  private searched(query: string, results: readonly unknown[]): void {
    this.searches.push(query);
    this.tell("search", query);
    for (const { id, title } of results as { id: string; title: string }[]) {
      this.titles.set(id, title);
      this.tell("", named(id, title));
    }
    if (results.length === 0) this.tell("", "nothing was found");
  }

  private opened(page: string, isThere: boolean, observation: string): void {
    this.pages.push(page);
    // The first line of a page in an observation: its title, its id and the position in the page.
    const [, heading = ""] = observation.split("\n");
    const [, title] = /^(.*) \(page /.exec(heading) ?? [];
    if (isThere && title && !this.titles.has(page)) this.titles.set(page, title);
    this.tell("open", isThere ? inOneLine(heading, mostLine) : `${page}: the page does not exist`);
  }

  private answered(answer: string, cited: string[]): void {
    this.answer = answer;
    this.cited = cited;
    this.say("");
    this.tell("answer", answer);
    for (const [at, id] of cited.entries()) {
      const title = this.titles.get(id);
      this.tell(at === 0 ? "cited" : "", title === undefined ? `${id} (not among the pages seen)` : named(id, title));
    }
  }

  private tell(what: string, text: string): void {
    this.say(`${what.padEnd(column)}${inOneLine(text, mostAnswer)}`);
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function named(id: string, title: string): string {
  return inOneLine(id === title ? title : `${title} (${id})`, mostLine);
}

/** Cuts a text to one line, without control characters that a page or a model may have written. */
function inOneLine(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
