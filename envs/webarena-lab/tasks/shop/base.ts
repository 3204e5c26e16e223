/** Queries and steps that the task templates of the shop share. */
import { click, enter, type PlanStep } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { finalPrice, found } from "../../sites/shop/catalogue/catalog.js";
import { number9 } from "../../sites/shop/format.js";
import type { Category, Order, Product } from "../../sites/shop/records.js";
import { emmaId } from "../../sites/shop/seed/customers.js";
import { type Branch, isShelf, readCatalogue, type Shelf } from "../../sites/shop/seed/lists.js";
import { openShop, type ShopTables, shopBase } from "../../sites/shop/tables.js";

let tables: ShopTables | undefined;

/** Returns the tables in their initial state. The caller must not change them. */
export function seeded(): ShopTables {
  tables ??= openShop();
  return tables;
}

export const products = (): Product[] => [...shopBase().products.values()];

/** Returns the products that have their own page. */
export const shownProducts = (): Product[] => products().filter(({ parent }) => parent === null);

export const categories = (): Category[] => [...shopBase().categories.values()];

/** Returns the categories without subcategories. */
export function leaves(): Category[] {
  const parents = new Set(categories().map(({ parent }) => parent));
  return categories().filter(({ id }) => !parents.has(id));
}

export const inLeaf = ({ id }: Category): Product[] =>
  shownProducts().filter((product) => product.categories.at(-1) === id);

/** Returns the orders of the agent's customer account (Emma), newest first. */
export function emmasOrders(): Order[] {
  return [...shopBase().orders.values()].filter(({ customer }) => customer === emmaId).reverse();
}

let known: ReadonlyMap<string, Shelf> | undefined;

/** Returns the word lists for the category of a product. */
export function shelfOf(product: Product): Shelf {
  known ??= new Map(readCatalogue().flatMap((branch) => shelvesOf(branch, "")));
  const path = shopBase().categories.get(product.categories.at(-1) as number)?.path ?? "";
  return known.get(path) as Shelf;
}

function shelvesOf(node: Branch | Shelf, above: string): [string, Shelf][] {
  const name = node.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const path = above === "" ? name : `${above}/${name}`;
  return isShelf(node) ? [[path, node]] : node.children.flatMap((child) => shelvesOf(child, path));
}

/** Returns a search query whose first result page shows the product, or undefined. */
export function queryFor(product: Product): string | undefined {
  const noun = shelfOf(product).nouns.find((one) => product.name.includes(one)) ?? "";
  const words = product.name.split(/[^A-Za-z0-9&'.-]+/).filter(Boolean);
  const candidates = [`${product.brand} ${noun}`, ...[4, 5, 6, 8].map((count) => words.slice(0, count).join(" "))];
  return candidates.find((query) =>
    found(seeded(), query)
      .slice(0, 12)
      .some(({ id }) => id === product.id),
  );
}

/** Returns the steps from any page of the shop to the page of a product. */
export function openProduct(product: Product): PlanStep[] {
  return [enter("Search", queryFor(product) ?? product.sku), click("link", product.name)];
}

/** Returns the steps from any page of the shop to the page of the order history that lists an order. */
export function toHistory(order: Order): PlanStep[] {
  const page = Math.floor(emmasOrders().findIndex(({ id }) => id === order.id) / 10) + 1;
  return [
    click("link", "My Account"),
    click("link", "My Orders"),
    ...(page > 1 ? [click("link", `Page ${page}`)] : []),
  ];
}

export function openOrder(order: Order): PlanStep[] {
  return [...toHistory(order), click("link", "View Order", number9(order.id))];
}

/** Whether a product is in stock and has no options. */
export const isPlain = ({ axes, isInStock }: Product): boolean => axes.length === 0 && isInStock;

/** Returns the item with the lowest value, or undefined if two items share it. */
export function least<T>(items: readonly T[], by: (item: T) => number): T | undefined {
  const sorted = [...items].sort((one, other) => by(one) - by(other));
  const [first, second] = sorted;
  return first !== undefined && (second === undefined || by(second) > by(first)) ? first : undefined;
}

export const cheapest = (items: readonly Product[]) => least(items, finalPrice);

export function plainProduct(random: Random): Product {
  return random.choice(shownProducts().filter(isPlain));
}

/** Returns a noun for a product, such as `yoga mat`, for use in a sentence. */
export function nounOf(productId: number): string {
  const product = shopBase().products.get(productId) as Product;
  const noun = shelfOf(product).nouns.find((one) => product.name.includes(one));
  return (noun ?? product.name).toLowerCase();
}
