import { SingleBar } from "cli-progress";

/** Milliseconds between two lines in a pipe or a file. Shorter work prints none. */
const lineMs = 3_000;

/** Shows the progress of a long task on standard error: a bar on a terminal, or else a line every few seconds. */
export class ProgressLine {
  private readonly bar: SingleBar | undefined;
  private saidAt = performance.now();

  constructor(private readonly title: string) {
    if (!process.stderr.isTTY) return;
    this.bar = new SingleBar({
      format: `${title} [{bar}] {percentage}% {doing}`,
      hideCursor: true,
      stream: process.stderr,
    });
    this.bar.start(1, 0, { doing: "" });
  }

  /** @param fraction finished fraction of the task, from 0 to 1 */
  show(fraction: number, doing: string): void {
    this.bar?.update(fraction, { doing });
    if (this.bar || performance.now() - this.saidAt < lineMs) return;
    this.saidAt = performance.now();
    console.error(`${this.title}: ${doing} (${Math.round(100 * fraction)}%)`);
  }

  end(): void {
    this.bar?.stop();
  }
}
