/**
 * Sites and pages that fail, give false replies or never end. Each causes a typed failure or an observation, and never
 * a wrong score.
 */
import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { siteSettings } from "#palestra/envs/webarena/settings.js";
import type { Site } from "#palestra/sandboxes/check-browser/subject.js";
import { openSite, testBrowser } from "../../support/browsers.js";
import { idOf, officialTasks } from "./official-play.js";

const task = {
  sites: ["reddit"],
  task_id: 0,
  require_login: true,
  storage_state: "./.auth/reddit_state.json",
  start_url: "__REDDIT__/",
  geolocation: null,
  require_reset: false,
  intent_template_id: 0,
  intent: "Say which word the front page has in bold.",
  eval: {
    eval_types: ["string_match"],
    reference_answers: { exact_match: "honey" },
    reference_url: "",
    program_html: [],
  },
};
const open = { ...task, task_id: 1, require_login: false, storage_state: null };
const changed = {
  ...open,
  task_id: 2,
  eval: {
    eval_types: ["program_html"],
    reference_answers: null,
    reference_url: "",
    program_html: [{ url: "__REDDIT__/state", locator: "", required_contents: { must_include: ["done"] } }],
  },
};
const { folder, openBenchmark } = officialTasks([task, open, changed]);

type Answers = Record<string, string | ((incoming: IncomingMessage, reply: ServerResponse) => void)>;

/** Opens a forum whose sessions can be ended. */
async function openForum(more: Answers = {}) {
  const sessions = new Set<string>();
  let logins = 0;
  const sessionOf = ({ headers }: IncomingMessage) => /sid=(\w+)/.exec(headers.cookie ?? "")?.[1] ?? "";
  const html = (reply: ServerResponse, text: string) => void reply.setHeader("content-type", "text/html").end(text);
  const site = await openSite({
    "/": `<title>Forum</title><b>honey</b> <a href="/next">Next</a> <a href="/endless">Endless</a>`,
    "/login": (incoming, reply) => {
      if (incoming.method !== "POST")
        return html(
          reply,
          `<form method="post"><label>Username <input name="u"></label><label>Password <input name="p" type="password"></label><button>Log in</button></form>`,
        );
      logins += 1;
      sessions.add(`s${logins}`);
      reply.writeHead(303, { location: "/", "set-cookie": `sid=s${logins}; Path=/` }).end();
    },
    "/user/MarvelsGrantMan136/account": (incoming, reply) => {
      if (sessions.has(sessionOf(incoming))) return html(reply, "<button>Delete</button>");
      reply.writeHead(302, { location: "/login" }).end();
    },
    ...more,
  });
  return { site, sessions, logins: () => logins };
}

function openEnvironment(site: Site | string) {
  return openBenchmark(typeof site === "string" ? site : site.url(""));
}

const failed = (expected: RegExp) => ({ name: "ServiceFailed", message: expect.stringMatching(expected) });

testBrowser("a login is made once, kept, and repeated after it has expired", async () => {
  const { site, sessions, logins } = await openForum();
  const { play } = openEnvironment(site);
  for (const expected of [1, 1]) {
    const { step, environment } = await play(0);
    expect(logins()).toBe(expected);
    expect((await step("```stop [honey]```")).reward).toBe(1);
    await environment.close();
  }
  sessions.clear();
  const { step } = await play(0);
  expect(logins()).toBe(2);
  expect((await step("stop [wax]")).reward).toBe(0);
});

testBrowser("a login that expires within an episode is a failure of the site and gives no score", async () => {
  const { site, sessions } = await openForum();
  const { step } = await openEnvironment(site).play(0);
  sessions.clear();
  await expect(step("stop [honey]")).rejects.toMatchObject(failed(/a login on reddit that lasts/));
});

testBrowser("wrong credentials are reported at the reset", async () => {
  const { site } = await openForum({
    "/user/MarvelsGrantMan136/account": (_, reply) => void reply.writeHead(403).end(),
  });
  await expect(openEnvironment(site).play(0)).rejects.toMatchObject(failed(/a login on reddit as MarvelsGrantMan136/));
});

