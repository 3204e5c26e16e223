import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createGym } from "#palestra/server/program/gym-library.js";
import { scratchDir } from "../../support/gym.js";

test("a gym that fails to start releases the data directory for a second attempt", {
  timeout: 240_000,
}, async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const settings = { dataDir: scratchDir(), hosts: { count: 1 } };
  await expect(createGym({ ...settings, nemoGym: { babyai: port } })).rejects.toThrow("Choose another port");
  const gym = await createGym(settings);
  expect((await gym.fetch("/v1/episodes")).status).toBe(200);
  await gym.close();
});
