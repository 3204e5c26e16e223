/** The time left in the progress bars of training and of evaluations. */
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { TerminalProgress } from "#palestra/trainer/report/terminal-progress.js";
import { timeLeft } from "#palestra/trainer/report/time-left.js";

test("a time is told in its two largest units, and not at all when nothing is left", () => {
  expect([0, 0.4, Number.NaN, Number.POSITIVE_INFINITY].map(timeLeft)).toEqual(["", "", "", ""]);
  expect([1, 75, 3_700].map(timeLeft)).toEqual([", 1 s left", ", 1 min 15 s left", ", 1 h 1 min left"]);
});

test("the progress bar of a run that is done does not say that 0 seconds are left", () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 120, cursorTo() {}, clearLine() {} });
  const progress = new TerminalProgress({ total: 2, stream: stream as unknown as NodeJS.WriteStream });
  progress.write({ step: 2, time: 1, "episode/success_rate": 0.5 });
  progress.close();
  const text = String(stream.read());
  expect(text).toContain("2/2  success 50%");
  expect(text).not.toContain("left");
});
