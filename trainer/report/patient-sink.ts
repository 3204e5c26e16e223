/** A sink whose disk may be full for a while: what could not be written is kept, and written once it can be. */
import type { MetricsSink, TrainRecord } from "./metric-names.js";

export class PatientSink implements MetricsSink {
  readonly #sink: MetricsSink;
  readonly #say: (reason: string) => void;
  /** In the order of their steps. */
  readonly #waiting: TrainRecord[] = [];
  #isFailing = false;

  /** @param say hears once why writing fails, and once that it goes on */
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
    if (length > 0) this.#say(`${length} records are lost`);
    await this.#sink.close();
  }

  #catchUp(): void {
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        this.#sink.write(next);
        this.#waiting.shift();
      }
    } catch (error) {
      if (!this.#isFailing) this.#say(`${(error as Error).message}; records wait until they can be written`);
      this.#isFailing = true;
      return;
    }
    if (this.#isFailing) this.#say("all records are written again");
    this.#isFailing = false;
  }
}
