/** `palestra fleet` on a database with gyms that consist only of an open log. */
import { describe, expect, test } from "vitest";
import { gymDatabase } from "../../../support/databases.js";
import { eventually } from "../../../support/gym.js";
import { hurriedTimes } from "../../../support/hurry.js";
import { palestra } from "../../../support/palestra.js";
import { postgresFolder, sql } from "../../../support/postgres.js";
import { Rig } from "../../log/postgres-rig.js";

describe.skipIf(postgresFolder === null)("palestra fleet", () => {
  const openFleet = async () => {
    const url = await gymDatabase();
    const join = (address: string) => Rig.open({ url, node: { address }, times: hurriedTimes.fleet });
    const run = (...args: string[]) => palestra(["fleet", ...args], { PALESTRA_LOG_URL: url });
    return { url, join, run };
  };

  test("refuses unknown gyms, shards and settings as misuse", async () => {
    const { join, run } = await openFleet();
    await join("http://127.0.0.1:1");
    const refusals = [
      [["drain", "http://127.0.0.1:2"], /the address of a live gym \(http:\/\/127.0.0.1:1\), but received "http/],
      [["move", "4096", "http://127.0.0.1:1"], /shards such as 17 or 0-4095, but received "4096"/],
      [["move", "nonsense", "http://127.0.0.1:1"], /the id of an episode, or shards/],
    ] as const;
    for (const [args, message] of refusals)
      expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    const none = await palestra(["fleet", "status"], { PALESTRA_LOG_URL: undefined });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/received no log\.url\. Pass --log/) });
  });

  test("moves no shard to a gym that drains", async () => {
    const { join, run } = await openFleet();
    await join("http://127.0.0.1:1");
    const drains = await join("http://127.0.0.1:2");
    await drains.call("drainGym");
    const moved = () => run("move", "7", "http://127.0.0.1:2");
    await eventually(async () => /which starts or drains/.test((await moved()).stderr));
  });

  test("does not call a gym empty that has ended", async () => {
    const { url, join, run } = await openFleet();
    const gym = await join("http://127.0.0.1:1");
    await join("http://127.0.0.1:2");
    // These gyms consist only of a log, so none gives its shards away.
    const drained = run("drain", "http://127.0.0.1:1");
    const drains = () => sql(url, "SELECT 1 FROM palestra.nodes WHERE drains");
    await eventually(async () => (await drains()).length === 1);
    await gym.close();
    expect(await drained).toMatchObject({ code: 1, stderr: expect.stringMatching(/but received its end/) });
  });

  test("reports two gyms with the same address", async () => {
    const { join } = await openFleet();
    const [a] = await Promise.all([join("http://127.0.0.1:1"), join("http://127.0.0.1:1")]);
    const troubles: (string | null)[] = [];
    if (a) a.log.onTrouble = (cause) => troubles.push(cause);
    await eventually(() => troubles.length > 0);
    expect(troubles).toEqual([expect.stringMatching(/^another gym has the address http:\/\/127.0.0.1:1, too/)]);
  });
});
