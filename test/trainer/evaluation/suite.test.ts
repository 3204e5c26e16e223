import { describe, expect, test } from "vitest";
import { diagnose } from "#palestra/trainer/evaluation/diagnosis.js";
import type { EvaluationReport } from "#palestra/trainer/evaluation/evaluate.js";
import { published } from "#palestra/trainer/evaluation/published.js";
import { successByRounds } from "#palestra/trainer/evaluation/rounds.js";
import { type SuiteRow, suiteReport } from "#palestra/trainer/evaluation/suite.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";
import { type suiteData, suiteHtml } from "#palestra/trainer/report/evaluation/suite-html.js";
import { suiteMarkdown } from "#palestra/trainer/report/evaluation/suite-markdown.js";
import { suiteLines } from "#palestra/trainer/report/evaluation/suite-text.js";
import { episodeOf } from "../support/episode-records.js";
import { reportData } from "../support/report-data.js";

const hostile = "</title><script>alert(1)</script>";

/** An environment of ten tasks. @param solved number of solved tasks */
function played(environment: string, solved: number, complete = true): SuiteRow {
  const records = Array.from({ length: 10 }, (_, index) =>
    episodeOf(
      [
        ["look", "a door"],
        ["go", "a room", index < solved ? 1 : 0],
      ],
      { index },
    ),
  );
  const report: EvaluationReport = {
    environment: `${environment}@1`,
    split: "test",
    policy: "random",
    k: 1,
    seed: 0,
    maxRounds: 5,
    format: "plain",
    options: {},
    policySettings: {},
    notes: [`tasks of ${environment}`],
    complete,
    summary: summarise(records, 10, undefined),
    byRounds: successByRounds(records, [1, 5], 1),
    diagnosis: diagnose(records),
  };
  return { environment, report };
}

const absent: SuiteRow = {
  environment: "webarena",
  notPlayed: { reason: "The gym's machine lacks sites.", remedy: "Run `palestra setup webarena`." },
};
const about = { preset: "agentgym-rl", policy: "random", published: published()["agentgym-rl"], isCut: false };
const rows = [played("textcraft", 8), played("babyai", 4), absent];
const report = suiteReport(rows, about);

describe("the result of several environments", () => {
  test("counts the kinds of failure of each environment", () => {
    const markdown = suiteMarkdown(report);
    expect(markdown).toContain("| kinds of failure | wrong answer |\n| --- | --- |\n| textcraft | 2 |\n| babyai | 6 |");
    expect(suiteLines(report).join("\n")).toMatch(/kinds of failure +wrong answer\ntextcraft +2\nbabyai +6\n/);
  });

  test("has the mean over the environments that were played, and names them", () => {
    expect(report.overall).toMatchObject({ environments: ["textcraft", "babyai"], method: "mover" });
    expect(report.overall?.value).toBeCloseTo(0.6, 12);
    expect(report.complete).toBe(true);
  });

  test("has no mean if nothing was played, and does not count a missing environment as zero", () => {
    expect(suiteReport([absent], about).overall).toBeUndefined();
    expect(suiteReport([played("textcraft", 10), absent], about).overall?.value).toBe(1);
  });

  test("is incomplete if an environment or the run was stopped early", () => {
    expect(suiteReport([played("textcraft", 1, false)], about).complete).toBe(false);
    expect(suiteReport(rows, { ...about, isCut: true }).complete).toBe(false);
  });

  test("quotes the published rows that have a figure for one of its environments", () => {
    expect(report.published?.rows.map(({ name }) => name)).toContain("GPT-4o");
    const without = suiteReport([played("textcraft", 8)], about);
    expect(without.published?.rows.map(({ name }) => name)).toEqual(["ScalingInter-7B", "Qwen2.5-7B"]);
  });
});

describe("the table of several environments", () => {
  const lines = suiteLines(report);
  const line = (start: string) => lines.find((text) => text.startsWith(start))?.split(/ {2,}/);

  test("has this run's rows first, and marks the quoted rows below", () => {
    expect(lines[0]?.trim().split(/ {2,}/)).toEqual(["textcraft", "babyai", "webarena", "mean of 2"]);
    expect(line("random")).toEqual(["random", "80.0 %", "40.0 %", "not played", "60.0 %"]);
    expect(line("ScalingInter-7B")).toEqual(["ScalingInter-7B (quoted)", "91.00 %", "96.67 %", "26.00 %"]);
    expect(line("Qwen2.5-7B")).toEqual(["Qwen2.5-7B (quoted)", "42.00 % *", "66.67 % *", "9.76 %"]);
    expect(lines.findIndex((text) => text.startsWith("random"))).toBeLessThan(
      lines.findIndex((text) => text.includes("(quoted)")),
    );
    expect(lines.join("\n")).toContain("Figures marked * were read off a bar chart");
    const webarenaAlone = suiteLines(suiteReport([played("webarena", 1)], about)).join("\n");
    expect(webarenaAlone).not.toContain("bar chart");
  });

  test("names the reason and the remedy of an environment that was not played", () => {
    expect(lines).toContain("webarena: The gym's machine lacks sites. Run `palestra setup webarena`.");
  });

  test("has success by rounds with intervals, and the diagnosis", () => {
    expect(line("success within")).toEqual(["success within", "1 round", "5 rounds"]);
    const textcraft = lines.filter((text) => /^textcraft /.test(text));
    expect(textcraft[0]).toMatch(/0\.0 % \[0\.0 %, 30\.8 %\] +80\.0 % \[\d+\.\d %, \d+\.\d %\]$/);
    expect(textcraft[2]).toMatch(/0\.0 % +1\.0 +0\.0 % +0\.0 \(observation\) +0\.0 %$/);
  });

  test("has the same content in Markdown, in HTML and on the terminal, and the first two link to each report", () => {
    const markdown = suiteMarkdown(report);
    expect(markdown).toContain("| random | 80.0 % | 40.0 % | not played | 60.0 % |");
    expect(markdown).toContain("- [textcraft](textcraft/report.md)");
    expect(markdown).not.toContain("webarena/report.md");
    expect(markdown).not.toContain("Cut short");
    const { tables, charts, links } = reportData<ReturnType<typeof suiteData>>(suiteHtml(report));
    expect(tables[0]?.rows[0]).toEqual(["random", "80.0 %", "40.0 %", "not played", "60.0 %"]);
    expect(tables[0]).toMatchObject({ quoted: expect.arrayContaining([expect.arrayContaining(["91.00 %"])]) });
    expect(links.map(({ href }) => href)).toEqual(["textcraft/report.html", "babyai/report.html"]);
    expect(charts.map(({ title }) => title)).toEqual([
      "Success by environment",
      "Success by rounds: textcraft",
      "Success by rounds: babyai",
    ]);
    expect(charts[0]?.rows[0]).toMatchObject({ label: "mean", estimate: { value: expect.closeTo(0.6) }, note: "of 2" });
  });

  test("never lets a policy's name become HTML", () => {
    const html = suiteHtml(suiteReport(rows, { ...about, policy: hostile, isCut: true }));
    expect(html).not.toContain(hostile);
    expect(reportData(html)).toMatchObject({ complete: false, title: expect.stringContaining(hostile) });
  });
});
