/** The bundled sites. The file `apps.ts` contains the pages of the sites. Only processes that run episodes load it. */
import type { SiteUrls } from "../../shared/web-tasks/tasks/sites.js";
import { login as forgeLogin } from "./forge/tables.js";
import { login as forumLogin } from "./forum/seed/seed.js";
import { adminLogin, customerLogin } from "./shop/seed/extras.js";
import type { LabSite } from "./site.js";

export const shop: LabSite = { name: "shopping", host: "shop.test", url: "http://shop.test", login: customerLogin };

export const admin: LabSite = {
  name: "shopping_admin",
  host: "shop-admin.test",
  url: "http://shop-admin.test/admin",
  login: adminLogin,
};

export const forum: LabSite = { name: "reddit", host: "forum.test", url: "http://forum.test", login: forumLogin };

export const forge: LabSite = { name: "gitlab", host: "forge.test", url: "http://forge.test", login: forgeLogin };

export const wiki: LabSite = { name: "wikipedia", host: "wiki.test", url: "http://wiki.test" };

export const map: LabSite = { name: "map", host: "map.test", url: "http://map.test" };

export const labSites: readonly LabSite[] = [shop, admin, forum, forge, wiki, map];

export const labUrls: SiteUrls = Object.fromEntries(labSites.map(({ name, url }) => [name, url]));
