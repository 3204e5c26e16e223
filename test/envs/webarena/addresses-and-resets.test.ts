/** Sites with a `url`: the address at which the gym checks them, and their resets. */
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Site } from "#palestra/envs/webarena/site.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { openSite, testBrowser } from "../../support/browsers.js";
import { idOf, officialTasks } from "./official-play.js";

const task = {
  task_id: 0,
  require_login: false,
  storage_state: null,
  geolocation: null,
  require_reset: false,
  intent_template_id: 0,
  intent: "Look.",
  eval: { eval_types: ["string_match"], reference_answers: { exact_match: "x" }, reference_url: "", program_html: [] },
};
const { folder, openBenchmark } = officialTasks([
  { ...task, sites: ["wikipedia"], start_url: "__WIKIPEDIA__" },
  { ...task, task_id: 1, sites: ["reddit"], start_url: "__REDDIT__/" },
]);

testBrowser("a site whose address is a page is checked at that page, without a slash after it", async () => {
  const landing = "/wikipedia_en_all_maxi_2022-05/A/User:The_other_Kiwix_guy/Landing";
  // The server behaves like kiwix-serve 3.3.0.
  const none = (_: IncomingMessage, reply: ServerResponse) => void reply.writeHead(404).end();
  const wiki = await openSite({ [landing]: "<h1>Encyclopedia</h1>", [`${landing}/`]: none });
  const others = { wikipedia: { url: wiki.url(landing), resetAfter: "change", parallel: 1 } };
  const { observation } = await openBenchmark("http://127.0.0.1:9", {}, others).play(0);
  expect(observation).toContain("heading 'Encyclopedia'");
});

testBrowser("after its reset command, a site that is still starting is awaited", async () => {
  const mark = join(folder, "reset");
  let refusals = 0;
  const forum = await openSite({
    "/": (_: IncomingMessage, reply: ServerResponse) => {
      reply.setHeader("content-type", "text/html");
      if (!existsSync(mark) || refusals === 2) return void reply.end("<form method=post><button>Vote</button></form>");
      refusals += 1;
      reply.writeHead(502).end();
    },
  });
  const { play } = openBenchmark(forum.url(""), { reset: { command: ["touch", mark] } });
  const first = await play(1);
  await first.step(`click [${idOf(first.observation, "button 'Vote'")}]`);
  await first.environment.close();
  expect(existsSync(mark)).toBe(false);
  expect((await play(1)).observation).toContain("button 'Vote'");
  expect(refusals).toBe(2);
});

testBrowser("a site that was changed before a restart of the gym is reset once after the restart", async () => {
  const page = (_: IncomingMessage, reply: ServerResponse) =>
    void reply.setHeader("content-type", "text/html").end("<form method=post><button>Vote</button></form>");
  const forum = await openSite({ "/": page });
  const log = join(folder, "resets");
  const settings = { reset: { command: ["sh", "-c", 'echo reset >> "$0"', log] } };
  const resets = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0);
  const first = await openBenchmark(forum.url(""), settings).play(1);
  await first.step(`click [${idOf(first.observation, "button 'Vote'")}]`);
  await first.environment.close();
  expect(resets()).toBe(0);
  for (let restart = 0; restart < 2; restart++) {
    const { environment } = await openBenchmark(forum.url(""), settings).play(1);
    await environment.close();
    expect(resets()).toBe(1);
  }
});

test("an episode that waits too long for a site fails with the remedy, and the next one gets the site", async () => {
  const forum = await openSite({ "/": "<h1>Forum</h1>" });
  const settings = { url: forum.url(""), resetAfter: "change", parallel: 1 } as const;
  const site = new Site("reddit", settings, {} as MachineProvider, 50);
  const { signal } = new AbortController();
  const copy = await site.take(signal);
  await expect(site.take(signal)).rejects.toMatchObject({
    name: "ServiceFailed",
    message: expect.stringContaining("Play fewer episodes at the same time"),
  });
  site.giveBack(copy);
  expect(await site.take(signal)).toBe(copy);
});
