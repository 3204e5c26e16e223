/** Tasks on their pages in Chromium, played by the expert and by hand. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MiniWob } from "#palestra/envs/miniwob/env.js";
import { solvers } from "#palestra/envs/miniwob/solvers/index.js";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import { missing } from "../../support/browsers.js";
import { getPages } from "../../support/miniwob.js";

/** One or two tasks per kind of solver, including clipboards, dialogs, pictures, animations and timers. */
const sample = [
  ...["click-tab-2", "click-collapsible-2", "copy-paste", "enter-date", "choose-list", "social-media", "email-inbox"],
  ...["choose-date-medium", "use-slider", "click-shape", "drag-items", "simon-says"],
];
const playsAll = Boolean(process.env.PALESTRA_TEST_ALL);
const solved = 0.9;
const most = 15;

const browsers = new BrowserProvider({ browsers: 1 });
let lacking = missing;
beforeAll(async () => {
  lacking ??= await getPages();
});
afterAll(() => browsers.close());

function testPage(title: string, run: () => Promise<void>, timeoutMs = 180_000): void {
  test(title, { timeout: timeoutMs }, async (context) => {
    if (lacking) context.skip(lacking);
    await run();
  });
}

const signal = () => AbortSignal.timeout(120_000);

async function withTask<T>(
  task: string,
  seed: number,
  use: (environment: MiniWob, first: string) => Promise<T>,
  options = { picture: "none" },
): Promise<T> {
  const environment = new MiniWob({ sandboxes: { browsers } });
  try {
    const request = { task: { split: task, index: seed }, seed: 0, options };
    return await use(environment, (await environment.reset(request, signal())).observation);
  } finally {
    await environment.close();
  }
}

function globalsOf(environment: MiniWob): Promise<unknown> {
  return environment.visited?.page.evaluate("[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]") as Promise<unknown>;
}

/** @returns the observations as text, and the reward */
function playExpert(task: string, seed: number) {
  return withTask(task, seed, async (environment, first) => {
    const seen = [first];
    for (let step = 0; step < most; step++) {
      const action = environment.advise();
      if (action === null) break;
      const result = await environment.step(action, signal());
      seen.push(`>>> ${action}`, result.observation);
      expect(await globalsOf(environment)).toEqual([result.terminated, result.reward]);
      if (result.terminated) return { seen, reward: result.reward };
    }
    return { seen, reward: Number.NaN };
  });
}

describe("the expert", () => {
  for (const task of playsAll ? Object.keys(solvers) : sample) {
    const seeds = Array.from({ length: playsAll ? 10 : 1 }, (_, seed) => seed);
    testPage(`it solves ${task}, and its rewards are those of the page`, async () => {
      for (const seed of seeds) {
        const { seen, reward } = await playExpert(task, seed);
        expect(reward, `seed ${seed}:\n${seen.join("\n")}`).toBeGreaterThanOrEqual(solved);
      }
    });
  }
});

describe("an episode", () => {
  testPage("the same seed and actions give the same bytes, including pictures", async () => {
    const tasks = { "click-collapsible-2": ["click [3]", "wait [0.3]"], "email-inbox": ["click [5]", "hover [3]"] };
    for (const [task, actions] of Object.entries({ ...tasks, "stock-market": ["wait [1.5]"] })) {
      const play = () =>
        withTask(
          task,
          3,
          async (environment, first) => {
            const results = [first];
            for (const action of actions) results.push(JSON.stringify(await environment.step(action, signal())));
            return results;
          },
          { picture: "png" },
        );
      expect(await play()).toEqual(await play());
    }
  });

  testPage("another seed gives another problem", async () => {
    const tell = (seed: number) => withTask("enter-text", seed, async (_, first) => first);
    expect(await tell(0)).not.toBe(await tell(1));
  });

  testPage("a wrong click gets the page's own reward and ends the task", async () => {
    await withTask("click-test-2", 0, async (environment) => {
      const two = /\[(\d+)\] button 'TWO'/.exec(environment.visited?.sight.text ?? "")?.[1];
      const result = await environment.step(`click [${two}]`, signal());
      expect(result).toMatchObject({ reward: -1, terminated: true, truncated: false });
      expect(await globalsOf(environment)).toEqual([true, -1]);
      expect(environment.advise()).toBeNull();
      await expect(environment.step("click [1]", signal())).rejects.toThrow(
        "No episode is in progress. Reset the environment before the next step.",
      );
    });
  });

  testPage("actions that cannot be performed are reported, and no time passes", async () => {
    await withTask("choose-list", 0, async (environment, first) => {
      const list = /\[(\d+)\] combobox/.exec(first)?.[1];
      const wrong = {
        "dance [3]": "Invalid action dance [3]",
        "goto [http://miniwob.test]": "there is no goto here",
        "click [999]": "expected the number of an element that is shown, but received [999]",
        [`click [${list}]`]: "expected select [id] [entry] for a list of choices",
        [`select [${list}] [Nobody]`]: 'expected one of "',
        "press [NoSuchKey]": "Unknown key",
      };
      for (const [action, message] of Object.entries(wrong)) {
        const { observation, reward, terminated, info } = await environment.step(action, signal());
        expect({ reward, terminated }).toEqual({ reward: 0, terminated: false });
        expect(info.fault).toContain(message);
        expect(observation).toBe(`${info.fault}\n\n${first}`);
      }
    });
  });

  testPage("time passes only with actions", async () => {
    await withTask("stock-market", 0, async (environment) => {
      const now = () => environment.visited?.page.evaluate("Date.now()") as Promise<number>;
      const before = await now();
      await new Promise((done) => setTimeout(done, 300));
      expect(await now()).toBe(before);
      await environment.step("wait [2.5]", signal());
      expect(await now()).toBe(before + 2_500);
      await environment.step("hover_at [5] [5]", signal());
      expect(await now()).toBe(before + 3_500);
    });
  });

  testPage("no real time is on the page's clocks, by which animations run", async () => {
    await withTask("stock-market", 0, async (environment) => {
      const { page } = environment.visited ?? {};
      expect(await page?.evaluate("Date.now() - performance.timeOrigin - performance.now()")).toBe(0);
    });
  });

  testPage("the page's score displays and its cover are never shown", async () => {
    await withTask("click-checkboxes", 0, async (environment, first) => {
      const hidden = /Last reward|Time left|Episodes done|START|sync-task-cover|click-canvas|reward-display/;
      expect(first).not.toMatch(hidden);
      const result = await environment.step("click_at [5] [5]", signal());
      expect(result.observation).not.toMatch(hidden);
      const { page } = environment.visited ?? {};
      for (const id of ["reward-display", "click-canvas", "sync-task-cover"])
        expect(await page?.evaluate(`document.getElementById("${id}").getClientRects().length`)).toBe(0);
    });
  });

  testPage("pages do not share a clipboard", async () => {
    const field = (text: string) => /\[(\d+)\] textbox '' required: False(?!\n\t+\[\d+\] StaticText)/.exec(text)?.[1];
    await withTask("copy-paste", 0, async (environment, first) => {
      const from = /\[(\d+)\] textbox '' required: False\n\t+\[\d+\] StaticText/.exec(first)?.[1];
      for (const action of [`click [${from}]`, "press [Ctrl+a]", "press [Ctrl+c]"])
        await environment.step(action, signal());
      await withTask("enter-text", 0, async (other, text) => {
        await other.step(`click [${field(text)}]`, signal());
        const { observation } = await other.step("press [Ctrl+v]", signal());
        expect(observation).not.toContain("textbox '' focused: True required: False\n\t\t");
      });
    });
  });
});
