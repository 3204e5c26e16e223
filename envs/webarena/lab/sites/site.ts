/** Facts of a bundled site that do not need its pages. */
import type { SiteName } from "../../tasks/sites.js";
import type { World } from "../world.js";

/** Environment of a page handler: `context.env` is the world of the episode. */
export type SiteEnv = { Bindings: World };

export interface LabSite {
  name: SiteName;
  /** Host name without a port. Sites are served on port 80. */
  host: string;
  /** Address of the site in tasks. */
  url: string;
  /** Cookie of the visitor who is logged in from the start, for sites with accounts. */
  login?: { name: string; value: string };
}
