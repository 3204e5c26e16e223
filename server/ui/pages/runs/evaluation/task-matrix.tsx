/** The tasks of an evaluation by their samples: which tasks fail, how often and why. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { failureKinds, failureNames } from "../../../../formats/outcomes/failure.js";
import { counted, countText, decimal } from "../../../numbers.js";
import { goTo, linkTo, place } from "../../../route.js";
import { EpisodeCell, TaskName } from "./episode-cell.js";
import type { EpisodeRow } from "./episode-source.js";
import { isIn, type MatrixTask, matrixOf, type Outcome, outcomeNames, pairOf, signs, taskGroups } from "./matrix.js";
import { RowsBox } from "./rows-box.js";

interface Props {
  rows: readonly EpisodeRow[];
  /** Path of the page, whose query has the filter. */
  path: readonly string[];
  /** Path of the page with the episodes. */
  episodesPath: readonly string[];
  /** Name of the evaluation in the gym, where two samples can be compared; undefined in a report. */
  run: string | undefined;
}

export function TaskMatrix({ rows, path, episodesPath, run }: Props) {
  const tasks = useMemo(() => matrixOf(rows), [rows]);
  const { query } = place.value;
  const filter = {
    tasks: query.get("tasks") ?? "",
    failure: query.get("failure") ?? "",
    task: query.get("task") ?? "",
  };
  const shown = useMemo(() => tasks.filter((task) => matches(task, filter)), [tasks, JSON.stringify(filter)]);
  const cells = tasks.reduce((most, { samples }) => Math.max(most, samples.length), 1);
  const href = ({ index }: EpisodeRow) => linkTo(episodesPath, { episode: index });
  if (tasks.length === 0) return null;
  return (
    <section class="matrix" aria-labelledby="tasks">
      <h2 id="tasks">Tasks, the worst first</h2>
      <Filter tasks={tasks} filter={filter} path={path} />
      <p class="quiet" role="status">
        {statusOf(tasks, shown)}
      </p>
      <RowsBox label="Tasks" count={shown.length} cells={cells}>
        {(index) => <Row task={shown[index] as MatrixTask} href={href} run={run} />}
      </RowsBox>
      <Legend />
    </section>
  );
}

type Filters = Readonly<Record<"tasks" | "failure" | "task", string>>;

function matches(task: MatrixTask, { tasks, failure, task: text }: Filters): boolean {
  const name = `${nameOf(task)} ${task.family ?? ""}`.toLowerCase();
  return (
    isIn(task, tasks) &&
    (failure === "" || task.kinds.some((kind) => kind === failure)) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => name.includes(word))
  );
}

function statusOf(tasks: readonly MatrixTask[], shown: readonly MatrixTask[]): string {
  const groups = Object.entries(taskGroups).flatMap(([group, name]) => {
    const count = tasks.filter((task) => isIn(task, group)).length;
    return count > 0 ? [`${countText(count)} ${name}`] : [];
  });
  const all = counted(tasks.length, "task");
  return `${shown.length < tasks.length ? `${countText(shown.length)} of ${all}` : all}: ${groups.join(", ")}`;
}

function Filter({ tasks, filter, path }: { tasks: readonly MatrixTask[]; filter: Filters; path: readonly string[] }) {
  const change = (name: keyof Filters, value: string) => {
    const given = Object.entries({ ...filter, [name]: value }).filter(([, text]) => text !== "");
    goTo(linkTo(path, Object.fromEntries(given)), { replaces: true });
  };
  const kinds = failureKinds.filter((kind) => tasks.some((task) => task.kinds.includes(kind)));
  return (
    <search class="controls">
      <input
        type="search"
        aria-label="Filter tasks"
        placeholder="Task or family"
        value={filter.task}
        onInput={({ currentTarget }) => change("task", currentTarget.value)}
      />
      <select
        aria-label="Tasks"
        value={filter.tasks}
        onChange={({ currentTarget }) => change("tasks", currentTarget.value)}
      >
        <option value="">all tasks</option>
        {Object.entries(taskGroups).map(([group, name]) => (
          <option key={group} value={group}>
            {name}
          </option>
        ))}
      </select>
      {kinds.length > 0 && (
        <select
          aria-label="Kind of failure"
          value={filter.failure}
          onChange={({ currentTarget }) => change("failure", currentTarget.value)}
        >
          <option value="">all kinds of failure</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {failureNames[kind]}
            </option>
          ))}
        </select>
      )}
    </search>
  );
}

interface RowProps {
  task: MatrixTask;
  href: (row: EpisodeRow) => string;
  run: string | undefined;
}

function Row({ task, href, run }: RowProps) {
  const { samples, solved, played, score, family, kinds } = task;
  const name = nameOf(task);
  return (
    <div class="task-row">
      <TaskName name={name} family={family} />
      <span class="cells">
        {samples.map((row, sample) => (
          <EpisodeCell
            key={sample}
            row={row}
            href={href}
            name={samples.length > 1 ? `${name} sample ${sample + 1}` : name}
          />
        ))}
      </span>
      <span class="number" title="solved episodes">
        <Compared run={run} pair={pairOf(task)} name={name}>
          {solved} of {played}
        </Compared>
      </span>
      <span class="quiet task-why">
        {[...(score === undefined ? [] : [`score ${decimal(score)}`]), ...kinds.map((kind) => failureNames[kind])].join(
          " · ",
        )}
      </span>
    </div>
  );
}

interface ComparedProps {
  run: string | undefined;
  pair: readonly [EpisodeRow, EpisodeRow] | undefined;
  /** Name of the task. */
  name: string;
  children: ComponentChildren;
}

/** A link to the comparison of two samples, where there are two. */
function Compared({ run, pair, name, children }: ComparedProps) {
  if (run === undefined || pair === undefined) return <>{children}</>;
  const [left, right] = pair;
  return (
    <a
      href={linkTo(["compare"], { run, left: left.index, right: right.index })}
      title={`Compare samples ${left.sample + 1} and ${right.sample + 1} of ${name} step by step`}
    >
      {children}
    </a>
  );
}

function nameOf({ split, index }: MatrixTask): string {
  return `${split}:${index}`;
}

export function Legend() {
  return (
    <p class="quiet legend">
      {(Object.keys(signs) as Outcome[]).map((outcome) => (
        <span key={outcome}>
          <span class={`cell ${outcome}`} aria-hidden="true">
            {signs[outcome]}
          </span>{" "}
          {outcomeNames[outcome]}
        </span>
      ))}
    </p>
  );
}
