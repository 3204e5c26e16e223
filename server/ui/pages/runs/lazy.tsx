/** The pages of runs, which are loaded when they are first opened: their charts are a third of the studio's code. */
import { Loaded } from "../../parts/loaded.js";

export function RunPages() {
  return (
    <Loaded of="runs" load={() => import("./pages.js")}>
      {({ RunRoutes }) => <RunRoutes />}
    </Loaded>
  );
}
