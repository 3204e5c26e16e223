import { expect, onTestFinished, test, vi } from "vitest";
import { openGym } from "../../support/gym.js";

test("a closed app leaves no interval running", async () => {
  const started = vi.spyOn(globalThis, "setInterval");
  const cleared = vi.spyOn(globalThis, "clearInterval");
  onTestFinished(() => {
    started.mockRestore();
    cleared.mockRestore();
  });
  const gym = await openGym();
  await gym.create({ environment: "textcraft" });
  await gym.app.close();
  const stopped = new Set(cleared.mock.calls.map(([timer]) => timer));
  const running = started.mock.results.filter(({ value }) => !stopped.has(value));
  expect(started.mock.results.length).toBeGreaterThan(2);
  expect(running).toEqual([]);
});
