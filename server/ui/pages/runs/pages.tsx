/** The pages of training runs and evaluations. */
import { place } from "../../route.js";
import { CompareRuns } from "./compare-runs.js";
import { RunList } from "./list.js";
import { RunPage } from "./page.js";

export function RunRoutes() {
  const { path, query } = place.value;
  const [, run, tab] = path;
  const [a, b] = [query.get("a"), query.get("b")];
  if (run !== undefined) return <RunPage run={run} tab={tab} />;
  return a !== null && b !== null ? <CompareRuns a={a} b={b} /> : <RunList />;
}
