import type { JsonValue } from "../../../envs/env.js";
import { badResult, SlotFailure } from "../reply-text.js";

/** `parse` and `stringify` are captured before an environment can replace them. */
const { parse, stringify } = JSON;

type State = "idle" | "recording" | "replaying";

/** Records the answers that a step gets from services outside the gym, and returns the recorded answers in a replay. */
export class Recorder {
  private state: State = "idle";
  /** JSON text of each answer, in the order of the calls. A pending answer is undefined. */
  private answers: (string | undefined)[] = [];
  private taken = 0;

  /** Begins a new step. */
  begin(): void {
    this.enter("recording", []);
  }

  /** Begins the replay of a step. @param answers result of `end` for that step */
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
    if (answers.includes(undefined))
      throw badResult("a step that waits for its recorded calls", "a step that ended before them");
    const text = answers.length === 0 ? "" : `[${answers.join(",")}]`;
    if (text.length <= maxLength) return text;
    throw badResult(`at most ${maxLength} characters of recorded answers`, `${text.length}`);
  }

  /** Implements `AsyncContext.record` for one instance. */
  async record<T extends JsonValue>(ask: () => Promise<T>): Promise<T> {
    if (this.state === "idle") throw new Error("`record` can be called only during a step.");
    const { answers } = this;
    const place = this.taken++;
    if (this.state === "replaying") return parse(recorded(answers, place)) as T;
    answers[place] = undefined;
    const answer = stringify(await ask());
    if (answer === undefined) throw badResult("a recorded answer that can be written as JSON", "undefined");
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
  const detail = `a replayed step requested recorded answer ${place}, but the log has only ${answers.length} answers`;
  throw new SlotFailure("ENVIRONMENT_DIVERGED", detail);
}
