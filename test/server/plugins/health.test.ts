import { expect, test } from "vitest";
import { eventually, fixture, openGym } from "../../support/gym.js";

test("/livez and /readyz answer 200 once the hosts have loaded", async () => {
  const gym = await openGym();
  expect((await gym.app.inject("/livez")).json()).toEqual({ status: "ok", detail: "alive" });
  await eventually(async () => (await gym.app.inject("/readyz")).statusCode === 200);
  expect((await gym.app.inject("/readyz")).json()).toEqual({ status: "ok", detail: "1 hosts" });
});

test("/readyz answers 503 while no host is ready, and /livez answers 200", async () => {
  const gym = await openGym({ environments: [fixture("hostless")], hosts: { isolation: "thread" } });
  const ready = await gym.app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: "not ready", detail: "no host is ready" }]);
  expect((await gym.app.inject("/livez")).statusCode).toBe(200);
});
