/** Success by rounds of several evaluations: lines for a terminal, and a paper with a picture for each environment. */
import { counted } from "../../../server/formats/counted.js";
import type { RoundsCurve } from "../../evaluation/rounds-curve.js";
import type { Paper, PaperSection } from "../paper/paper.js";
import { estimated, intervalNote, percent } from "./evaluation-text.js";

const note =
  "Each episode was played once, to its cap. Success within fewer rounds is read off its rewards: an agent is not told its " +
  "cap, so that playing again with a smaller one would give the same. An episode counts as solved from the round on in which " +
  "its return reaches the lowest return of a solved episode of the evaluation.";

/** Rounds of the tables. The picture has every round. */
const shownRounds = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100];

/** Evaluations of the same tasks of an environment, which one picture shows. */
interface Shared {
  readonly title: string;
  readonly curves: readonly RoundsCurve[];
}

export function roundsLines(curves: readonly RoundsCurve[]): string[] {
  return byEnvironment(curves).flatMap(({ title, curves: own }) => {
    const { columns, rows } = tableOf(own);
    const widths = columns.map((column, at) =>
      Math.max(...[column, ...rows.map((row) => row[at] ?? "")].map((text) => text.length)),
    );
    const lines = [columns, ...rows].map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] as number))
        .join("  ")
        .trimEnd(),
    );
    return [title, ...lines, ...differences(own).map((text) => `note  ${text}`)];
  });
}

export function roundsPaper(title: string, curves: readonly RoundsCurve[], command: string | undefined): Paper {
  const sections = byEnvironment(curves).map(({ title: heading, curves: own }): PaperSection => {
    return {
      heading,
      charts: [{ title: "Success by rounds", across: "rounds", isShare: true, series: own.map(seriesOf) }],
      tables: [{ title: "", ...tableOf(own) }],
      texts: differences(own),
    };
  });
  const evaluations: PaperSection = {
    heading: "Evaluations",
    tables: [
      {
        title: "",
        columns: ["evaluation", "policy", "tasks", "episodes", "cap"],
        rows: curves.map(({ name, policy, tasks, results, maxRounds }) => {
          return [name, policy, `${tasks.length}`, `${results.at(-1)?.episodes ?? 0}`, counted(maxRounds, "round")];
        }),
      },
    ],
    texts: [note, intervalNote],
    ...(command !== undefined && { facts: [["this report", command]] }),
  };
  return { title, note: `${counted(curves.length, "evaluation")} of Palestra.`, sections: [...sections, evaluations] };
}

function byEnvironment(curves: readonly RoundsCurve[]): Shared[] {
  const titleOf = ({ environment, split }: RoundsCurve) => `${environment}, ${split}`;
  const titles = [...new Set(curves.map(titleOf))];
  return titles.map((title) => ({ title, curves: curves.filter((curve) => titleOf(curve) === title) }));
}

function seriesOf({ name, results }: RoundsCurve) {
  const points = results.flatMap(({ rounds: x, successRate }) =>
    successRate ? [{ x, y: successRate.value, low: successRate.low, high: successRate.high }] : [],
  );
  return { label: name, points };
}

function tableOf(curves: readonly RoundsCurve[]) {
  const most = Math.max(...curves.map(({ maxRounds }) => maxRounds));
  const caps = [...shownRounds.filter((rounds) => rounds < most), most];
  const rows = caps.map((rounds) => [
    `${rounds}`,
    ...curves.map(({ results }) => estimated(results.find((result) => result.rounds === rounds)?.successRate, percent)),
  ]);
  return { columns: ["rounds", ...curves.map(({ name }) => name)], rows };
}

/** Returns why the curves cannot be compared directly, as sentences. */
function differences(curves: readonly RoundsCurve[]): string[] {
  const [first, ...others] = curves;
  const key = (curve: RoundsCurve | undefined) => curve?.tasks.join(",");
  const differing = others.filter((other) => key(other) !== key(first)).map(({ name }) => name);
  if (differing.length === 0) return [];
  return [`Other tasks than ${first?.name} have: ${differing.join(", ")}. Their curves are not of the same tasks.`];
}
