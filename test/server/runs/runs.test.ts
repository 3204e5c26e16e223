/** The operations of /v1/runs on folders of the trainer, and on damaged and hostile folders. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { writePlan } from "#palestra/trainer/evaluation/plan-file.js";
import { openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { episodeRecord, writeEvaluation, writeGroups, writeMetrics } from "../../support/run-folders.js";

async function gymOf(write: (folder: string) => void): Promise<{ gym: TestGym; folder: string }> {
  const folder = scratchDir();
  write(folder);
  return { gym: await openGym({ runs: [folder] }), folder };
}

const steps = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const stepsOf = ({ records }: { records: { step: number }[] }) => records.map(({ step }) => step);

test("the list has training runs and evaluations with their state, also from nested folders", async () => {
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "lab", "one"), steps(3));
    writeEvaluation(join(folder, "eval"), [episodeRecord(0), episodeRecord(1)]);
    mkdirSync(join(folder, "no-run"));
    writeFileSync(join(folder, "notes.txt"), "x");
  });
  const { runs, truncated } = await gym.call("listRuns");
  expect(truncated).toBe(false);
  const byName = Object.fromEntries(runs.map((run) => [run.run, run]));
  expect(Object.keys(byName).sort()).toEqual(["eval", "lab/one"]);
  expect(byName["lab/one"]).toMatchObject({
    kind: "training",
    problem: null,
    live: true,
    summary: { trainSteps: 3, successRate: 3 / 8, totalTrainSteps: null },
  });
  expect(byName.eval).toMatchObject({
    kind: "evaluation",
    summary: { environment: "textcraft@1", policy: "p", episodes: 2, successRate: 0.5, meanScore: 0.05, planned: null },
  });
  expect(await gym.call("getRun", { run: "lab/one" })).toMatchObject({
    run: "lab/one",
    settings: {},
    groupSteps: null,
  });
});

test("a run whose files are old is not live", async () => {
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "one"), steps(1));
    utimesSync(join(folder, "one", "metrics.jsonl"), 1_700_000_000, 1_700_000_000);
  });
  const { runs } = await gym.call("listRuns");
  expect(runs.map(({ live, updatedAt }) => [live, updatedAt])).toEqual([[false, "2023-11-14T22:13:20.000Z"]]);
});

test("the list follows runs that grow, end, appear and disappear", async () => {
  const { gym, folder } = await gymOf((at) => {
    writeMetrics(join(at, "lab", "a"), steps(2));
    writeEvaluation(join(at, "e"), [episodeRecord(0)]);
  });
  // The folders changed long ago, so the search uses its cache for them.
  for (const name of ["", "lab", "lab/a", "e"]) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
  await setTimeout(2_100);
  const listed = async () => {
    // The list of folders is cached for one second.
    await setTimeout(1_100);
    const { runs } = await gym.call("listRuns");
    return Object.fromEntries(runs.map(({ run, live, summary }) => [run, [live, Object.values(summary).slice(0, 4)]]));
  };
  const before = await listed();
  expect(await listed()).toEqual(before);
  expect(before).toMatchObject({
    "lab/a": [true, [2, 0.25, null, null]],
    e: [true, ["textcraft@1", "all", "p", null]],
  });

  writeMetrics(join(folder, "lab", "a"), [3, 4, 5], 2);
  writeMetrics(join(folder, "lab", "b"), steps(1));
  appendFileSync(join(folder, "e", "episodes.jsonl"), `${JSON.stringify(episodeRecord(1))}\n`);
  const { runs } = await gym.call("listRuns");
  expect(runs.find(({ run }) => run === "e")?.summary).toMatchObject({ episodes: 2, successRate: 0.5 });
  expect(await listed()).toMatchObject({
    "lab/a": [true, [5, 5 / 8, null, null]],
    "lab/b": [true, [1, 1 / 8, null, null]],
  });

  writeFileSync(join(folder, "lab", "a", "run.json"), JSON.stringify({ endedAt: "2026-01-01T00:00:00Z" }));
  writeFileSync(join(folder, "e", "report.json"), JSON.stringify({ complete: true, k: 4 }));
  rmSync(join(folder, "lab", "b"), { recursive: true });
  const after = await listed();
  expect(Object.keys(after).sort()).toEqual(["e", "lab/a"]);
  expect(after).toMatchObject({ "lab/a": [false, [5, 5 / 8, null, null]], e: [false, ["textcraft@1", "all", "p", 4]] });
});

test("metrics are read in pages, and a later call reads only new lines", async () => {
  const { gym, folder } = await gymOf((at) => writeMetrics(join(at, "a"), steps(5)));
  const first = await gym.call("runMetrics", { run: "a", limit: 3 });
  expect([stepsOf(first), first.next, first.total, first.restarted]).toEqual([[1, 2, 3], 3, 5, false]);
  const second = await gym.call("runMetrics", { run: "a", from: first.next, mark: first.mark });
  expect([stepsOf(second), second.next, second.restarted]).toEqual([[4, 5], 5, false]);
  appendFileSync(join(folder, "a", "metrics.jsonl"), '{"step":6,"ti');
  const half = await gym.call("runMetrics", { run: "a", from: 5, mark: second.mark });
  expect([stepsOf(half), half.next]).toEqual([[], 5]);
  appendFileSync(join(folder, "a", "metrics.jsonl"), 'me":1}\n');
  expect(stepsOf(await gym.call("runMetrics", { run: "a", from: 5, mark: half.mark }))).toEqual([6]);
});

test("a resumed run is recognised, even if its metrics are now longer than before", async () => {
  const { gym, folder } = await gymOf((at) => writeMetrics(join(at, "a"), steps(5)));
  const { next, mark } = await gym.call("runMetrics", { run: "a" });
  writeMetrics(join(folder, "a"), [4, 5, 6, 7], 3);
  const after = await gym.call("runMetrics", { run: "a", from: next, mark });
  expect([stepsOf(after), after.restarted]).toEqual([steps(7), true]);
  const further = await gym.call("runMetrics", { run: "a", from: after.next, mark: after.mark });
  expect([stepsOf(further), further.restarted]).toEqual([[], false]);
  const beyond = await gym.call("runMetrics", { run: "a", from: 99 });
  expect([stepsOf(beyond), beyond.restarted]).toEqual([steps(7), true]);
});

test("the groups of a train step are listed, and a rollout is returned with its tokens", async () => {
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "a"), steps(9));
    for (const step of [3, 6, 9]) writeGroups(join(folder, "a"), step);
  });
  const newest = await gym.call("runGroups", { run: "a" });
  expect([newest.step, newest.previous, newest.next]).toEqual([9, 6, null]);
  const { groups, previous, next } = await gym.call("runGroups", { run: "a", step: 6 });
  expect([previous, next]).toEqual([3, 9]);
  expect(groups).toMatchObject([
    {
      group: "12",
      minVersion: 3,
      maxVersion: 4,
      rollouts: [
        { episodeId: "ep-1", solved: true, advantage: 0.75, tokens: 3, sampledTokens: 2, steps: 1 },
        { episodeId: "ep-2", status: "failed", failure: { code: "HOST_FAILED" }, advantage: null },
      ],
    },
  ]);
  expect(groups[0]?.rollouts[0]).not.toHaveProperty("at");
  expect(await gym.call("runRollout", { run: "a", group: "12", index: 0, step: 6 })).toMatchObject({
    tokens: [0, 1, 2],
    texts: null,
    mask: [0, 1, 1],
    logprobs: [null, -0.25, -1.5],
    advantages: [null, 0.5, 1],
    versions: [null, 3, 4],
    task: { environment: "textcraft@1", index: 7 },
  });
  const unknown = [{ step: 5 }, { step: 6, index: 2 }, { step: 6, group: "13" }];
  for (const change of unknown) {
    const error = await gym.refusal("runRollout", { run: "a", group: "12", index: 0, ...change });
    expect(error.code).toBe("RUN_PART_UNKNOWN");
  }
});

test("the episodes of an evaluation are filtered and paged, and a repeated episode counts once", async () => {
  const { gym, folder } = await gymOf((at) =>
    writeEvaluation(join(at, "e"), [
      episodeRecord(0, { status: "failed", prompt: "Play." }),
      ...[1, 2, 3, 4].map((index) => episodeRecord(index)),
      episodeRecord(0),
    ]),
  );
  const page = await gym.call("runEpisodes", { run: "e", limit: 2 });
  expect([page.total, page.matching, page.next]).toEqual([5, 5, 2]);
  expect(page.episodes.map(({ index, played }) => [index, played])).toMatchObject([
    [2, { index: 1 }],
    [3, { index: 2 }],
  ]);
  expect(page.episodes[0]).not.toHaveProperty("turns");
  const matching = async (query: object) =>
    (await gym.call("runEpisodes", { run: "e", ...query })).episodes.map(
      ({ played }) => (played as { index: number }).index,
    );
  expect(await matching({ from: 4 })).toEqual([0]);
  expect(await matching({ status: "solved" })).toEqual([2, 4, 0]);
  expect(await matching({ status: "failed" })).toEqual([]);
  expect(await matching({ family: "odd" })).toEqual([1, 3]);
  expect(await matching({ failure: "wrong-answer" })).toEqual([1, 3]);
  expect(await matching({ failure: "looped" })).toEqual([]);
  expect(page.episodes.map(({ failureKind }) => failureKind)).toEqual(["wrong-answer", undefined]);
  expect(await gym.call("runEpisode", { run: "e", index: 3 })).toMatchObject({
    index: 3,
    prompt: "Play.",
    turns: [{ reply: "Action: go", observation: "Done" }],
  });
  // The line of the failed episode does not count.
  for (const index of [0, 1, 7]) {
    expect((await gym.refusal("runEpisode", { run: "e", index })).code).toBe("RUN_PART_UNKNOWN");
  }
  appendFileSync(join(folder, "e", "episodes.jsonl"), `${JSON.stringify(episodeRecord(9))}\n{"played":`);
  expect(await matching({ from: 5 })).toEqual([9]);
  expect(await gym.call("getRun", { run: "e" })).toMatchObject({
    statuses: { terminated: 6 },
    families: ["even", "odd"],
    report: null,
    problem: null,
  });
});

test("an evaluation that goes on tells how many of its episodes are played, and the time left", async () => {
  const { gym, folder } = await gymOf((at) => {
    writeEvaluation(
      join(at, "e"),
      [0, 1, 2].map((index) => episodeRecord(index)),
    );
    writeEvaluation(join(at, "old"), [episodeRecord(0)]);
    // An earlier run has written three episodes, of which the plan asks for two.
    writePlan(join(at, "e"), { episodes: 12, k: 4, finished: 2, records: 3 });
  });
  const file = join(folder, "e", "episodes.jsonl");
  const progress = async () => {
    const { summary } = (await gym.call("getRun", { run: "e" })) as { summary: { progress: unknown } };
    return summary.progress;
  };
  expect(await progress()).toEqual({ done: 2, planned: 12, secondsLeft: null });
  const records = [episodeRecord(3), episodeRecord(4, { status: "failed" })];
  appendFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { startedAt } = JSON.parse(readFileSync(join(folder, "e", "plan.json"), "utf8"));
  const seconds = Date.parse(startedAt) / 1_000 + 20;
  utimesSync(file, seconds, seconds);
  expect(await progress()).toEqual({ done: 4, planned: 12, secondsLeft: expect.closeTo(80, 2) });
  const { runs } = await gym.call("listRuns");
  expect(Object.fromEntries(runs.map(({ run, summary }) => [run, summary]))).toMatchObject({
    e: { planned: 12, k: 4, episodes: 4, progress: { done: 4, planned: 12 } },
    old: { planned: null, progress: null },
  });
  writeFileSync(join(folder, "e", "plan.json"), '{"episodes": -1}');
  expect(await progress()).toBe(null);
  writeFileSync(join(folder, "e", "plan.json"), "no plan");
  expect(await gym.call("getRun", { run: "e" })).toMatchObject({
    problem: expect.stringContaining("plan.json"),
    summary: { progress: null, episodes: 4 },
  });
});

const turn = (reply: string, observation: string) => ({ reply, action: reply, observation, reward: 0 });

test("a search reads whole transcripts and returns the places of the words", async () => {
  const long = "filler ".repeat(40);
  const { gym, folder } = await gymOf((at) =>
    writeEvaluation(join(at, "e"), [
      episodeRecord(0, { turns: [turn("look", `${long}a Zinc\nlantern "glows" ${long}`), turn("take lantern", "ok")] }),
      episodeRecord(1, { turns: [turn("look", "zinc"), turn("wait", "a lantern")] }),
      episodeRecord(2, {
        status: "failed",
        failure: { class: "infrastructure", code: "HOST_LOST", message: "it is gone" },
      }),
      episodeRecord(3, { opening: `${long} éclair`, turns: [turn("look", "nothing")] }),
      episodeRecord(2),
    ]),
  );
  const found = async (q: string, query: object = {}) =>
    (await gym.call("searchRun", { run: "e", q, ...query })).episodes.map(({ index, found }) => [index, found.turn]);
  expect(await found("LANTERN zinc")).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(await found('"glows"')).toEqual([[1, 1]]);
  expect(await found("lantern zinc", { family: "odd" })).toEqual([[2, 2]]);
  expect(await found("zinc", { status: "solved" })).toEqual([[1, 1]]);
  expect(await found("ÉCLAIR")).toEqual([[4, null]]);
  expect(await found("all:7 even done")).toEqual([]);
  expect(await found("all:3 odd")).toEqual([[4, null]]);
  // The search skips field names, and the line of the failed episode.
  expect([await found("observation"), await found("wallms"), await found("gone")]).toEqual([[], [], []]);
  const [first] = (await gym.call("searchRun", { run: "e", q: "lantern" })).episodes;
  expect(first?.found.text).toMatch(/^….*a Zinc lantern "glows" filler.*…$/);
  expect(first).not.toHaveProperty("turns");

  // Another writer may escape letters.
  const escaped = JSON.stringify(episodeRecord(8, { opening: "eclair" })).replace("eclair", "\\u00e9clair");
  appendFileSync(join(folder, "e", "episodes.jsonl"), `${escaped}\nnot json\n`);
  expect(await found("éclair")).toEqual([
    [4, null],
    [6, null],
  ]);
  expect((await gym.refusal("searchRun", { run: "e", q: "" })).code).toBe("REQUEST_INVALID");
});

test("a search continues where the last one ended, with a limit on its time and on its results", async () => {
  const count = 400;
  const filler = "many words that nobody looks for ".repeat(3_000);
  const { gym, folder } = await gymOf((at) =>
    writeEvaluation(
      join(at, "e"),
      Array.from({ length: count }, (_, i) =>
        episodeRecord(i, { turns: [turn("go", filler), turn("end", i % 100 === 7 ? "a needle" : "hay")] }),
      ),
    ),
  );
  const searchFrom = (from: number) => gym.call("searchRun", { run: "e", q: "needle", from, limit: 3 });
  const found: number[] = [];
  let calls = 0;
  let from: number | null = 0;
  let end = 0;
  while (from !== null) {
    const page = await searchFrom(from);
    found.push(...page.episodes.map(({ played }) => (played as { index: number }).index));
    expect(page.episodes.length).toBeLessThanOrEqual(3);
    expect([page.total, page.searched]).toEqual([count, page.end - 1]);
    calls += 1;
    from = page.next;
    end = page.end;
  }
  expect(found).toEqual([7, 107, 207, 307]);
  // The file has 40 MB, which no call reads as a whole.
  expect(calls).toBeGreaterThan(1);
  appendFileSync(
    join(folder, "e", "episodes.jsonl"),
    `${JSON.stringify(episodeRecord(900, { opening: "a needle" }))}\n`,
  );
  const more = await gym.call("searchRun", { run: "e", q: "needle", from: end });
  expect([more.episodes.length, more.next, more.total]).toEqual([1, null, count + 1]);
});

test("damaged files give typed errors, and the list shows the runs beside them", async () => {
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "good"), steps(2));
    writeMetrics(join(folder, "metrics"), steps(2));
    appendFileSync(join(folder, "metrics", "metrics.jsonl"), "not json\n");
    writeMetrics(join(folder, "facts"), steps(2));
    writeFileSync(join(folder, "facts", "run.json"), "[1]");
    writeMetrics(join(folder, "groups"), steps(2));
    mkdirSync(join(folder, "groups", "groups"));
    writeFileSync(join(folder, "groups", "groups", "step-00000001.groups"), "half a hea");
    writeFileSync(
      join(folder, "groups", "groups", "step-00000002.groups"),
      '{"groups":[{"group":"0","task":{},"rollouts":[{"at":[0,9999]}]}]}\nxyz',
    );
    writeEvaluation(join(folder, "episodes"), [episodeRecord(0)]);
    appendFileSync(join(folder, "episodes", "episodes.jsonl"), '{"half": \n[]\n');
    writeFileSync(join(folder, "episodes", "report.json"), "{");
  });
  const { runs } = await gym.call("listRuns");
  const problems = Object.fromEntries(runs.map(({ run, problem }) => [run, problem]));
  expect(problems).toEqual({
    good: null,
    groups: null,
    metrics: expect.stringContaining("metrics.jsonl"),
    facts: expect.stringContaining("run.json"),
    episodes: expect.stringMatching(/report\.json|2 lines/),
  });
  const code = async (...call: Parameters<TestGym["refusal"]>) => (await gym.refusal(...call)).code;
  expect(await code("runMetrics", { run: "metrics" })).toBe("RUN_DAMAGED");
  expect(await code("runGroups", { run: "groups", step: 1 })).toBe("RUN_DAMAGED");
  expect(await code("runRollout", { run: "groups", group: "0", index: 0, step: 2 })).toBe("RUN_DAMAGED");
  expect((await gym.call("runEpisodes", { run: "episodes" })).total).toBe(1);
});

test("no symbolic link and no name leads out of the folder", async () => {
  const outside = scratchDir();
  writeMetrics(join(outside, "secret"), steps(1));
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "a"), steps(1));
    symlinkSync(join(outside, "secret"), join(folder, "linked"));
    mkdirSync(join(folder, "b"));
    symlinkSync(join(outside, "secret", "metrics.jsonl"), join(folder, "b", "metrics.jsonl"));
    writeMetrics(join(folder, "c"), steps(1));
    symlinkSync(join(outside, "secret", "metrics.jsonl"), join(folder, "c", "run.json"));
    mkdirSync(join(folder, "pipe"));
    execFileSync("mkfifo", [join(folder, "pipe", "metrics.jsonl")]);
  });
  const { runs } = await gym.call("listRuns");
  expect(runs.map(({ run }) => run).sort()).toEqual(["a", "c"]);
  for (const run of ["linked", "b", "pipe", "../secret", "a/../a", "a/", "/a", "a\\b", "a\0", outside]) {
    expect((await gym.refusal("runMetrics", { run })).code, run).toBe("RUN_UNKNOWN");
  }
  expect((await gym.call("getRun", { run: "c" })).problem).toContain("symbolic link");
});

test("settings are shown without secrets, including settings added by hand", async () => {
  const { gym } = await gymOf((folder) => {
    writeMetrics(join(folder, "a"), steps(1));
    const settings = {
      lr: 0.5,
      endpoint_api_key: "hidden-1",
      gym: "http://host/t/pal_hidden-2/x",
      policy: "openai:https://me:hidden-3@host/v1#m",
    };
    writeFileSync(join(folder, "a", "run.json"), JSON.stringify({ settings }));
  });
  const text = await gym.text("getRun", { run: "a" });
  expect(text).toContain('"lr":0.5');
  expect(text).not.toContain("hidden");
});

test("a caller with a token needs the right `runs`", async () => {
  const { gym } = await gymOf((folder) => writeMetrics(join(folder, "a"), steps(1)));
  const [without, allowed] = [await gym.createToken(["expert"]), await gym.createToken(["runs"])];
  expect((await gym.call("listRuns", {}, { token: allowed })).runs).toHaveLength(1);
  for (const [name, params] of [
    ["listRuns", {}],
    ["runMetrics", { run: "a" }],
  ] as const) {
    const { code, message } = await gym.refusal(name, params, { token: without });
    expect([code, message]).toEqual(["RIGHT_MISSING", expect.stringContaining("`runs`")]);
  }
});

test("a removed run is unknown", async () => {
  const { gym, folder } = await gymOf((at) => writeMetrics(join(at, "a"), steps(1)));
  await gym.call("runMetrics", { run: "a" });
  rmSync(join(folder, "a"), { recursive: true });
  expect((await gym.refusal("runMetrics", { run: "a" })).code).toBe("RUN_UNKNOWN");
});

test("a folder of runs that does not exist has no runs", async () => {
  const gym = await openGym({ runs: [join(scratchDir(), "none")] });
  expect(await gym.call("listRuns")).toEqual({ runs: [], truncated: false });
});
