import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Situation } from "#palestra/envs/delegate/env.js";
import { nextCall, submission } from "#palestra/envs/delegate/expert.js";
import delegate from "#palestra/envs/delegate/index.js";
import { wordsIn } from "#palestra/envs/delegate/job/team.js";
import { materialNames, vocabularies } from "#palestra/envs/delegate/kinds/vocabulary.js";
import { moneyWorth, solvedReturn } from "#palestra/envs/delegate/plan/job-plan.js";
import { isRight } from "#palestra/envs/delegate/score.js";
import { jobOf } from "#palestra/envs/delegate/tasks.js";
import type { EpisodeEnd, StepResult } from "#palestra/envs/env.js";
import { distinct, testDataFiles } from "../../support/data-shapes.js";
import { expectPageEpisode } from "../../support/page-examples.js";

/** `train:0` has four parts: arithmetic, dates, rewriting, and a lookup in a table of three pages. */
const task = { split: "train", index: 0 };

function begun(skills = "told", ref = task) {
  const director = delegate.create({ now: () => 0 });
  const { observation } = director.reset({ task: ref, seed: 0, options: { skills } });
  return { director, observation, job: (director.situation as Situation).job };
}

function verdictAfter(director: ReturnType<typeof begun>["director"], result: StepResult, steps = 1): string {
  const end: EpisodeEnd = { solved: result.reward === 1, return: 0, steps, action: "", result };
  return String(delegate.verdict?.(director, end).why);
}

describe("the words of delegate", () => {
  const half = z.object({ words: distinct, surnames: distinct, helpers: distinct }).strict();
  testDataFiles("envs/delegate/data", {
    "vocabulary.json": [vocabularies, z.object({ train: half, test: half }).strict()],
    "materials.json": [
      materialNames,
      z.object({ tables: z.record(z.string(), distinct), programs: distinct, lists: distinct }).strict(),
    ],
  });

  test("of tests are none of training", () => {
    const { train, test } = vocabularies();
    for (const list of ["words", "surnames", "helpers"] as const)
      expect(test[list].filter((word) => train[list].includes(word))).toEqual([]);
  });
});

test("the page shows an episode as it is", () => {
  expectPageEpisode("envs/delegate/README.md", () => {
    const { director, observation } = begun("told", { split: "train", index: 1 });
    return { environment: director, observation };
  });
});

test("jobs do not repeat", () => {
  for (const split of ["train", "easy"]) {
    const size = delegate.splits[split]?.size as number;
    const texts = Array.from({ length: 2_000 }, (_, at) => {
      const { parts, team } = jobOf({ split, index: at * Math.floor(size / 2_000) });
      return JSON.stringify([parts.map(({ text, source }) => [text, source]), team]);
    });
    expect(new Set(texts).size).toBe(2_000);
  }
});

describe("the first observation", () => {
  test("shows parts, materials and helpers, and not the rows of a table", () => {
    const { observation, job } = begun();
    for (const { text } of job.parts) expect(observation).toContain(text);
    for (const { name, limit } of job.team)
      expect(observation).toMatch(new RegExp(`^${name}: .*at most ${limit} words`, "m"));
    const answers = job.parts.map(({ problem }) => problem.answer);
    expect(answers.filter((answer) => observation.includes(answer))).toEqual([]);
  });

  test("shows skills as the option says", () => {
    expect(begun("told").observation).toMatch(/arithmetic \d\d%, dates \d\d%/);
    expect(begun("record").observation).toMatch(/arithmetic \d+ of \d+ right, dates/);
    expect(begun("hidden").observation).not.toMatch(/%|right/);
  });

  test("of an easy job has at most 75 words", () => {
    for (let index = 0; index < 300; index++)
      expect(wordsIn(begun("told", { split: "easy", index }).observation)).toBeLessThanOrEqual(75);
  });
});

