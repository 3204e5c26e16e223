/** Two episodes of one task side by side, or all of the caller's episodes of a task as a table and as a tree. */
import { linkTo, place } from "../../route.js";
import { GroupView } from "./group-view.js";
import { SideBySide } from "./side-by-side.js";
import "./compare.css";

export function ComparePage() {
  const { query } = place.value;
  const [left, right] = [query.get("left"), query.get("right")];
  if (left && right) return <SideBySide key={`${left} ${right}`} left={left} right={right} />;
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
