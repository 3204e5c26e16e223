/** Pages that scripts fill after the `load` event. WebArena reads a page three seconds after it has loaded the page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import { openSite, testBrowser } from "../../support/browsers.js";
import { vote } from "../shared/web-tasks/verified-specs.js";
import { officialTasks } from "./official-play.js";

const form = { sites: ["reddit"], require_login: false, storage_state: null, geolocation: null, require_reset: false };
const filled = "document.querySelector('#x').value";
const delays = [200, 1_000, 2_500];

const evaluation = (more: object) => ({ reference_answers: null, reference_url: "", program_html: [], ...more });
const reads = (target: object) =>
  evaluation({
    eval_types: ["program_html"],
    program_html: [{ url: "last", locator: filled, required_contents: { exact_match: "honey" }, ...target }],
  });

const evaluations = [
  ...delays.map((ms) => reads({ url: `__REDDIT__/fills/${ms}` })),
  ...delays.map((ms) =>
    reads({ url: `__REDDIT__/fills/${ms}`, locator: "", required_contents: { must_include: ["bees"] } }),
  ),
  reads({ url: "__REDDIT__/fills/60000" }),
  reads({}),
  evaluation({ eval_types: ["url_match"], reference_url: "__REDDIT__/arrived", url_note: "GOLD in PRED" }),
  reads({ url: "__REDDIT__/opens/500", prep_actions: ["document.querySelector('button').click()"] }),
  reads({ url: "__REDDIT__/plain", required_contents: { exact_match: "wax" } }),
];

const verified = {
  sites: ["reddit"],
  intent_template_id: 6,
  start_urls: ["__REDDIT__/"],
  revision: 2,
  intent: "Vote.",
  eval: vote,
};

const { openBenchmark } = officialTasks([
  ...evaluations.map((each, id) => ({
    ...form,
    task_id: id,
    intent_template_id: id,
    start_url: "__REDDIT__/",
    intent: "Look.",
    eval: each,
  })),
  { ...verified, task_id: evaluations.length },
]);

type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void;
const html = (reply: ServerResponse, text: string) => void reply.setHeader("content-type", "text/html").end(text);
const later = (ms: number, script: string) => `<script>setTimeout(() => { ${script} }, ${ms});</script>`;
const fill = "document.querySelector('#x').value = 'honey'; document.body.append('bees');";

async function openForum() {
  const pages = Object.fromEntries(
    [...delays, 60_000].map((ms): [string, Answer] => [
      `/fills/${ms}`,
      (_, reply) => html(reply, `<input id="x">${later(ms, fill)}`),
    ]),
  );
  const site = await openSite({
    "/": "<h1>Forum</h1>",
    "/plain": `<input id="x" value="honey">`,
    "/arrived": "<h1>Arrived</h1>",
    "/leaves": (_, reply) => html(reply, later(1_500, "location.href = '/arrived'")),
    "/opens/500": (_, reply) =>
      html(
        reply,
        `<button>Open</button>${later(500, "document.querySelector('button').onclick = () => { const x = document.querySelector('#x'); if (x) x.remove(); else document.body.insertAdjacentHTML('beforeend', '<input id=x value=honey>'); }")}`,
      ),
    "/user/MarvelsGrantMan136/account": (_, reply) => html(reply, "<button>Delete</button>"),
    "/votes": (_, reply) => html(reply, later(1_500, "fetch('/vote', { method: 'POST' })")),
    "/vote": (_, reply) => html(reply, "done"),
    ...pages,
  });
  return { site, play: openBenchmark(site.url(""), { parallel: 2 }).play };
}

async function score(index: number, path?: string): Promise<{ reward: number; tookMs: number }> {
  const { site, play } = await openForum();
  const { step } = await play(index);
  if (path !== undefined) await step(`goto [${site.url(path)}]`);
  const begunAt = performance.now();
  const { reward } = await step(index === evaluations.length ? done : "stop");
  return { reward, tookMs: performance.now() - begunAt };
}

const done = `stop [${JSON.stringify({ task_type: "MUTATE", status: "SUCCESS", retrieved_data: null })}]`;

for (const [at, ms] of delays.entries()) {
  testBrowser(`a page that a script fills ${ms} ms after loading scores 1, by its field and by its text`, async () => {
    expect((await score(at)).reward).toBe(1);
    expect((await score(delays.length + at)).reward).toBe(1);
  });
}

testBrowser("a page that is still not filled after three seconds scores 0", async () => {
  const { reward, tookMs } = await score(6);
  expect(reward).toBe(0);
  expect(tookMs).toBeGreaterThanOrEqual(3_000);
});

testBrowser("the agent's last page also gets three seconds, even to redirect to another address", async () => {
  expect((await score(7, "/fills/2500")).reward).toBe(1);
  expect((await score(8, "/leaves")).reward).toBe(1);
});

testBrowser("a preparation runs once, after three seconds", async () => {
  expect((await score(9)).reward).toBe(1);
});

testBrowser("a page without scripts scores 0 before a page with a script", async () => {
  const { play } = await openForum();
  const plays = await Promise.all([6, 10].map(play));
  const order: number[] = [];
  const stop = async ({ step }: (typeof plays)[number], at: number) => {
    expect((await step("stop")).reward).toBe(0);
    order.push(at);
  };
  await Promise.all(plays.map(stop));
  expect(order).toEqual([1, 0]);
});

testBrowser("a request that a page sends after the last action counts for WebArena-Verified", async () => {
  expect((await score(evaluations.length, "/votes")).reward).toBe(1);
});
