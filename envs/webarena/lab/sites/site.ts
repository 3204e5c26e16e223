/** Facts of a bundled site that are known without loading the site's pages. */
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
  /** Session cookie for a visitor who is logged in from the start. Only sites with accounts have this cookie. */
  login?: { name: string; value: string };
}
