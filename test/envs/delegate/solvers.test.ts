/** Helpers solve what a request says, and a wrong answer looks right. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { Delegate } from "#palestra/envs/delegate/env.js";
import type { Part } from "#palestra/envs/delegate/job/job.js";
import { contentOf } from "#palestra/envs/delegate/kinds/index.js";
import { kindNames } from "#palestra/envs/delegate/kinds/kind.js";
import { jobOf } from "#palestra/envs/delegate/tasks.js";

const parts = ["train", "easy", "test"].flatMap((split) =>
  Array.from({ length: 200 }, (_, index) => jobOf({ split, index }).parts).flat(),
);

const pageOf = ({ source }: Part) => source?.material.pages[source.page] ?? "";
const words = (text: string) => text.replace(/\.$/, "").split(/[ ,]+/);

/** Solves a part in another way than the environment. */
const solvers: Record<string, (part: Part) => string> = {
  arithmetic: ({ text }) => String(runInNewContext(text.replace(/^Calculate |\.$/g, ""))),
  dates: ({ text }) => {
    const [, days, direction, start] = /is (\d+) days (\w+) (.+)\?/.exec(text) as RegExpExecArray;
    const date = new Date(`${start} UTC`);
    date.setUTCDate(date.getUTCDate() + (direction === "after" ? 1 : -1) * Number(days));
    return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  },
  sorting: (part) => {
    const items = words((pageOf(part) || part.text).split(": ")[1] as string);
    const sorted = items.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    return (/Z to A|high to low/.test(part.text) ? sorted.reverse() : sorted).join(", ");
  },
  rewriting: ({ text }) => {
    const [rule = "", list = ""] = text.split(": ");
    const all = words(list);
    if (rule.includes("reverse")) return all.reverse().join(" ");
    if (rule.includes("vowels")) return all.join(" ").replace(/[aeiou]/g, "");
    if (rule.includes("letters")) return all.map(([letter]) => letter).join(" ");
    if (rule.includes("second")) return all.flatMap((word, at) => (at % 2 ? [word] : [])).join(" ");
    return [all.at(-1), ...all.slice(1, -1), all[0]].join(" ");
  },
  lookup: (part) => {
    const [, column = "", key = ""] = /the (\w+) of (\w+)\?/.exec(part.text) as RegExpExecArray;
    const [head = "", ...rows] = pageOf(part).replace(/\.$/, "").split("; ");
    const columns = head.slice(head.indexOf("name ")).split(" ");
    const row = rows.find((each) => each.startsWith(`${key} `)) as string;
    return row.split(" ")[columns.indexOf(column)] as string;
  },
  tracing: (part) => {
    const body = pageOf(part)
      .replace(/^[^:]+: |\.$/g, "")
      .replace(/repeat (\d+): ([^;]+)/g, "for (let i = 0; i < $1; i++) $2")
      .replace(/if (x|y) > (\d+): ([^;]+)/g, "if ($1 > $2) $3")
      .replace("print x", "x");
    return String(runInNewContext(`var n = ${part.text.match(/\d+/)?.[0]}; ${body}`));
  },
};

test.each(kindNames)("the answers to %s are those of another solver", (kind) => {
  const chosen = parts.filter((part) => part.kind === kind);
  expect(chosen.length).toBeGreaterThan(100);
  for (const part of chosen) expect(part.problem.answer, part.text).toBe(solvers[kind]?.(part));
});

test("each part has at least four different wrong answers, so that no two helpers give the same", () => {
  for (const { problem, text } of parts) {
    expect(problem.wrong.length, text).toBeGreaterThanOrEqual(4);
    expect(new Set([...problem.wrong, problem.answer]).size).toBe(problem.wrong.length + 1);
  }
});

