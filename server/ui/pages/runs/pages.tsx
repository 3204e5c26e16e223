/** The pages of training runs and evaluations. */
import { place } from "../../route.js";
import { CompareRuns } from "./compare-runs.js";
import { RunList } from "./list.js";
import { RunPage } from "./page.js";

export function RunRoutes() {
  const { path, query } = place.value;
  const [, run, tab] = path;
  // Addresses of earlier versions name the two runs `a` and `b`.
  const named = ["a", "b"].flatMap((name) => query.getAll(name));
  const runs = named.length > 1 ? named : [...new Set(query.getAll("run"))];
  if (run !== undefined) return <RunPage run={run} tab={tab} />;
  return runs.length > 1 ? <CompareRuns names={runs} /> : <RunList />;
}
