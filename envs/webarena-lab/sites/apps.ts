/** HTTP applications of the bundled sites. Each is loaded on the first request to its host. */
import type { Hono } from "hono";
import { admin, forge, forum, map, shop, wiki } from "./index.js";
import type { SiteEnv } from "./site.js";

type App = Hono<SiteEnv>;

const loads: ReadonlyMap<string, () => Promise<{ app: App }>> = new Map([
  [shop.host, () => import("./shop/app.js")],
  [admin.host, () => import("./admin/app.js")],
  [forum.host, () => import("./forum/app.js")],
  [forge.host, () => import("./forge/app.js")],
  [wiki.host, () => import("./wiki/app.js")],
  [map.host, () => import("./map/app.js")],
]);

/** Returns the application with a host name, or undefined if no site has it. */
export async function appOf(host: string): Promise<App | undefined> {
  return (await loads.get(host)?.())?.app;
}
