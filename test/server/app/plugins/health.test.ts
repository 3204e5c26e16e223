import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { describe, expect, test } from "vitest";
import { registerAuth } from "#palestra/server/app/plugins/auth.js";
import { registerHealth } from "#palestra/server/app/plugins/health.js";
import { GymError } from "#palestra/server/errors.js";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { eventually, fixture, openGym, scratchDir } from "../../../support/gym.js";

test("/livez and /readyz answer 200 once the hosts have loaded", async () => {
  const gym = await openGym();
  expect((await gym.app.inject("/livez")).json()).toEqual({ status: "ok", detail: "alive" });
  await eventually(async () => (await gym.app.inject("/readyz")).statusCode === 200);
  expect((await gym.app.inject("/readyz")).json()).toEqual({
    status: "ok",
    detail: expect.stringMatching(/^1 host(, local log)?$/),
  });
});

test("/readyz answers 503 while no host is ready, and /livez answers 200", async () => {
  const gym = await openGym({ environments: [fixture("hostless")], hosts: { isolation: "thread" } });
  const ready = await gym.app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: "not ready", detail: "no host is ready" }]);
  expect((await gym.app.inject("/livez")).statusCode).toBe(200);
});

describe("/readyz of a gym that cannot write its log, or has no space left", () => {
  const healthy = {
    liveEpisodes: 0,
    episodesInMemory: 0,
    inFlightSteps: 0,
    readyHosts: 1,
    isMember: true,
    isInFleet: false,
    logDurability: null,
    lacksStandby: false,
    logHealthy: true,
    logFailure: null,
    refusal: null,
    draining: false,
  };
  const refusal = (code: "DISK_LOW" | "LIMIT_LOG") => GymError.ofState(code, "The disk has 3 MiB.");

  describe.each([
    [true, false],
    [false, true],
  ])("with tokens required: %s", (required, loopback) => {
    test.each([
      ["the episode log cannot be written", "disk I/O error in /data", { logFailure: "disk I/O error in /data" }],
      ["the episode log's disk has little space", "The disk has 3 MiB.", { refusal: refusal("DISK_LOW") }],
      ["the episode log has reached its limit", "The disk has 3 MiB.", { refusal: refusal("LIMIT_LOG") }],
    ])("reports that %s, and shows the error only to a caller with a token", async (part, error, fault) => {
      const tokens = new TokenStore(scratchDir());
      const { secret } = tokens.create({ name: "ada", rights: [], maxEpisodes: 1 });
      const app = Fastify();
      app.setValidatorCompiler(validatorCompiler);
      app.setSerializerCompiler(serializerCompiler);
      registerAuth(app, { tokens, required, loopback, localExpert: false });
      registerHealth(app, { status: { ...healthy, ...fault } });
      const ask = async (authorization?: string) => {
        const { statusCode, payload } = await app.inject({
          url: "/readyz",
          headers: authorization === undefined ? {} : { authorization },
        });
        return [statusCode, JSON.parse(payload).detail];
      };
      expect(await ask()).toEqual([503, part]);
      expect(await ask("Bearer pal_unknown")).toEqual([503, part]);
      expect(await ask(`Bearer ${secret}`)).toEqual([503, expect.stringContaining(`${part}: ${error}`)]);
    });
  });

  test("is ready in a fleet whose shared log is full or lacks its standby, so that running episodes continue", async () => {
    const app = Fastify();
    app.setValidatorCompiler(validatorCompiler);
    app.setSerializerCompiler(serializerCompiler);
    const status = { ...healthy, isInFleet: true, logDurability: "local" as const, refusal: refusal("LIMIT_LOG") };
    registerHealth(app, { status: { ...status, lacksStandby: true } });
    const { statusCode, payload } = await app.inject({ url: "/readyz" });
    expect([statusCode, JSON.parse(payload).detail]).toEqual([200, "1 host, local log"]);
  });
});