test("a request in other words, and about other things than the job, is solved", () => {
  const answer = (request: string) => {
    const content = contentOf(request);
    return "problem" in content ? content.problem.answer : content.refusal;
  };
  expect(answer("Please calculate 2 * (3 + 4) and nothing else.")).toBe("14");
  expect(answer("which date is 1 day after 28 February 2024?")).toBe("29 February 2024");
  expect(answer("Sort these words from Z to A: b, c, a.")).toBe("c, b, a");
  expect(answer("Run the program p with n = 4. Program p: x = n * n; print x.")).toBe("16");
});

test.each([
  ["Hello there", "I see no task here that I know."],
  ["Calculate 1 + 1. Calculate 2 + 2.", "One task at a time, please."],
  ["Calculate (1 + 1.", "I need a formula that is complete."],
  ["Which date is 3 days after 31 April 2024?", "I need a date such as 3 March 2024."],
  ["Sort the list stock by the alphabet.", "I need the list stock."],
  ["Write these words in reverse order: a.", "I need three or more words."],
  ["In the table staff, what is the room of Hill?", "I need the table staff."],
  [
    "In the table staff, what is the room of Hill? Table staff, page 1 of 3: name room; Abbott 12.",
    "I need the page of the table staff with the room of Hill.",
  ],
  ["Run the program tally with n = 4.", "I need the program tally."],
  ["Run the program p with n = 4. Program p: x = z + 1; print x.", "I need a program p that can be run."],
])("%j is refused with %j", (request, refusal) => expect(contentOf(request)).toEqual({ refusal }));

describe("a helper", () => {
  const job = jobOf({ split: "train", index: 0 });

  test("is right as often as its skill says", () => {
    const seen = new Map<number, { right: number; calls: number }>();
    for (let index = 0; index < 1_500; index++) {
      const { parts, team } = jobOf({ split: "train", index });
      for (const { kind, right } of parts)
        for (const [at, { skills }] of team.entries()) {
          const { skill } = skills.get(kind) as NonNullable<ReturnType<typeof skills.get>>;
          const count = seen.get(skill) ?? { right: 0, calls: 0 };
          seen.set(skill, { right: count.right + Number(right[at]), calls: count.calls + 1 });
        }
    }
    expect([...seen.keys()].sort()).toEqual([0.3, 0.55, 0.8, 0.97]);
    for (const [skill, { right, calls }] of seen) expect(Math.abs(right / calls - skill)).toBeLessThan(0.03);
  });

  test("shows nothing of its skill in problems that are none of the job", () => {
    const counts = new Map([0.3, 0.97].map((skill) => [skill, { right: 0, calls: 0 }]));
    for (let index = 0; index < 800; index++) {
      const { parts, team } = jobOf({ split: "easy", index });
      if (!parts.some(({ kind }) => kind === "rewriting")) continue;
      const delegate = new Delegate();
      delegate.reset({ task: { split: "easy", index }, seed: 0, options: { skills: "hidden" } });
      for (const { name, tier, skills } of team) {
        const { observation } = delegate.step(`ask ${name} Write these words in reverse order: foo bar baz.`);
        const count = counts.get(skills.get("rewriting")?.skill as number);
        if (tier !== "small" || !count) continue;
        count.right += observation.startsWith(`${name}: baz bar foo\n`) ? 1 : 0;
        count.calls += 1;
      }
    }
    // The mean of 30 % and 97 %. Each share is of about 200 calls, with a standard error of 0.034.
    for (const { right, calls } of counts.values()) expect(Math.abs(right / calls - 0.635)).toBeLessThan(0.12);
  });

  test("fails alike for a part, a part in other words and a piece of it", () => {
    const delegate = new Delegate();
    delegate.reset({ task: { split: "train", index: 0 }, seed: 0, options: { skills: "told" } });
    const [name] = job.team.filter((_, at) => !job.parts[0]?.right[at]).map((member) => member.name);
    const formula = job.parts[0]?.text.replace(/^Calculate |\.$/g, "") as string;
    for (const request of ["#1", `Calculate ${formula} + 1 - 1.`, `calculate ${formula}`]) {
      const { observation } = delegate.step(`ask ${name} ${request}`);
      expect(observation).not.toContain(`: ${job.parts[0]?.problem.answer}\n`);
    }
  });
});
