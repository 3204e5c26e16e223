/** A sink for disks that may be full temporarily: records that could not be written are kept and written later. */

import { counted } from "../../server/formats/counted.js";
import type { MetricsSink, TrainRecord } from "./metric-names.js";

export class PatientSink implements MetricsSink {
  readonly #sink: MetricsSink;
  readonly #say: (reason: string) => void;
  /** Records that are still to be written, in the order of their steps. */
  readonly #waiting: TrainRecord[] = [];
  #isFailing = false;

  /** @param say receives a line when writing fails, and when it succeeds again */
  constructor(sink: MetricsSink, say: (reason: string) => void) {
    this.#sink = sink;
    this.#say = say;
  }

  write(record: TrainRecord): void {
    this.#waiting.push(record);
    this.#catchUp();
  }

  async close(): Promise<void> {
    this.#catchUp();
    const { length } = this.#waiting;
    if (length > 0) this.#say(`${counted(length, "record is", "records are")} lost`);
    await this.#sink.close();
  }

  #catchUp(): void {
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        this.#sink.write(next);
        this.#waiting.shift();
      }
    } catch (error) {
      if (!this.#isFailing) this.#say(`${(error as Error).message}; records are kept until they can be written`);
      this.#isFailing = true;
      return;
    }
    if (this.#isFailing) this.#say("all records are written again");
    this.#isFailing = false;
  }
}
