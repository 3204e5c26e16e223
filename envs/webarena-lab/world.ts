/** The data of all bundled sites in one episode. */
import { type ForgeTables, openForge } from "./sites/forge/tables.js";
import { type ForumTables, openForum } from "./sites/forum/tables.js";
import { openShop, type ShopTables } from "./sites/shop/tables.js";
import type { Change } from "./store.js";

interface Opened {
  shop?: ShopTables;
  forum?: ForumTables;
  forge?: ForgeTables;
}

/**
 * The tables of each site, which are opened when a page first reads them. The first opening of a site in a process
 * takes up to 0.4 s of processor time, and most tasks read one site.
 */
export interface World extends Readonly<Required<Opened>> {
  /** Tables that a page has read. */
  readonly opened: Readonly<Opened>;
}

export function openWorld(): World {
  const opened: Opened = {};
  return {
    opened,
    /** Tables of the shop and its administration. */
    get shop() {
      opened.shop ??= openShop();
      return opened.shop;
    },
    get forum() {
      opened.forum ??= openForum();
      return opened.forum;
    },
    get forge() {
      opened.forge ??= openForge();
      return opened.forge;
    },
  };
}

/** Returns the rows that the episode has changed since the last call. */
export function takeChanges({ opened: { shop, forum, forge } }: World): Change[] {
  return [shop, forum, forge].flatMap((tables) => Object.values(tables ?? {}).flatMap((table) => table.takeChanges()));
}
