/**
 * Three gyms on a PostgreSQL server with a standby, while gyms are killed and frozen, connections fail, and the database
 * is restarted and replaced. The full run is the bench `fleet-chaos`.
 */
import { describe, expect, test } from "vitest";
import { runChaos } from "../support/chaos/run.js";
import { postgresFolder } from "../support/postgres.js";

describe.skipIf(postgresFolder === null)("a fleet whose gyms, connections and database fail", () => {
  test("loses and doubles no acknowledged step, and changes no reply", async () => {
    const { faults, services, ...figures } = await runChaos({
      ...{ episodes: 60, agentgym: 6, seed: 26, kills: 4, freezes: 1, freezeMs: 14_000 },
      ...{ longSilences: 0, shortSilences: 1, resets: 1, restarts: 1, crashes: 1, failOvers: 1 },
      onFault: (text) => console.info(text),
    });
    console.info(JSON.stringify(figures));
    expect(faults).toEqual([]);
    expect(figures.episodes).toBe(60);
    expect(figures.unanswered, "calls that a fault left without a reply").toBeGreaterThan(20);
    expect(figures.refused, "calls refused for a rival's step").toBeGreaterThan(20);
    expect(Math.max(...(services.get("kill") as number[]))).toBeLessThan(15_000);
  });
});
