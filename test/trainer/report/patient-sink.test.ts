/** A sink whose disk is full for a while. */
import { expect, test } from "vitest";
import type { MetricsSink, TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { PatientSink } from "#palestra/trainer/report/patient-sink.js";
import { recordAt } from "../../support/train-records.js";

/** Has no room for the records of these steps, as often as they are tried while it is full. */
class FullSink implements MetricsSink {
  isFull = false;
  readonly steps: number[] = [];
  write({ step }: TrainRecord): void {
    if (this.isFull) throw new Error("ENOSPC: no space left on device");
    this.steps.push(step);
  }
  close(): void {}
}

test("keeps what cannot be written, writes it in its order once there is room, and says both once", async () => {
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

test("says how many records are lost where there never was room again", async () => {
  const sink = new FullSink();
  sink.isFull = true;
  const said: string[] = [];
  const patient = new PatientSink(sink, (reason) => said.push(reason));
  for (const step of [1, 2]) patient.write(recordAt(step));
  await patient.close();
  expect(said.at(-1)).toBe("2 records are lost");
});
