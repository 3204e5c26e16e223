/** Answers of an instance along a recording, which must not depend on the instance's earlier episodes. */
import { mismatch } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { arrayOf, expectSameTrace, type Recording, type Subject, traceOf } from "./subject.js";

/** An answer as text, with the state in which it was given, for error messages. */
export interface Answer {
  text: string;
  place: string;
}

/**
 * Asks an instance in its present state.
 *
 * @param place description of the state
 * @param turn number that rises by 1 with each state of a recording
 */
export type Ask = (instance: Instance, place: string, turn: number) => Promise<Answer>;

/**
 * Plays all recordings again, on new instances and on one that has played other episodes, and asks in each state. Both must
 * give the same answers, and asking must not change the results.
 *
 * @returns the number of states
 */
export async function askAlongRecordings(subject: Subject, ask: Ask): Promise<number> {
  let asked = 0;
  await subject.withInstance(async (used) => {
    for (const [start, recording] of (await subject.recordings()).entries()) {
      const first = await subject.withInstance((instance) => askAlong(instance, recording, start, ask));
      await arrayOf(traceOf(used, recording));
      const second = await askAlong(used, recording, start, ask);
      asked += first.length;
      for (const [i, { text, place }] of first.entries())
        if (text !== second[i]?.text)
          throw mismatch(`${text} from an instance that was reset again`, `${second[i]?.text}`, place);
    }
  });
  return asked;
}

async function askAlong(instance: Instance, recording: Recording, start: number, ask: Ask): Promise<Answer[]> {
  const answers: Answer[] = [];
  const trace: string[] = [];
  for await (const line of traceOf(instance, recording)) {
    const steps = trace.length;
    trace.push(line);
    if (trace.length > recording.actions.length) break;
    answers.push(await ask(instance, `${nameOf(recording)} after ${steps} steps`, start + steps));
  }
  expectSameTrace(recording, recording.trace, trace);
  return answers;
}
