/** Tasks of WebArena-Verified, played in a browser on a forum and evaluated by answers and requests. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, onTestFinished } from "vitest";
import { app } from "#palestra/envs/webarena-lab/sites/forum/app.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";
import { testBrowser } from "../../support/browsers.js";
import { requests, responds } from "../shared/web-tasks/verified-specs.js";
import { idOf, officialTasks } from "./official-play.js";

const form = { sites: ["reddit"], intent_template_id: 6, start_urls: ["__REDDIT__"], revision: 2 };
const profile = "__REDDIT__/user/MarvelsGrantMan136";

const { openBenchmark } = officialTasks([
  {
    ...form,
    task_id: 0,
    intent: "Change my bio to 'I am a robot' in the forum",
    eval: [
      responds({ task_type: "mutate" }),
      requests({
        url: `${profile}/edit_biography`,
        http_method: "POST",
        response_status: 302,
        post_data: { biography: "I am a robot" },
      }),
    ],
  },
  {
    ...form,
    task_id: 1,
    intent: "Open the forum books",
    eval: [responds({ task_type: "navigate" }), requests({ url: "__REDDIT__/f/books" })],
  },
  {
    ...form,
    task_id: 2,
    intent: "Which forums have I subscribed to whose names begin with b?",
    eval: [
      responds(
        { task_type: "retrieve", retrieved_data: ["books", "boardgames"] },
        { type: "array", items: { type: "string" } },
      ),
    ],
  },
]);

/** Serves the bundled forum at its own address. */
async function openForum() {
  const world = openWorld();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request) => app.fetch(request, world),
  }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const done = (task_type: string, retrieved_data: unknown = null) =>
  `stop [${JSON.stringify({ task_type, status: "SUCCESS", retrieved_data, error_details: null })}]`;

testBrowser("a change is scored by its request", async () => {
  const { play } = openBenchmark(await openForum());
  const { step, observation } = await play(0);
  expect(observation).toContain(
    'OBJECTIVE: Change my bio to \'I am a robot\' in the forum\nAnswer with one line of JSON: {"task_type": "RETRIEVE"',
  );
  const shown = await step("goto [http://reddit.com/user/MarvelsGrantMan136/edit_biography]");
  const typed = await step(`type [${idOf(shown.observation, "textbox 'Biography'")}] [I am a robot] [0]`);
  await step(`click [${idOf(typed.observation, "button 'Save'")}]`);
  const { reward, info } = await step(done("MUTATE"));
  expect(info?.verdicts).toMatchObject([
    { type: "AgentResponseEvaluator", passed: true },
    { type: "NetworkEventEvaluator", passed: true },
  ]);
  expect(reward).toBe(1);
});

testBrowser(
  "a claimed change without its request scores 0, and the agent does not see the reason, which names the right request",
  async () => {
    const { step } = await openBenchmark(await openForum()).play(0);
    const { reward, info } = await step(done("MUTATE"));
    expect(reward).toBe(0);
    expect(info?.verdicts).toEqual([
      { type: "AgentResponseEvaluator", passed: true },
      { type: "NetworkEventEvaluator", passed: false },
    ]);
  },
);

testBrowser("a page is scored if it was the last one opened", async () => {
  const { play } = openBenchmark(await openForum());
  for (const [paths, expected] of [
    [["/f/books"], 1],
    [["/f/books", "/f/gadgets"], 0],
    [[], 0],
  ] as const) {
    const { step, environment } = await play(1);
    for (const path of paths) await step(`goto [http://reddit.com${path}]`);
    expect((await step(done("NAVIGATE"))).reward).toBe(expected);
    await environment.close();
  }
});

testBrowser("an answer is scored by its values in any order", async () => {
  const { play } = openBenchmark(await openForum());
  for (const [answer, expected] of [
    [done("RETRIEVE", ["boardgames", "Books"]), 1],
    [done("RETRIEVE", ["books"]), 0],
    [done("NAVIGATE", ["books", "boardgames"]), 0],
    ["stop [books, boardgames]", 0],
  ] as const) {
    const { step, environment } = await play(2);
    expect((await step(answer)).reward).toBe(expected);
    await environment.close();
  }
});
