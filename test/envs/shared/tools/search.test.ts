/** The tool `search` over the bundled pages and over a failing server. */
import { describe, expect, test } from "vitest";
import { TestRetrieveServer } from "../../../support/retrieve-server.js";
import { ownGym, played } from "../../custom/support.js";

describe("search", () => {
  test("shows the configured number of passages from the bundled pages", async () => {
    const gym = await ownGym({ tools: [{ search: { passages: 2 } }] });
    const { replies } = await played(gym, ["search capital of France", "search zzzzqqqq"]);
    expect(replies[0]?.observation).toMatch(/^1\. .+\n.+\n\n2\. .+\n/s);
    expect(replies[0]?.observation).not.toMatch(/^3\. /m);
    expect(replies[1]?.observation).toBe("Nothing was found.");
  });

  test("queries a server, whose failure fails the step but allows a retry", async () => {
    let isBroken = true;
    const server = await TestRetrieveServer.start((_, response) => {
      if (isBroken) return void response.writeHead(503).end();
      return { result: [[{ document: { id: "a", contents: "Rome\nA city." }, score: 1 }]] };
    });
    const gym = await ownGym({ tools: [{ search: { source: `retrieve:${server.url}` } }] });
    const { episodeId } = await gym.create({ environment: "own", task: { index: 0 } });
    const step = { episodeId, index: 0, action: "search Rome" };
    expect(await gym.refusal("step", step)).toMatchObject({ code: "SERVICE_FAILED", class: "infrastructure" });
    isBroken = false;
    expect((await gym.call("step", step)).observation).toBe("1. Rome\nA city.");
    // All episodes share one source, which outlives each of them.
    await gym.call("close", { episodeId });
    const { replies } = await played(gym, ["search Paris"]);
    expect(replies[0]?.observation).toBe("1. Rome\nA city.");
  });
});
