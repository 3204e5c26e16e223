/** Records of a short run that is resumed once. */
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { TensorBoardEvents } from "#palestra/trainer/report/tensorboard.js";

export function recordAt(step: number, more: Partial<TrainRecord> = {}): TrainRecord {
  return {
    step,
    time: 1_795_000_000 + 1.5 * step,
    "episode/success_rate": step / 8,
    "actor/pg_loss": -0.1 / step,
    "perf/throughput": 1000 * step,
    staleness: [10 * step, 3, 0, step],
    ...more,
  };
}

/** Steps 1 to 5, and then steps 4 to 6 with other values, after a resume from the checkpoint of step 3. */
export function writeEvents(folder: string): void {
  const first = new TensorBoardEvents(folder, { now: 1_795_000_000 });
  for (const step of [1, 2, 3, 4, 5]) first.write(recordAt(step));
  first.close();
  const second = new TensorBoardEvents(folder, { now: 1_795_000_100, resumedAt: 3 });
  for (const step of [4, 5, 6])
    second.write(recordAt(step, { time: 1_795_000_100 + step, "episode/success_rate": 0.5 }));
  second.close();
}

/** Returns the records of train steps, without those of evaluations. */
export function trainSteps(records: readonly TrainRecord[]): TrainRecord[] {
  return records.filter(({ held_out }) => held_out === undefined);
}
