import { expect, test } from "vitest";
import { fuzzSession } from "../fuzz/session.js";
import { serve } from "../support/serving.js";

const frames = 2_000;
const leakMiB = 48;

test("2,000 broken frames are all answered, valid frames between them succeed, and nothing is left behind", async () => {
  const server = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const report = await fuzzSession(server, frames, 1);
  const { replies, grownMiB, checked, seconds } = report;
  console.info(
    `${report.frames} frames in ${seconds.toFixed(1)} s, ${checked} checked, ${grownMiB.toFixed(1)} MiB more`,
  );
  console.info(JSON.stringify(replies));
  expect(report.wrong).toEqual([]);
  expect(report).toMatchObject({ alive: true, openSockets: 0, liveEpisodes: 0 });
  expect(report.surplusDescriptors).toBeLessThanOrEqual(2);
  expect(checked).toBeGreaterThan(frames / 10);
  expect(grownMiB).toBeLessThan(leakMiB);
  // The frames also pass the parser: operations run, and refuse for many reasons.
  expect(replies.result).toBeGreaterThan(frames / 10);
  expect(Object.keys(replies).length).toBeGreaterThan(8);
});
