/** Task files, and the addresses of sites. */
import { describe, expect, test } from "vitest";
import { readTaskFile } from "#palestra/envs/shared/web-tasks/tasks/format.js";
import { sitesOf, toPublic, toReal } from "#palestra/envs/shared/web-tasks/tasks/sites.js";
import { withAddresses } from "#palestra/envs/shared/web-tasks/tasks/web-task.js";

const task = {
  sites: ["shopping"],
  task_id: 7,
  require_login: true,
  storage_state: "./.auth/gitlab.reddit_state.json",
  start_url: "__SHOPPING__/a |AND| __SHOPPING__/b",
  geolocation: null,
  intent_template_id: 145,
  intent: "Buy a candle",
  require_reset: false,
  string_note: "a stray field",
  eval: {
    eval_types: ["url_match", "program_html"],
    reference_answers: null,
    reference_url: "__SHOPPING__/cart",
    program_html: [{ url: "__SHOPPING__/cart", locator: "", required_contents: { must_include: ["a |OR| b"] } }],
  },
};

const response = (results_schema: object, retrieved_data: unknown) => ({
  evaluator: "AgentResponseEvaluator",
  results_schema,
  expected: { task_type: "retrieve", status: "SUCCESS", retrieved_data },
});

describe("a task file", () => {
  test("is read in order of number, and placeholders are replaced by addresses", () => {
    const text = JSON.stringify([task, { ...task, task_id: 3, sites: ["map", "shopping"], start_url: "__MAP__" }]);
    const { tasks: read, broken } = readTaskFile(text);
    expect(broken).toEqual([]);
    expect(read.map(({ missing }) => missing)).toEqual([["shopping", "map"], ["shopping"]]);
    const tasks = read.map((one) => withAddresses(one, { shopping: "http://127.0.0.1:7770" }));
    expect(tasks.map(({ id, missing }) => [id, missing])).toEqual([
      [3, ["map"]],
      [7, []],
    ]);
    expect(tasks[1]).toMatchObject({
      startUrls: ["http://127.0.0.1:7770/a", "http://127.0.0.1:7770/b"],
      logins: ["gitlab", "reddit"],
      template: 145,
      evaluation: { kind: "original", spec: { reference_url: "http://127.0.0.1:7770/cart" } },
    });
  });

  test("may hold a single task", () => {
    expect(readTaskFile(JSON.stringify(task)).tasks).toHaveLength(1);
  });

  test.each([
    [{ eval: { ...task.eval, eval_types: ["guess"] } }, "eval.eval_types"],
    [{ sites: ["bank"] }, "sites"],
    [{ eval: { ...task.eval, reference_url: "" } }, "expected a reference URL"],
    [{ eval: { ...task.eval, url_note: "EXACT" } }, "url_note"],
    [{ intent: 5 }, "intent"],
  ])("reports a task that cannot be played: %j", (change, reason) => {
    const { tasks, broken } = readTaskFile(JSON.stringify([task, { ...task, task_id: 8, ...change }, 5]));
    expect(tasks).toHaveLength(1);
    expect(broken).toEqual([
      { name: "task 8", reason: expect.stringContaining(reason) },
      { name: "entry 2", reason: expect.any(String) },
    ]);
  });

  test("may be WebArena-Verified's", () => {
    const verified = { ...task, start_urls: ["__SHOPPING__/a"], eval: [response({ type: "null" }, null)] };
    const wrong = { ...verified, task_id: 8, eval: [{ evaluator: "Guess" }] };
    const unsolvable = {
      ...verified,
      task_id: 9,
      eval: [response({ type: "array", items: { type: "number" } }, ["x"])],
    };
    const file = readTaskFile(JSON.stringify([unsolvable, wrong, verified]));
    expect(file.tasks).toMatchObject([
      { id: 7, startUrls: ["__SHOPPING__/a"], logins: ["shopping"], evaluation: { kind: "verified" } },
      { id: 9 },
    ]);
    expect(file.entries).toEqual([verified, unsolvable]);
    expect(file.broken).toEqual([{ name: "task 8", reason: expect.stringContaining("AgentResponseEvaluator") }]);
    expect(file.unsolvable).toEqual([{ name: "task 9", reason: expect.stringContaining("of the format") }]);
    const [one] = file.tasks;
    expect(one && withAddresses(one, { shopping: "http://127.0.0.1:7770" })).toMatchObject({
      startUrls: ["http://127.0.0.1:7770/a"],
      // Evaluators compare placeholders.
      evaluation: { evaluators: verified.eval },
    });
  });

  test("without a task is refused", () => {
    expect(() => readTaskFile("[]")).toThrow("no task of WebArena can be run: the file has no tasks");
    expect(() => readTaskFile("{")).toThrow();
  });
});

describe("the sites", () => {
  test("are read from BrowserGym's or WebArena's variables, without trailing slashes", () => {
    const told = { SHOPPING: "http://a/", WA_SHOPPING: "http://b//", WA_MAP: "todo", HOMEPAGE: "PASS", REDDIT: "" };
    expect(sitesOf(told)).toEqual({ shopping: "http://b" });
    expect(() => sitesOf({ WA_REDDIT: "reddit:9999" })).toThrow(
      "expected WA_REDDIT to be an http:// or https:// address",
    );
  });

  test("have public addresses, and the longest real address is replaced first", () => {
    const sites = { shopping: "http://h:7770", shopping_admin: "http://h:7770/admin" } as const;
    expect(toPublic("http://h:7770/admin/sales and http://h:7770/cart", sites)).toBe(
      "http://luma.com/admin/sales and http://onestopmarket.com/cart",
    );
    expect(toReal("goto [https://luma.com/admin/sales]", sites)).toBe("goto [http://h:7770/admin/sales]");
  });
});
