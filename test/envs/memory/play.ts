/** A player of memory, which reads its observations. */
import type { StepResult } from "#palestra/envs/env.js";
import { Memory } from "#palestra/envs/memory/env.js";
import { type Dated, saidInText } from "./reader.js";

export type Length = "short" | "medium" | "long";

export class Play {
  readonly question: string;
  readonly family: string;
  readonly opening: string;
  /** Id of the last session. */
  readonly count: number;
  private readonly memory = new Memory();

  constructor(split: string, index: number, length: Length = "medium", reward = "exact") {
    const options = { length, reward };
    const { observation, info } = this.memory.reset({ task: { split, index }, seed: 0, options });
    this.opening = observation;
    this.question = observation.slice(observation.indexOf("Question: ") + "Question: ".length);
    this.family = info.family as string;
    this.count = info.sessions as number;
  }

  step(action: string): StepResult {
    return this.memory.step(action);
  }

  answer(answer: string): number {
    return this.step(`<answer>${answer}</answer>`).reward;
  }

  /** Returns the statements of a session, read window by window. */
  read(number: number): Dated[] {
    let text = "";
    for (let next = 0; ; next = text.length) {
      const { observation } = this.step(`<open>session-${number} from ${next}</open>`);
      const [, date = "", end, length, body] = opened.exec(observation) as RegExpExecArray;
      text += body;
      if (Number(end) < Number(length)) continue;
      return saidInText(text).map((one) => ({ ...one, day: dayOf(date) }));
    }
  }

  readAll(): Dated[] {
    return Array.from({ length: this.count }, (_, at) => this.read(at + 1)).flat();
  }

  /** Returns the statements of each passage in the result of a search for the first line of the question. */
  searchOnce(): Dated[][] {
    const [line = ""] = this.question.split("\n");
    const { observation } = this.step(`<search>${line}</search>`);
    const passages = observation.split(/^\[\d\] session-\d+, /m).slice(1);
    return passages.map((passage) => {
      const [date = "", ...lines] = passage.split("\n");
      return saidInText(lines.join("\n")).map((one) => ({ ...one, day: dayOf(date) }));
    });
  }

  close(): void {
    this.memory.close();
  }
}

const opened =
  /^<information>\nsession-\d+, (.+) \(characters \d+ to (\d+) of (\d+)\)\n\n([\s\S]*?)(?:\n\nIt goes on: .*)?\n<\/information>$/;

function dayOf(date: string): number {
  return Date.parse(`${date.replace(/^\w+, /, "")} UTC`) / 86_400_000;
}
