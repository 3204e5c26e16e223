/** Changes of orders that have not been delivered. */
import { type ChangeKind, expected } from "./change.js";
import { type Database, type Item, itemOf, type Line, type Order, rowOf } from "./database.js";

/** Fee for the cancellation of a packed order. */
export const packedFee = 5;

export function orderOf(database: Database, id: string): Order {
  return database.orders[id] as Order;
}

export function lineOf(database: Database, id: string, item: string): Line | undefined {
  return orderOf(database, id).lines.find((line) => line.item === item && line.state === "sold");
}

export function wrongOrder({ orders }: Database, id = ""): string | undefined {
  return rowOf(orders, id) ? undefined : expected("the id of an order, such as A310,", id);
}

/** Checks the id of an order, and an item in it. */
export function wrongLine(database: Database, [order = "", item = ""]: readonly string[]): string | undefined {
  const wrong = wrongOrder(database, order);
  if (wrong || lineOf(database, order, item)) return wrong;
  const items = orderOf(database, order).lines.map((line) => line.item);
  return expected(`an item of ${order} (${items.join(", ")})`, item);
}

/** Checks an order, an item in it, and an item of the shop in its place. */
export function wrongSwap(database: Database, args: readonly string[]): string | undefined {
  const wrong = wrongLine(database, args);
  if (wrong || itemOf(database, args[2] ?? "")) return wrong;
  return expected("an item of the shop, such as desk-lamp-oak,", args[2] ?? "");
}

/** Returns the reason why one item must not replace another, or undefined. */
export function unfit(database: Database, item: string, other: string): string | undefined {
  const [old, next] = [itemOf(database, item), itemOf(database, other)] as [Item, Item];
  if (old.product !== next.product) return `${other} is another product than ${item}`;
  if (next.variant.stock === 0) return `${other} is sold out`;
  return undefined;
}

/** Returns the difference that a dearer item costs. */
export function surcharge(database: Database, [order = "", item = "", other = ""]: readonly string[]): number {
  const line = lineOf(database, order, item) as Line;
  return Math.max(0, (itemOf(database, other) as Item).variant.price - line.price);
}

export function totalOf({ lines }: Order): number {
  return lines.reduce((sum, { price }) => sum + price, 0);
}

/** Puts an item in the place of another, and takes both into account in the stock. */
export function replaceItem(database: Database, args: readonly string[]): number {
  const [order = "", item = "", other = ""] = args;
  const extra = surcharge(database, args);
  const line = lineOf(database, order, item) as Line;
  line.item = other;
  line.price += extra;
  orderOf(database, order).fees += extra;
  (itemOf(database, item) as Item).variant.stock += 1;
  (itemOf(database, other) as Item).variant.stock -= 1;
  return extra;
}

const owner: ChangeKind["owner"] = (database, [order = ""]) => orderOf(database, order).customer;

function unlessProcessing(database: Database, id: string, what: string): string | undefined {
  const { status } = orderOf(database, id);
  return status === "processing" ? undefined : `order ${id} is already ${status}, so ${what}`;
}

/** Returns the fee for the cancellation of an order. */
function cancelFee(database: Database, [order = ""]: readonly string[]): number {
  return orderOf(database, order).status === "packed" ? packedFee : 0;
}

export const orderChanges: Readonly<Record<string, ChangeKind>> = {
  change_address: {
    parameters: ["order", "address"],
    wrong: (database, [order, address = ""]) =>
      wrongOrder(database, order) ?? (address === "" ? expected("an address after the order", "") : undefined),
    forbidden: (database, [order = ""]) => unlessProcessing(database, order, "its address cannot be changed"),
    cost: () => 0,
    perform(database, [order = "", address = ""]) {
      orderOf(database, order).address = address;
      return `${order} now goes to ${address}.`;
    },
    owner,
  },
  cancel_order: {
    parameters: ["order"],
    wrong: (database, [order]) => wrongOrder(database, order),
    forbidden(database, [order = ""]) {
      const { status } = orderOf(database, order);
      if (status === "processing" || status === "packed") return undefined;
      return `order ${order} is already ${status}, so it cannot be cancelled`;
    },
    cost: cancelFee,
    perform(database, args) {
      const order = orderOf(database, args[0] as string);
      const fee = cancelFee(database, args);
      const amount = totalOf(order) - fee;
      order.status = "cancelled";
      order.fees += fee;
      order.refunds.push({ amount, method: order.paid });
      return `${order.id} is cancelled${fee > 0 ? ` for a fee of $${fee}` : ""}. $${amount} goes back to ${order.paid}.`;
    },
    owner,
  },
  swap_item: {
    parameters: ["order", "item", "new_item"],
    wrong: wrongSwap,
    forbidden: (database, [order = "", item = "", other = ""]) =>
      unlessProcessing(database, order, "its items cannot be swapped") ?? unfit(database, item, other),
    cost: surcharge,
    perform(database, args) {
      const [order, item, other] = args;
      const extra = replaceItem(database, args);
      return `${order} now has ${other} instead of ${item}${extra > 0 ? `, for $${extra} more` : ""}.`;
    },
    owner,
  },
};
