/** Description of a bundled site. Reading it does not load the site's pages. */
import type { SiteName } from "../../shared/web-tasks/tasks/sites.js";
import type { World } from "../world.js";

/** Type of the environment of a page handler: `context.env` contains the data of the episode. */
export type SiteEnv = { Bindings: World };

export interface LabSite {
  name: SiteName;
  /** Host name without a port. Sites are served on port 80. */
  host: string;
  /** URL of the site in tasks. */
  url: string;
  /** Session cookie for tasks in which the agent is already logged in. Only sites with accounts have this field. */
  login?: { name: string; value: string };
}
