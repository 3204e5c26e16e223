import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { EvaluationProgress } from "#palestra/trainer/report/evaluation/evaluation-progress.js";

function open() {
  const stream = new PassThrough();
  const progress = new EvaluationProgress(stream as unknown as NodeJS.WriteStream);
  progress.start(10);
  return {
    progress,
    lines: () =>
      String(stream.read() ?? "")
        .split("\n")
        .slice(0, -1),
  };
}

describe("the progress of an evaluation without a terminal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("reports a retry at once, with its wait", () => {
    const { progress, lines } = open();
    progress.onRetry({ brief: "429", waitMs: 12_000 });
    expect(lines()).toEqual(["retrying: 429, 12 s left"]);
    progress.stop();
  });

  test("repeats the reason of retries every ten seconds, with the number of requests", () => {
    const { progress, lines } = open();
    progress.onRetry({ brief: "429", waitMs: 25_000 });
    progress.onRetry({ brief: "429", waitMs: 25_000 });
    progress.onRetry({ brief: "connection refused", waitMs: 2_000 });
    expect(lines()).toEqual(["retrying: 429, 25 s left", "retrying: connection refused, 2 s left"]);
    vi.advanceTimersByTime(9_000);
    expect(lines()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(lines()).toEqual(["retrying: 429 (2 requests), 15 s left"]);
    vi.advanceTimersByTime(14_000);
    progress.onTurn();
    lines();
    vi.advanceTimersByTime(10_000);
    expect(lines()).toEqual([]);
    progress.stop();
  });

  test("reports a missing reply", () => {
    const { progress, lines } = open();
    vi.advanceTimersByTime(14_000);
    expect(lines()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(lines()).toEqual(["waiting: no reply for 15 s"]);
    progress.stop();
  });
});

test("an output without a terminal names each part of a run when the part begins", () => {
  const stream = new PassThrough();
  const progress = new EvaluationProgress(stream as unknown as NodeJS.WriteStream);
  progress.start(10, "textcraft, 1 of 2");
  progress.stop();
  progress.start(3, "babyai, 2 of 2");
  progress.stop();
  expect(String(stream.read())).toBe("textcraft, 1 of 2: 10 episodes\nbabyai, 2 of 2: 3 episodes\n");
});

test("a run that continues an earlier one reports this, and counts from its last episode", () => {
  const finished = [{ solved: true }, { solved: false }, { solved: true }].map((record) => record as EpisodeRecord);
  const { progress, lines } = open();
  progress.onResume(finished);
  progress.stop();
  expect(lines()).toEqual(["continues after 3 of 10 episodes, 2 solved"]);

  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 200, cursorTo() {}, clearLine() {} });
  const shown = new EvaluationProgress(stream as unknown as NodeJS.WriteStream);
  shown.start(10);
  shown.onResume(finished);
  shown.stop();
  expect(String(stream.read())).toMatch(/continued .* 3\/10 episodes, 2 solved/);
});

test("a terminal shows the retry after the bar", () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 200, cursorTo() {}, clearLine() {} });
  const progress = new EvaluationProgress(stream as unknown as NodeJS.WriteStream);
  progress.start(10);
  progress.onRetry({ brief: "429", waitMs: 12_000 });
  progress.stop();
  expect(String(stream.read())).toContain("0 failed; retrying: 429, 12 s left");
});
