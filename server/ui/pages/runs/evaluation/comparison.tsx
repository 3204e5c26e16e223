/** Two evaluations compared: broken, fixed and equal tasks with both transcripts, and the paired difference. */
import { useMemo } from "preact/hooks";
import {
  type Change,
  type ComparedEvaluation,
  type ComparedMean,
  type ComparedTask,
  type Comparison,
  compareEvaluations,
  nothingInCommon,
} from "../../../../formats/outcomes/comparison.js";
import type { Run } from "../../../api.js";
import { counted, decimal, percent } from "../../../numbers.js";
import { Loaded } from "../../../parts/loaded.js";
import { Inline } from "../../../parts/text.js";
import { goTo, linkTo, place } from "../../../route.js";
import { TextTable, Tiles } from "../training/facts.js";
import { EpisodeCell, TaskName } from "./episode-cell.js";
import type { EpisodeRow } from "./episode-source.js";
import { RowsBox } from "./rows-box.js";
import { RunEpisodes } from "./run-episodes.js";
import { Legend } from "./task-matrix.js";

type Runs = readonly [Run, Run];
type Compared = ComparedEvaluation<EpisodeRow>;

/** @param runs two evaluations: before and after */
export function ComparedTasks({ runs }: { runs: Runs }) {
  const key = runs.map(({ run, updatedAt }) => `${run} ${updatedAt}`).join(" ");
  return (
    <Loaded of={key} load={() => Promise.all(runs.map(evaluationOf))}>
      {([a, b]) => <ComparisonView runs={runs} a={a as Compared} b={b as Compared} />}
    </Loaded>
  );
}

async function evaluationOf({ run, settings }: Run): Promise<Compared> {
  return { measurement: settings, episodes: await new RunEpisodes(run).all() };
}

function ComparisonView({ runs, a, b }: { runs: Runs; a: Compared; b: Compared }) {
  const comparison = useMemo(() => compareEvaluations(a, b), [a, b]);
  if (comparison.pairs === 0) {
    return (
      <p class="failure" role="alert">
        <Inline text={`The evaluations cannot be compared task by task: ${nothingInCommon(a, b, comparison)}.`} />
      </p>
    );
  }
  return (
    <>
      <Tiles tiles={tilesOf(comparison)} />
      <TextTable
        label="Paired difference"
        columns={["mean over common tasks", ...runs.map(({ run }) => run), "difference [95 % interval]"]}
        rows={[
          ["success rate", ...meanCells(comparison.successRate, percent, 100, "points")],
          ["mean score", ...meanCells(comparison.meanScore, decimal)],
        ]}
      />
      <p class="note">{note}</p>
      <ChangedTasks runs={runs} comparison={comparison} />
    </>
  );
}

const note =
  "Compared over episodes with the same environment, task, seed and options. A task counts as solved if at least half of its " +
  "episodes are. The interval is over tasks, with the samples of a task as one cluster (Miller 2024), and with two tasks added " +
  "against too narrow intervals of few tasks (Bonett and Price 2012).";

function tilesOf({ counts, tasks, pairs, lost, onlyInA, onlyInB }: Comparison) {
  const only = [onlyInA > 0 && `${onlyInA} only in the first`, onlyInB > 0 && `${onlyInB} only in the second`];
  const left = lost > 0 && `${counted(lost, "pair")} lost to failures`;
  const more = [counted(pairs, "pair of episodes", "pairs of episodes"), ...only, left].filter(Boolean).join(", ");
  return [
    { label: "broken", value: `${counts.broken}`, more: "solved before, failed now" },
    { label: "fixed", value: `${counts.fixed}`, more: "failed before, solved now" },
    { label: "same", value: `${counts.same}` },
    { label: "tasks in both", value: `${tasks.length}`, more },
  ];
}

/** @param factor factor from a difference to its unit */
function meanCells(mean: ComparedMean | undefined, write: (value: number) => string, factor = 1, unit = ""): string[] {
  if (!mean) return ["–", "–", "–"];
  const { value, low, high } = mean.difference;
  const [middle, from, to] = [value, low, high].map((each) => signed(factor * each, factor === 1 ? 2 : 1));
  return [write(mean.a), write(mean.b), `${[middle, unit].filter(Boolean).join(" ")} [${from}, ${to}]`];
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${decimal(value, digits)}`;
}

const changeSigns: Readonly<Record<Change, string>> = { broken: "▼", fixed: "▲", same: "=" };
const changes = Object.keys(changeSigns) as Change[];

function ChangedTasks({ runs, comparison: { tasks, counts } }: { runs: Runs; comparison: Comparison<EpisodeRow> }) {
  const [a, b] = runs.map(({ run }) => run);
  const show = place.value.query.get("show") ?? "";
  const shown = tasks.filter(({ change }) => show === "" || change === show);
  const cells = tasks.reduce((most, { pairs }) => Math.max(most, pairs.length), 1);
  return (
    <section class="matrix compared-tasks" aria-labelledby="changes">
      <h2 id="changes">Tasks that both played</h2>
      <p class="controls">
        <select
          aria-label="Change"
          value={show}
          onChange={({ currentTarget: { value } }) =>
            goTo(linkTo(["runs"], { a, b, ...(value !== "" && { show: value }) }), { replaces: true })
          }
        >
          <option value="">all changes</option>
          {changes.map((change) => (
            <option key={change} value={change}>{`${change} (${counts[change]})`}</option>
          ))}
        </select>
      </p>
      {shown.length === 0 && <p class="quiet">No task is {show}.</p>}
      <RowsBox label="Compared tasks" count={shown.length} cells={2 * cells + 1}>
        {(index) => <Row task={shown[index] as ComparedTask<EpisodeRow>} runs={runs} />}
      </RowsBox>
      <Legend />
    </section>
  );
}

function Row({ task, runs }: { task: ComparedTask<EpisodeRow>; runs: Runs }) {
  const { split, index, family, change, pairs, solved } = task;
  const name = `${split}:${index}`;
  const [a, b] = runs.map(({ run }) => run);
  // A sample with another outcome tells most about the change.
  const [left, right] = (pairs.find((pair) => pair[0].solved !== pair[1].solved) ?? pairs[0]) as [
    EpisodeRow,
    EpisodeRow,
  ];
  return (
    <div class="task-row">
      <TaskName name={name} family={family} />
      <span class="cells">
        {runs.map(({ run }, side) => (
          <>
            {side === 1 && <span class="cell none">→</span>}
            {pairs.map((pair) => (
              <EpisodeCell
                key={`${side} ${pair[0].sample}`}
                row={pair[side] as EpisodeRow}
                href={({ index }) => linkTo(["runs", run, "episodes"], { episode: index })}
                name={`${name} sample ${(pair[side] as EpisodeRow).sample + 1} in ${run}`}
              />
            ))}
          </>
        ))}
      </span>
      <a
        class={`badge ${change === "broken" ? "bad" : change === "fixed" ? "good" : ""}`}
        href={linkTo(["compare"], { run: a, with: b, left: left.index, right: right.index })}
        title={`Compare sample ${left.sample + 1} of ${name} in both runs step by step`}
      >
        {changeSigns[change]} {change}
      </a>
      <span class="quiet task-why">
        solved {percent(solved[0])} → {percent(solved[1])}
      </span>
    </div>
  );
}