testBrowser("a site that is down is a failure at the reset, in a step and at the end", async () => {
  await expect(openEnvironment("http://127.0.0.1:9").play(1)).rejects.toMatchObject(failed(/a site at/));
  const { site } = await openForum();
  const { step, observation } = await openEnvironment(site).play(1);
  const ending = await openEnvironment(site).play(2);
  site.close();
  await expect(step(`click [${idOf(observation, "link 'Next'")}]`)).rejects.toMatchObject(
    failed(/destination unavailable/),
  );
  await expect(ending.step("stop")).rejects.toMatchObject(failed(/a site at|the page/));
});

testBrowser("a site's own error is shown to the agent, and gives no score at the end", async () => {
  const broken = (_: IncomingMessage, reply: ServerResponse) => void reply.writeHead(500).end("<h1>Broken</h1>");
  const { site } = await openForum({ "/next": broken, "/state": broken });
  const { step, observation } = await openEnvironment(site).play(2);
  expect((await step(`click [${idOf(observation, "link 'Next'")}]`)).observation).toContain("Broken");
  await expect(step("stop")).rejects.toMatchObject(failed(/status 500/));
});

testBrowser("a page that never loads leaves the agent on the current page", async () => {
  const { site } = await openForum({ "/endless": () => {} });
  const { step, observation } = await openEnvironment(site).play(1);
  expect((await step(`click [${idOf(observation, "link 'Endless'")}]`)).observation).toContain("link 'Next'");
});

testBrowser("a redirect to a host outside the list is refused without a failure of the site", async () => {
  const outside = await openSite({ "/": "<h1>Outside</h1>" });
  const { site } = await openForum({
    "/next": (_, reply) => void reply.writeHead(302, { location: outside.url() }).end(),
  });
  const { step, observation } = await openEnvironment(site).play(1);
  const next = await step(`click [${idOf(observation, "link 'Next'")}]`);
  expect(next.observation).not.toContain("Outside");
  expect(outside.asked).toEqual([]);
  expect((await step("stop [honey]")).reward).toBe(1);
});

testBrowser("a site that redirects to another address is refused at the reset", async () => {
  const { site } = await openForum({
    "/": (_, reply) => void reply.writeHead(302, { location: "http://shop.test/" }).end(),
  });
  await expect(openEnvironment(site).play(1)).rejects.toMatchObject(failed(/a redirect to http:\/\/shop\.test\//));
});

testBrowser("a page of 20 MB is shown, and one of 100,000 elements is reported as too large", async () => {
  const { site } = await openForum({
    "/large": `<title>Large</title><h1>Large</h1><!--${"x".repeat(20 * 2 ** 20)}--><p>end</p>`,
    "/many": `<title>Many</title><h1>Many</h1>${"<div><i>x</i></div>".repeat(50_000)}`,
  });
  const { step } = await openEnvironment(site).play(1);
  expect((await step(`goto [${site.url("/large")}]`)).observation).toContain("heading 'Large'");
  const { observation } = await step(`goto [${site.url("/many")}]`);
  expect(observation).toContain("The page has 100005 elements. Pages of more than 20000 are not shown.");
  expect((await step("go_back")).observation).toContain("heading 'Large'");
});

testBrowser("invalid settings are refused with the expected values", async () => {
  const path = join(folder, "sites.json");
  const told = (text: string) => {
    writeFileSync(path, text);
    return () => siteSettings({ PALESTRA_WEBARENA_SITES: path });
  };
  expect(told("{")).toThrow(/expected valid settings of WebArena's sites in .*sites\.json/);
  expect(told(`{"sites": {"reddit": {}}}`)).toThrow(/expected either url or machine/);
  expect(told(`{"sites": {"redit": {"url": "http://a.test"}}}`)).toThrow(/redit/);
  expect(() => siteSettings({ PALESTRA_WEBARENA_SITES: join(folder, "none.json") })).toThrow(/none\.json/);
  expect(siteSettings({ XDG_DATA_HOME: folder, REDDIT: "http://forum.test:9999/" })).toMatchObject({
    reddit: { url: "http://forum.test:9999" },
  });
});
