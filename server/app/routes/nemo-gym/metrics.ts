/** Statistics over the rollouts of a run, which NeMo Gym's agent asks its server for when all rollouts are done. */

type Rollout = Readonly<Record<string, unknown>>;

const taskKey = "_ng_task_index";
/** Numbers that count rollouts, and are no results. */
const counters: ReadonlySet<string> = new Set([taskKey, "_ng_rollout_index", "_ng_attempt_index"]);

/** Returns the mean, the extremes, the median and the standard deviation of each number, per task and overall. */
export function aggregatedMetrics(rollouts: readonly Rollout[]) {
  const byTask = new Map<number, Rollout[]>();
  for (const rollout of rollouts) {
    const task = Number(rollout[taskKey] ?? 0);
    const group = byTask.get(task) ?? [];
    byTask.set(task, group);
    group.push(rollout);
  }
  const tasks = [...byTask].sort(([a], [b]) => a - b);
  const overall = statisticsOf(rollouts);
  return {
    group_level_metrics: tasks.map(([task, group]) => ({
      [taskKey]: task,
      num_rollouts: group.length,
      ...statisticsOf(group),
    })),
    agent_metrics: overall,
    key_metrics: Object.fromEntries(Object.entries(overall).filter(([name]) => name.startsWith("mean/"))),
  };
}

function statisticsOf(rollouts: readonly Rollout[]): Record<string, number> {
  const columns = new Map<string, number[]>();
  for (const rollout of rollouts) {
    const usage = (rollout.response as { usage?: object } | undefined)?.usage;
    for (const [name, value] of Object.entries({ ...rollout, ...usage })) {
      if (counters.has(name) || !(typeof value === "number" || typeof value === "boolean")) continue;
      const column = columns.get(name) ?? [];
      columns.set(name, column);
      column.push(Number(value));
    }
  }
  return Object.fromEntries([...columns].flatMap(([name, values]) => describe(name, values)));
}

function describe(name: string, values: readonly number[]): [string, number][] {
  const sorted = values.toSorted((a, b) => a - b);
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const at = (i: number) => sorted[i] as number;
  const median = (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation: [string, number][] = count > 1 ? [[`std/${name}`, Math.sqrt(squares / (count - 1))]] : [];
  return [
    [`mean/${name}`, mean],
    [`max/${name}`, at(count - 1)],
    [`min/${name}`, at(0)],
    [`median/${name}`, median],
    ...deviation,
  ];
}
