/** A third-party site, run in a container like the benchmark's own sites. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { parseWebAction } from "#palestra/envs/shared/browser/actions/web-action.js";
import { WebArena } from "#palestra/envs/shared/web-tasks/env.js";
import { viewport } from "#palestra/envs/shared/web-tasks/options.js";
import { OfficialBenchmark } from "#palestra/envs/webarena/benchmark.js";
import { siteSettings } from "#palestra/envs/webarena/settings.js";
import { click, Plan, type PlanStep, stop, type } from "#palestra/envs/webarena-lab/plan.js";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { missing } from "../../support/browsers.js";
import { testDocker } from "../../support/docker.js";
import { fossilFolder, fossilSettings } from "../../support/fossil.js";
import { scratchDir } from "../../support/gym.js";

const base = {
  sites: ["gitlab"],
  require_login: true,
  storage_state: "./.auth/gitlab_state.json",
  geolocation: null,
  require_reset: false,
};
const nothing = { reference_answers: null, reference_url: "", program_html: [] };
const tasks = [
  {
    ...base,
    task_id: 0,
    start_url: "__GITLAB__/wiki?name=Home",
    intent_template_id: 0,
    intent: "How many hives are there? Answer with the number.",
    eval: { ...nothing, eval_types: ["string_match"], reference_answers: { exact_match: "17" } },
  },
  {
    ...base,
    task_id: 1,
    start_url: "__GITLAB__/tktnew",
    intent_template_id: 1,
    intent: "Open a ticket with the title 'Queen is missing'.",
    eval: {
      ...nothing,
      eval_types: ["program_html"],
      program_html: [
        { url: "__GITLAB__/rptview?rn=1", locator: "", required_contents: { must_include: ["Queen is missing"] } },
      ],
    },
  },
];

const browsers = new BrowserProvider({ browsers: 1, warmContexts: 0 });
let folder = "";
beforeAll(() => {
  folder = scratchDir();
  process.env.XDG_DATA_HOME = folder;
  mkdirSync(join(folder, "palestra/webarena/tasks"), { recursive: true });
  writeFileSync(join(folder, "palestra/webarena/tasks/test.json"), JSON.stringify(tasks));
});
afterAll(() => browsers.close());

const countHives = [click("link", "Numbers"), stop("17")];
const openTicket = [
  type("", "Queen is missing", "one-line summary"),
  click("button", "Preview"),
  click("button", "Submit"),
  stop(),
];

testDocker(
  "a site is started, logged in to, played, evaluated and recreated after a change",
  async (address, context) => {
    if (missing) context.skip(missing);
    const machines = new DockerProvider({ engines: [address] });
    try {
      writeFileSync(join(folder, "sites.json"), JSON.stringify({ sites: { gitlab: fossilSettings(fossilFolder()) } }));
      process.env.PALESTRA_WEBARENA_SITES = join(folder, "sites.json");
      const benchmark = new OfficialBenchmark(machines, siteSettings());
      const play = async (index: number, steps: readonly PlanStep[]) => {
        const environment = new WebArena({ sandboxes: { browsers } }, benchmark);
        const signal = AbortSignal.timeout(240_000);
        const plan = new Plan(steps);
        try {
          const opening = await environment.reset(
            { task: { split: "test", index }, seed: 0, options: { observation: "tree", extent: "viewport" } },
            signal,
          );
          const seen = [opening.observation];
          for (;;) {
            const action = plan.next(environment.shown, viewport);
            if (action === null) throw new Error(`expected a next step on this page:\n${seen.at(-1)}`);
            plan.played(parseWebAction(action), environment.shown, viewport);
            const result = await environment.step(action, signal);
            if (result.terminated) return { reward: result.reward, seen, info: result.info };
            seen.push(result.observation);
          }
        } finally {
          await environment.close();
        }
      };
      const found = await play(0, countHives);
      expect(found).toMatchObject({ reward: 1 });
      expect(found.seen[0]).toContain("URL: http://gitlab.com/wiki?name=Home");
      expect(found.seen[0]).toContain("link 'Numbers'");
      expect(await play(0, [stop("18")])).toMatchObject({ reward: 0 });
      expect(await play(1, [stop()])).toMatchObject({ reward: 0 });
      expect(await play(1, openTicket)).toMatchObject({ reward: 1 });
      // The ticket was removed with its container.
      expect(await play(1, [stop()])).toMatchObject({ reward: 0 });
    } finally {
      await machines.close();
    }
  },
);
