/** The products that customers order most. */
import type { Order } from "../shop/records.js";

export const isSold = ({ status }: Order) => status !== "canceled";

export interface Sold {
  name: string;
  price: number;
  qty: number;
}

/** Returns the ordered products with the best-selling product first. Canceled orders do not count. */
export function bestsellers(orders: Iterable<Order>): Sold[] {
  const sold = new Map<string, Sold>();
  for (const order of orders) {
    if (!isSold(order)) continue;
    for (const { name, price, qty } of order.items)
      sold.set(name, { name, price, qty: (sold.get(name)?.qty ?? 0) + qty });
  }
  return [...sold.values()].sort((one, other) => other.qty - one.qty || (one.name < other.name ? -1 : 1));
}