describe("a request", () => {
  test("costs its call and its words, and leaves less money", () => {
    const { director, job } = begun();
    const [{ name, call, tenWords }] = job.team as [(typeof job.team)[number]];
    const price = call + tenWords * Math.ceil((job.parts[1]?.words as number) / 10);
    const { observation, reward, terminated } = director.step(`ask ${name} #2`);
    expect(observation).toContain(`(${price} cents, ${job.money - price} left)`);
    expect(reward).toBeCloseTo((-moneyWorth * price) / job.money, 12);
    expect(terminated).toBe(false);
  });

  test("over a limit is refused at the price of a call", () => {
    const { director, job } = begun();
    const small = job.team.find(({ limit }) => limit === 25) as (typeof job.team)[number];
    const { observation } = director.step(`ask ${small.name} #4 #tenants`);
    expect(observation).toMatch(/The request has \d+ words, but I read at most 25\./);
    expect(observation).toContain(`(${small.call} cents,`);
    expect((director.situation as Situation).answers.flat()).toEqual([]);
  });

  test("without the material is answered with the name of the material, at its price", () => {
    const { director, job } = begun();
    const { name } = job.team[0] as (typeof job.team)[number];
    expect(director.step(`ask ${name} #4`).observation).toMatch(/I need the table tenants\.\n\(\d+ cents/);
    const page = job.parts[3]?.request.endsWith(".1") ? "#tenants.2" : "#tenants.1";
    expect(director.step(`ask ${name} #4 ${page}`).observation).toContain("I need the page of the table tenants");
  });

  test("that the money does not cover is not sent", () => {
    const { director, job } = begun();
    const dearest = job.team.find(({ limit }) => limit === 400) as (typeof job.team)[number];
    let last = director.step(`ask ${dearest.name} #1`);
    for (let at = 0; at < 8; at++) last = director.step(`ask ${dearest.name} #1`);
    expect(last.observation).toMatch(/The request was not sent\.$/);
    expect(last).toMatchObject({ reward: 0, terminated: false });
    expect((director.situation as Situation).spent).toBeLessThanOrEqual(job.money);
    // The expert submits without further calls that it cannot pay.
    expect(delegate.expert?.(director)).toBeTypeOf("string");
  });

  test.each([
    ["ask nobody #1", /^Expected a helper \(ivy, gus, leo\), but received "nobody"\.$/],
    ["ask ivy", /^Expected a request after ivy, such as `ask ivy #1`, but received none\.$/],
    ["ask ivy #9", /^Expected a reference \(#1, #2, #3, #4, #tenants, .*\), but received "#9"\.$/],
    ["ask", /^Expected a helper/],
    ["think", /^Expected `ask HELPER REQUEST` or/],
    ["submit", /no answer with the number of its part\.$/],
    ["submit 42", /no answer with the number of its part\.$/],
  ])("%j is answered with what was expected, for nothing", (action, observation) => {
    const { director } = begun();
    expect(director.step(action)).toMatchObject({
      observation: expect.stringMatching(observation),
      reward: 0,
      terminated: false,
    });
    expect((director.situation as Situation).spent).toBe(0);
  });

  test("of a million characters is read in time, and not repeated", () => {
    const { director } = begun();
    for (const text of ["#1 ", "x", "#", "calculate 1", "; 1: "])
      for (const verb of ["ask ivy ", "submit ", "ask "]) {
        const { observation } = director.step(`${verb}${text.repeat(1_000_000 / text.length)}`);
        expect(observation.length).toBeLessThan(300);
        if (director.situation?.submitted) director.reset({ task, seed: 0, options: { skills: "told" } });
      }
  });

  test("in an ordinary reply of a model is found, up to the next action", () => {
    const { director } = begun();
    const reply = "I start with the sum.\nAsk Ivy: #1\nask gus #2";
    expect(director.step(reply)).toMatchObject({ info: { action: "ask", helper: "ivy", part: 1 } });
  });
});

describe("a submission", () => {
  const { job } = begun();
  const answers = job.parts.map(({ problem }) => problem.answer);

  test.each([
    ["semicolons", answers.map((answer, at) => `${at + 1}: ${answer}`).join("; ")],
    ["lines", answers.map((answer, at) => `\n#${at + 1}: "${answer.toUpperCase()}".`).join("")],
    ["part numbers", answers.map((answer, at) => `Part ${at + 1} = ${answer}`).join(";\n")],
  ])("with %s ends the job with a reward of 1", (_, text) => {
    expect(begun().director.step(`submit ${text}`)).toMatchObject({ reward: 1, terminated: true });
  });

  test("earns the share of its right parts", () => {
    const { director } = begun();
    const result = director.step(`submit 1: ${answers[0]}; 2: 1 May 2020; 4: ${answers[3]}`);
    expect(result).toMatchObject({ reward: 0.5, observation: "The job is done: 2 of 4 parts are right." });
    expect(verdictAfter(director, result)).toContain("part 2 (dates) is 1 May 2020 from no helper, expected");
    expect(verdictAfter(director, result)).toContain("part 3 (rewriting) has no answer");
  });

  test("with one wrong part of four never reaches the return of a solved job, and with all right always does", () => {
    expect(1 - 1 / 4).toBeLessThan(solvedReturn);
    expect(1 - moneyWorth).toBeGreaterThan(solvedReturn);
  });

  test.each([
    [
      "dates",
      "3 March 2024",
      ["March 3, 2024", "2024-03-03", "3 mar 2024", "Sunday, 3 March 2024"],
      ["4 March 2024", "March 2024"],
    ],
    ["sorting", "fig, pear", ["fig,pear", "Fig, Pear.", "fig pear"], ["pear, fig", "fig"]],
    ["arithmetic", "1204", ["1,204", " 1204. "], ["1240", "12,04", "1204.5"]],
    ["rewriting", "red fox", ["Red  fox", '"red fox"'], ["fox red", "redfox"]],
  ] as const)("of %s is right in ordinary forms of %s", (kind, answer, right, wrong) => {
    const part = { kind, problem: { subjects: [], answer, wrong: [] } };
    expect(right.filter((each) => !isRight(part, each))).toEqual([]);
    expect(wrong.filter((each) => isRight(part, each))).toEqual([]);
  });
});

test("the verdict names the helper of a wrong part, and the money of the optimal plan", () => {
  let named = 0;
  for (let index = 0; index < 60; index++) {
    const { director, job } = begun("told", { split: "train", index });
    const situation = () => director.situation as Situation;
    for (let call = nextCall(situation()); call !== null; call = nextCall(situation())) director.step(call);
    const result = director.step(submission(situation()));
    const why = verdictAfter(director, result);
    expect(why).toContain(`spent ${situation().spent} of ${job.money} cents, the optimal plan ${situation().spent}.`);
    if (result.reward < 1) {
      expect(why).toMatch(/part \d \(\w+\) is .+ from [a-z]+, expected /);
      named += 1;
    }
  }
  expect(named).toBeGreaterThan(5);
});

test("the expert makes the calls of the optimal plan, and solves every job", () => {
  for (let index = 0; index < 100; index++) {
    const { director } = begun("told", { split: "train", index });
    for (let sum = 0; ; ) {
      const action = delegate.expert?.(director) as string;
      const call = nextCall(director.situation as Situation);
      if (call !== null) expect(action).toBe(call);
      const { reward, terminated } = director.step(action);
      sum += reward;
      if (!terminated) continue;
      expect(sum).toBeGreaterThan(solvedReturn);
      break;
    }
  }
});

test("a clone is independent", () => {
  const { director } = begun();
  const clone = director.clone();
  director.step("ask ivy #1");
  expect([director.situation?.answers[0]?.length, clone.situation?.answers[0]?.length]).toEqual([1, 0]);
});
