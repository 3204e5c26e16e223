/** HTTP applications of the bundled sites, by host name. */
import type { Hono } from "hono";
import { app as adminApp } from "./admin/app.js";
import { app as forgeApp } from "./forge/app.js";
import { app as forumApp } from "./forum/app.js";
import { admin, forge, forum, map, shop, wiki } from "./index.js";
import { app as mapApp } from "./map/app.js";
import { app as shopApp } from "./shop/app.js";
import type { SiteEnv } from "./site.js";
import { app as wikiApp } from "./wiki/app.js";

export const appsByHost: ReadonlyMap<string, Hono<SiteEnv>> = new Map([
  [shop.host, shopApp],
  [admin.host, adminApp],
  [forum.host, forumApp],
  [forge.host, forgeApp],
  [wiki.host, wikiApp],
  [map.host, mapApp],
]);
