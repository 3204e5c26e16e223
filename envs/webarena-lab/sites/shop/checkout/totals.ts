/** Computes the totals of an order: subtotal, discount, shipping fee, tax and total. */
import type { OrderItem } from "../records.js";

export interface Method {
  code: string;
  /** Label of the shipping method on the pages of orders. */
  label: string;
  fee: number;
}

export const methods: readonly Method[] = [
  { code: "flatrate_flatrate", label: "Flat Rate - Fixed", fee: 500 },
  { code: "tablerate_bestway", label: "Best Way - Table Rate", fee: 995 },
  { code: "express_nextday", label: "Express - Next Day", fee: 1995 },
];

export const payments = ["Check / Money order", "Cash On Delivery"];

/** Tax in percent of the discounted subtotal. */
const taxPercent = 5;

export interface Totals {
  subtotal: number;
  discount: number;
  shippingFee: number;
  tax: number;
  total: number;
}

/** Discount function that always returns 0. */
export const undiscounted = () => 0;

/** @param discountOf returns the discount on a subtotal, at most the subtotal itself */
export function totalsOf(
  items: readonly Pick<OrderItem, "price" | "qty">[],
  shippingFee: number,
  discountOf: (subtotal: number) => number,
): Totals {
  const subtotal = items.reduce((sum, { price, qty }) => sum + price * qty, 0);
  const discount = Math.min(subtotal, discountOf(subtotal));
  const tax = Math.round(((subtotal - discount) * taxPercent) / 100);
  return { subtotal, discount, shippingFee, tax, total: subtotal - discount + shippingFee + tax };
}
