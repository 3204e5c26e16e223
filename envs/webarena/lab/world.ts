/** The data of all bundled sites in one episode. */
import { type ForgeTables, openForge } from "./sites/forge/tables.js";
import { type ForumTables, openForum } from "./sites/forum/tables.js";
import { openShop, type ShopTables } from "./sites/shop/tables.js";
import type { Change } from "./store.js";

export interface World {
  /** Tables of the shop and its administration. */
  shop: ShopTables;
  forum: ForumTables;
  forge: ForgeTables;
}

export function openWorld(): World {
  return { shop: openShop(), forum: openForum(), forge: openForge() };
}

/** Returns the rows that the episode has changed since the last call. */
export function takeChanges({ shop, forum, forge }: World): Change[] {
  return [shop, forum, forge].flatMap((tables) => Object.values(tables).flatMap((table) => table.takeChanges()));
}
