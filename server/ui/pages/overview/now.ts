/** Requests for the present activity of the gym, every few seconds while the page is in view and connected. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { api, type Now, type RunRow } from "../../api.js";
import { status } from "../../live.js";

/** Milliseconds between two requests. */
const [nowMs, runsMs] = [3_000, 10_000];
/** Live training runs whose rate is read. */
const mostRated = 5;
/** Newest records of a run's metrics that tell its rate. */
const ratedRecords = 12;

export interface LiveRun {
  readonly row: RunRow;
  /** Milliseconds until the last train step or episode, at the rate so far, or null if it is unknown. */
  readonly leftMs: number | null;
}

/** Returns who plays what and what failed, or null before the first reply. */
export function useNow(): Now | null {
  return usePolled(nowMs, api.now);
}

/** Returns the running training runs and evaluations: none if the caller may not read runs. */
export function useLiveRuns(): readonly LiveRun[] {
  return usePolled(runsMs, loadLiveRuns) ?? [];
}

/** The gym sends its status each second while the page is in view, which also sets the pace of other requests. */
function usePolled<T>(everyMs: number, load: () => Promise<T>): T | null {
  const data = useSignal<T | null>(null);
  const asked = useSignal({ atMs: Number.NEGATIVE_INFINITY });
  useSignalEffect(() => {
    const last = asked.peek();
    if (status.value === null || performance.now() - last.atMs < everyMs) return;
    last.atMs = performance.now();
    load().then(
      (value) => {
        data.value = value;
      },
      () => {
        // The page says that it has no connection, and asks again when it has one.
      },
    );
  });
  return data.value;
}

async function loadLiveRuns(): Promise<LiveRun[]> {
  const { runs } = await api.runs();
  const live = runs.filter((row) => row.live);
  const rated = new Set(live.filter(({ kind }) => kind === "training").slice(0, mostRated));
  const isRated = (row: RunRow) => row.kind === "evaluation" || rated.has(row);
  return Promise.all(live.map(async (row) => ({ row, leftMs: isRated(row) ? await leftMsOf(row) : null })));
}

async function leftMsOf({ run, summary }: RunRow): Promise<number | null> {
  if (!("trainSteps" in summary)) {
    const left = summary.progress?.secondsLeft ?? null;
    return left === null ? null : 1_000 * left;
  }
  if (summary.totalTrainSteps === null) return null;
  const from = Math.max(0, summary.trainSteps - ratedRecords);
  const page = await api.runMetrics(run, { from }).catch(() => null);
  // An evaluation in between has a record of its own, with the number of its train step.
  const steps = new Map(page?.records.map(({ step, time }) => [step, time]));
  const [first, last] = [[...steps][0], [...steps].at(-1)];
  if (!first || !last || last[0] <= first[0] || last[1] <= first[1]) return null;
  const perStep = ((last[1] - first[1]) / (last[0] - first[0])) * 1_000;
  return Math.max(0, summary.totalTrainSteps - last[0]) * perStep;
}
