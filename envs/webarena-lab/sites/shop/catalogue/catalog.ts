/** Queries the catalog for categories, product lists, prices and ratings. */
import type { Category, Product, Review } from "../records.js";
import type { ShopTables } from "../tables.js";
import { finder, hitsOf } from "./search.js";

export type Order = "position" | "relevance" | "name" | "price";

export interface ListRequest {
  /** Price range in cents. The upper limit `to` is exclusive. */
  price: { from: number; to: number } | undefined;
  order: Order;
  isDescending: boolean;
  page: number;
  limit: number;
}

export interface ProductList {
  products: Product[];
  total: number;
  /** Products without the price filter, which determine the offered price ranges. */
  unfiltered: readonly Product[];
}

export const finalPrice = ({ price, specialPrice }: Product): number => specialPrice ?? price;

export const productUrl = ({ urlKey }: Pick<Product, "urlKey">): string => `/${urlKey}.html`;
export const categoryUrl = ({ path }: Pick<Category, "path">): string => `/${path}.html`;

/** Returns the products that have a page in the shop. */
export function shown(shop: ShopTables): Product[] {
  return shop.products.filter(({ parent, isEnabled }) => parent === null && isEnabled);
}

export function inCategory(shop: ShopTables, { id }: Category): Product[] {
  return shop.products.filter((one) => one.parent === null && one.isEnabled && one.categories.includes(id));
}

/** Returns the products that match a search query, with the best matches first. */
export function found(shop: ShopTables, query: string): Product[] {
  const [isFound, hits] = [finder(query), hitsOf(query)];
  return shown(shop)
    .filter(isFound)
    .map((product) => ({ product, rank: hits(product) }))
    .sort((one, other) => other.rank - one.rank || one.product.id - other.product.id)
    .map(({ product }) => product);
}

/** @param all all matching products, in order of relevance or position */
export function listed(all: readonly Product[], { price, order, isDescending, page, limit }: ListRequest): ProductList {
  const fitting = price
    ? all.filter((product) => finalPrice(product) >= price.from && finalPrice(product) < price.to)
    : [...all];
  if (order === "name") fitting.sort((one, other) => compare(one.name.toLowerCase(), other.name.toLowerCase()));
  if (order === "price") fitting.sort((one, other) => finalPrice(one) - finalPrice(other) || one.id - other.id);
  if (isDescending) fitting.reverse();
  const start = (page - 1) * limit;
  return { products: fitting.slice(start, start + limit), total: fitting.length, unfiltered: all };
}

export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Returns price ranges of equal width that cover all prices, with the number of products in each range. Omits empty
 * ranges.
 */
export function priceRanges(products: readonly Product[]): { from: number; to: number; count: number }[] {
  const prices = products.map(finalPrice);
  const most = Math.max(0, ...prices);
  let step = 10 ** Math.floor(Math.log10(Math.max(most, 100)));
  if (prices.filter((price) => price >= step).length < 3) step /= 10;
  const ranges = new Map<number, number>();
  for (const price of prices) ranges.set(Math.floor(price / step), (ranges.get(Math.floor(price / step)) ?? 0) + 1);
  return [...ranges]
    .sort(([one], [other]) => one - other)
    .map(([at, count]) => ({ from: at * step, to: (at + 1) * step, count }));
}

export function lineOf(shop: ShopTables, category: Category): Category[] {
  const above = category.parent === null ? undefined : shop.categories.get(category.parent);
  return above ? [...lineOf(shop, above), category] : [category];
}

export function childrenOf(shop: ShopTables, parent: number | null): Category[] {
  return shop.categories.filter((one) => one.parent === parent);
}

/** Returns the product on whose page the shop shows a product. For a variant, this is the configurable product. */
export function pageOf(shop: ShopTables, product: Product): Product {
  return (product.parent === null ? undefined : shop.products.get(product.parent)) ?? product;
}

export interface Rating {
  count: number;
  /** Mean rating in percent, where five stars are 100. */
  percent: number;
}

/** Returns the rating of each product, by product id. Only approved reviews count. */
export function ratings(shop: ShopTables, products: readonly Product[]): Map<number, Rating> {
  const wanted = new Set(products.map(({ id }) => id));
  const sums = new Map<number, { count: number; stars: number }>();
  for (const { product, stars, status } of shop.reviews) {
    if (status !== 1 || !wanted.has(product)) continue;
    const sum = sums.get(product) ?? { count: 0, stars: 0 };
    sums.set(product, { count: sum.count + 1, stars: sum.stars + stars });
  }
  return new Map([...sums].map(([id, { count, stars }]) => [id, { count, percent: Math.round((stars * 20) / count) }]));
}

/** Returns the approved reviews of a product, newest first. */
export function reviewsOf(shop: ShopTables, product: number): Review[] {
  return shop.reviews.filter((one) => one.product === product && one.status === 1).reverse();
}

/** Returns the variant of a product with the chosen values, or the product itself if it has no variants. */
export function variantOf(shop: ShopTables, product: Product, values: readonly string[]): Product | undefined {
  if (product.axes.length === 0) return product;
  return shop.products.find(
    ({ parent, chosen }) => parent === product.id && chosen.every(({ value }, at) => value === values[at]),
  );
}
