/** The comparison of two evaluations, for a terminal and as JSON. */
import { counted } from "../../../server/formats/counted.js";
import type { Change, ComparedMean, ComparedTask, Comparison } from "../../../server/formats/outcomes/comparison.js";
import { failureNames } from "../../../server/formats/outcomes/failure.js";
import type { StoredEpisode, StoredEvaluation } from "../../evaluation/stored-evaluation.js";
import { decimal, percent } from "./evaluation-text.js";

type Stored = Comparison<StoredEpisode>;

/** Tasks of one kind of change that a terminal shows. */
const mostTasks = 20;

/** Explanation of the comparison. */
export const comparisonNote =
  "Compared over episodes with the same environment, task, seed and options. A task counts as solved if at least half of its " +
  "episodes are. The interval of the difference is a 95 % confidence interval over tasks, with the samples of a task as one " +
  "cluster (Miller 2024) and two tasks added against too narrow intervals of few tasks (Bonett and Price 2012).";

/** Returns the lines for a terminal. */
export function comparisonLines(a: StoredEvaluation, b: StoredEvaluation, comparison: Stored): string[] {
  const { counts, pairs, lost, onlyInA, onlyInB, tasks, successRate, meanScore, differences } = comparison;
  const left =
    lost > 0 ? `, and ${counted(lost, "pair")} left out, since one of its episodes was lost to a failure` : "";
  return [
    `A              ${a.name}`,
    `B              ${b.name}`,
    `tasks in both  ${tasks.length} (${counted(pairs, "pair of episodes", "pairs of episodes")}${left})`,
    `only in A      ${onlyInA}`,
    `only in B      ${onlyInB}`,
    `success rate   ${meanText(successRate, percent, 100, " points")}`,
    `mean score     ${meanText(meanScore, decimal)}`,
    `changes        ${counts.broken} broken, ${counts.fixed} fixed, ${counts.same} same`,
    ...tasksLines(tasks, "broken"),
    ...tasksLines(tasks, "fixed"),
    ...differences.map(({ name, a, b }) => `differs        ${name}: ${written(a)} in A, ${written(b)} in B`),
    `note           ${comparisonNote}`,
  ];
}

/** Returns the comparison as one object for programs. */
export function comparisonJson(a: StoredEvaluation, b: StoredEvaluation, comparison: Stored) {
  const { tasks, ...rest } = comparison;
  const about = ({ name, folder, measurement, episodes }: StoredEvaluation) => ({
    name,
    folder,
    measurement,
    episodes: episodes.length,
  });
  const taskOf = ({ pairs, ...task }: ComparedTask<StoredEpisode>) => ({
    ...task,
    pairs: pairs.map((pair) =>
      pair.map(({ sample, played, score, solved, failureKind }) => {
        return { sample, seed: played.seed, score, solved, ...(failureKind && { failureKind }) };
      }),
    ),
  });
  return { a: about(a), b: about(b), ...rest, tasks: tasks.map(taskOf) };
}

function tasksLines(tasks: Stored["tasks"], change: Change): string[] {
  const all = tasks.filter((task) => task.change === change);
  const shown = all.slice(0, mostTasks).map((task) => `${change.padEnd(15)}${taskText(task)}`);
  return all.length > mostTasks ? [...shown, `${"".padEnd(15)}and ${all.length - mostTasks} more: see --json`] : shown;
}

function taskText({ split, index, family, pairs }: ComparedTask<StoredEpisode>): string {
  const sides = [0, 1].map((side) => {
    const episodes = pairs.map((pair) => pair[side] as StoredEpisode);
    return `${episodes.filter(({ solved }) => solved).length} of ${episodes.length}`;
  });
  const last = pairs.flatMap(([, { failureKind }]) => (failureKind ? [failureNames[failureKind]] : []));
  const why = last.length > 0 ? `: ${[...new Set(last)].join(", ")}` : "";
  return `${split}:${index}${family === undefined ? "" : ` (${family})`} solved ${sides.join(" -> ")}${why}`;
}

/** @param factor factor from a difference to its unit */
function meanText(mean: ComparedMean | undefined, write: (value: number) => string, factor = 1, unit = ""): string {
  if (!mean) return "-";
  const { value, low, high } = mean.difference;
  const [middle, from, to] = [value, low, high].map((each) => signed(factor * each, factor === 1 ? 2 : 1));
  return `A ${write(mean.a)}, B ${write(mean.b)}, difference ${middle}${unit} [${from}, ${to}]`;
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}

function written(value: unknown): string {
  if (value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
