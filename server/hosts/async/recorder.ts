import type { JsonValue } from "../../../envs/env.js";
import { badResult, SlotFailure } from "../reply-text.js";

/** `parse` and `stringify` are captured before an environment can replace them. */
const { parse, stringify } = JSON;

type State = "idle" | "recording" | "replaying";

/** Records the answers that a step gets from services outside the gym, and returns them when the step is played again. */
export class Recorder {
  private state: State = "idle";
  /** JSON text of each answer, in the order of the calls; undefined for a pending one. */
  private answers: (string | undefined)[] = [];
  private taken = 0;

  /** Begins a new step. */
  begin(): void {
    this.enter("recording", []);
  }

  /** Begins a step that is played again. @param answers result of `end` for that step */
  replay(answers: string): void {
    const values = answers === "" ? [] : (parse(answers) as JsonValue[]);
    this.enter(
      "replaying",
      values.map((value) => stringify(value)),
    );
  }

  /**
   * Returns the step's answers as a JSON array, or "" if there are none.
   *
   * @throws {SlotFailure} ENVIRONMENT_RESULT if the step did not wait for an answer, or the text exceeds `maxLength`
   */
  end(maxLength: number): string {
    const { answers } = this;
    this.enter("idle", []);
    if (answers.includes(undefined)) throw badResult("a step that waits for what it records", "one that does not");
    const text = answers.length === 0 ? "" : `[${answers.join(",")}]`;
    if (text.length <= maxLength) return text;
    throw badResult(`at most ${maxLength} characters of recorded answers`, `${text.length}`);
  }

  /** Implements `AsyncContext.record` for one instance. */
  async record<T extends JsonValue>(ask: () => Promise<T>): Promise<T> {
    if (this.state === "idle") throw new Error("expected a step that records what it asks, but received none");
    const { answers } = this;
    const place = this.taken++;
    if (this.state === "replaying") return parse(recorded(answers, place)) as T;
    answers[place] = undefined;
    const answer = stringify(await ask());
    if (answer === undefined) throw badResult("a recorded answer that JSON can hold", "none");
    answers[place] = answer;
    // The answer goes through JSON, since a replay will return it from JSON too.
    return parse(answer) as T;
  }

  private enter(state: State, answers: (string | undefined)[]): void {
    this.state = state;
    this.answers = answers;
    this.taken = 0;
  }
}

function recorded(answers: readonly (string | undefined)[], place: number): string {
  const answer = answers[place];
  if (answer !== undefined) return answer;
  const detail = `played again, a step asked for answer ${place} from outside, but the log has ${answers.length}`;
  throw new SlotFailure("ENVIRONMENT_DIVERGED", detail);
}
