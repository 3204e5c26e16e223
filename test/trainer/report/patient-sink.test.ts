/** A sink whose disk is full for a while. */
import { expect, test } from "vitest";
import type { MetricsSink, TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { PatientSink } from "#palestra/trainer/report/patient-sink.js";
import { recordAt } from "../../support/train-records.js";

/** A sink that refuses every record while it is full. */
class FullSink implements MetricsSink {
  isFull = false;
  readonly steps: number[] = [];
  write({ step }: TrainRecord): void {
    if (this.isFull) throw new Error("ENOSPC: no space left on device");
    this.steps.push(step);
  }
  close(): void {}
}

test("a full sink's records are kept and written in order once there is room, with one report of each change", async () => {
  const sink = new FullSink();
  const said: string[] = [];
  const patient = new PatientSink(sink, (reason) => said.push(reason));
  for (const step of [1, 2, 3, 4, 5]) {
    sink.isFull = step === 2 || step === 3;
    patient.write(recordAt(step));
    if (step === 3) expect(sink.steps).toEqual([1]);
  }
  await patient.close();
  expect(sink.steps).toEqual([1, 2, 3, 4, 5]);
  expect(said).toEqual([expect.stringContaining("ENOSPC"), "all records are written again"]);
});

test("the number of lost records is reported if there is never room again", async () => {
  const sink = new FullSink();
  sink.isFull = true;
  const said: string[] = [];
  const patient = new PatientSink(sink, (reason) => said.push(reason));
  for (const step of [1, 2]) patient.write(recordAt(step));
  await patient.close();
  expect(said.at(-1)).toBe("2 records are lost");
});
