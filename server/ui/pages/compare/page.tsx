/** Two episodes, evaluated episodes or rollouts of one task side by side, or all of the caller's episodes of a task as a table and as a tree. */

import { Loaded } from "../../parts/loaded.js";
import { linkTo, place } from "../../route.js";
import { GroupView } from "./group-view.js";
import { type Side, sideOfEvaluation, sideOfRollout } from "./side.js";
import { EpisodesSideBySide, SideBySide } from "./side-by-side.js";
import "./compare.css";

export function ComparePage() {
  const { query } = place.value;
  const [left, right] = [query.get("left"), query.get("right")];
  const run = query.get("run");
  if (run && left && right) return <OfRuns run={run} left={Number(left)} right={Number(right)} query={query} />;
  if (left && right) return <EpisodesSideBySide key={`${left} ${right}`} left={left} right={right} />;
  const [environment, split, task] = ["environment", "split", "task"].map((name) => query.get(name));
  if (environment && split && task && /^\d+$/.test(task)) {
    const of = { environment, split, task: Number(task) };
    return <GroupView key={JSON.stringify(of)} {...of} left={left} />;
  }
  return (
    <section class="page">
      <h1>Compare</h1>
      <p>
        Open an <a href={linkTo(["episodes"])}>episode</a>, and follow its link to the episodes of the same task.
      </p>
    </section>
  );
}

interface OfRunsProps {
  run: string;
  /** Numbers of rollouts in their group, or of episodes in their evaluations. */
  left: number;
  right: number;
  query: URLSearchParams;
}

/** Two rollouts of a train step's group, or an episode of an evaluation beside one of the same or of another evaluation. */
function OfRuns({ run, left, right, query }: OfRunsProps) {
  const [group, step] = [query.get("group"), Number(query.get("step"))];
  const load = (): Promise<[Side, Side]> =>
    group === null
      ? Promise.all([sideOfEvaluation(run, left), sideOfEvaluation(query.get("with") ?? run, right)])
      : Promise.all([
          sideOfRollout({ run, step, group, rollout: left }),
          sideOfRollout({ run, step, group, rollout: right }),
        ]);
  const key = query.toString();
  return (
    <Loaded of={key} load={load}>
      {(sides) => <SideBySide key={key} sides={sides} />}
    </Loaded>
  );
}
