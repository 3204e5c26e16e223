import { SingleBar } from "cli-progress";

/** Progress of a long task on standard error: a bar on a terminal, and one line per stage elsewhere. */
export class ProgressLine {
  private readonly bar: SingleBar | undefined;
  private last = "";

  constructor(private readonly title: string) {
    if (!process.stderr.isTTY) return;
    this.bar = new SingleBar({
      format: `${title} [{bar}] {percentage}% {doing}`,
      hideCursor: true,
      stream: process.stderr,
    });
    this.bar.start(1, 0, { doing: "" });
  }

  /** @param fraction part of the task that is done, from 0 to 1 */
  show(fraction: number, doing: string): void {
    this.bar?.update(fraction, { doing });
    if (!this.bar && doing !== this.last) console.error(`${this.title}: ${doing} (${Math.round(100 * fraction)}%)`);
    this.last = doing;
  }

  end(): void {
    this.bar?.stop();
  }
}
