/** Queries, steps and conditions that the task templates of the shop's administration share. */
import { click, enter, type PlanStep } from "../../plan.js";
import { number9 } from "../../sites/shop/format.js";
import type { Order, Product, Review } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";

export const sites = ["shopping_admin"] as const;

export const orders = (): Order[] => [...shopBase().orders.values()];
export const reviews = (): Review[] => [...shopBase().reviews.values()];

export const statusHook = 'document.querySelector("#order_status").outerText';

export function openOrder({ id }: Order): PlanStep[] {
  return [click("link", "Orders"), enter("Search by keyword", number9(id)), click("link", "View", number9(id))];
}

export function openProduct({ sku }: Product): PlanStep[] {
  return [click("link", "Products"), enter("Search by keyword", sku), click("link", "Edit", sku)];
}

/** Formats a date as `3/9/2024`. */
export function dateText(at: number): string {
  const date = new Date(at);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/**
 * Returns the first and the last day of a span of months, as milliseconds since the epoch at 00:00 UTC.
 *
 * @param month first month, where 0 is January
 */
export function span(year: number, month: number, months: number): { from: number; to: number } {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + months, 1) - 86_400_000 };
}
