import { SingleBar } from "cli-progress";

/** Shows the progress of a long task on standard error: a bar on a terminal, or else one line per stage. */
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

  /** @param fraction finished fraction of the task, from 0 to 1 */
  show(fraction: number, doing: string): void {
    this.bar?.update(fraction, { doing });
    if (!this.bar && doing !== this.last) console.error(`${this.title}: ${doing} (${Math.round(100 * fraction)}%)`);
    this.last = doing;
  }

  end(): void {
    this.bar?.stop();
  }
}
