/** The tools that return, exchange or modify the items of an order. */
import {
  add,
  countIn,
  elements,
  isEqual,
  isLess,
  lengthOf,
  numeric,
  rounded,
  sorted,
  subtract,
} from "../../python/operations.js";
import { copyOf, type Model, ToolFailed, type Value } from "../../python/value.js";
import { field, listField } from "../records.js";
import type { Database } from "../table.js";
import { type Arguments, filled } from "../toolkit.js";
import { isGiftCard, isShort, methodOf, orderedItem, orderOf, userOf, variantOf } from "./lookups.js";
import { orderPayment } from "./models.js";

export function exchangeItems(database: Database, args: Arguments): Value {
  const { order_id, item_ids, new_item_ids, payment_method_id } = args as Record<string, Value>;
  const order = orderOf(database, order_id as Value);
  if (field(order, "status") !== "delivered") throw new ToolFailed("Non-delivered order cannot be exchanged");
  checkOrdered(order, item_ids as Value, (id) => filled`Number of ${id} not found.`);
  if (lengthOf(item_ids as Value) !== lengthOf(new_item_ids as Value))
    throw new ToolFailed("The number of items to be exchanged should match.");
  const { difference } = compared(database, order, item_ids as Value, new_item_ids as Value);
  const price = typeof difference === "number" ? rounded(difference) : difference;
  const method = methodOf(database, field(order, "user_id"), payment_method_id as Value);
  if (isShort(method, price)) throw new ToolFailed("Insufficient gift card balance to pay for the price difference");
  order.set("status", "exchange requested");
  order.set("exchange_items", sorted(item_ids as Value));
  order.set("exchange_new_items", sorted(new_item_ids as Value));
  order.set("exchange_payment_method_id", payment_method_id as Value);
  order.set("exchange_price_difference", price);
  return order;
}

export function modifyItems(database: Database, args: Arguments): Value {
  const { order_id, item_ids, new_item_ids, payment_method_id } = args as Record<string, Value>;
  const order = orderOf(database, order_id as Value);
  if (field(order, "status") !== "pending") throw new ToolFailed("Non-pending order cannot be modified");
  checkOrdered(order, item_ids as Value, (id) => filled`${id} not found`);
  if (lengthOf(item_ids as Value) !== lengthOf(new_item_ids as Value))
    throw new ToolFailed("The number of items to be exchanged should match");
  const { difference, last } = compared(database, order, item_ids as Value, new_item_ids as Value, true);
  const method = methodOf(database, field(order, "user_id"), payment_method_id as Value);
  if (isShort(method, difference)) throw new ToolFailed("Insufficient gift card balance to pay for the new item");
  settle(order, method, payment_method_id as Value, difference);
  for (const [id, newId] of pairs(item_ids as Value, new_item_ids as Value)) {
    const ordered = orderedItem(order, id);
    if (!ordered || !last) throw new ToolFailed(filled`Item ${id} not found`);
    ordered.set("item_id", newId);
    // tau2-bench gives all items the price and the options of the last one.
    ordered.set("price", field(last, "price"));
    ordered.set("options", copyOf(field(last, "options")));
  }
  order.set("status", "pending (item modified)");
  return order;
}

export function returnItems(database: Database, args: Arguments): Value {
  const { order_id, item_ids, payment_method_id } = args as Record<string, Value>;
  const order = orderOf(database, order_id as Value);
  if (field(order, "status") !== "delivered") throw new ToolFailed("Non-delivered order cannot be returned");
  const user = userOf(database, field(order, "user_id"));
  const method = methodOf(database, field(user, "user_id"), payment_method_id as Value);
  const [first] = listField(order, "payment_history") as Model[];
  if (!isGiftCard(method)) {
    if (!first) throw new ToolFailed("list index out of range");
    if (field(first, "payment_method_id") !== payment_method_id)
      throw new ToolFailed("Payment method should be the original payment method");
  }
  checkOrdered(order, item_ids as Value, () => "Some item not found");
  order.set("status", "return requested");
  order.set("return_items", sorted(item_ids as Value));
  order.set("return_payment_method_id", payment_method_id as Value);
  return order;
}

/** Checks that the order has each item as often as it is listed. @throws {ToolFailed} */
function checkOrdered(order: Model, ids: Value, message: (id: Value) => string): void {
  const ordered = listField(order, "items").map((each) => field(each as Model, "item_id"));
  for (const id of elements(ids)) if (countIn(ids, id) > countIn(ordered, id)) throw new ToolFailed(message(id));
}

function pairs(ids: Value, newIds: Value): [Value, Value][] {
  const others = elements(newIds);
  return elements(ids).map((id, at) => [id, others[at] as Value]);
}

interface Compared {
  /** Price of the new items less the price of the old ones. */
  difference: bigint | number;
  /** Variant of the last new item. */
  last: Model | undefined;
}

/** Compares the prices of items and of those in their place. @throws {ToolFailed} a new item is not to be had */
function compared(database: Database, order: Model, ids: Value, newIds: Value, mustDiffer = false): Compared {
  let difference: bigint | number = 0n;
  let last: Model | undefined;
  for (const [id, newId] of pairs(ids, newIds)) {
    if (mustDiffer && isEqual(id, newId))
      throw new ToolFailed("The new item id should be different from the old item id");
    const ordered = orderedItem(order, id);
    if (!ordered) throw new ToolFailed(filled`Item ${id} not found`);
    last = variantOf(database, field(ordered, "product_id"), newId);
    if (field(last, "available") !== true) throw new ToolFailed(filled`New item ${newId} not found or available`);
    difference = add(difference, subtract(field(last, "price"), field(ordered, "price")));
  }
  return { difference, last };
}

/** Notes the payment or the refund of a difference, and changes the balance of a gift card. */
function settle(order: Model, method: Model, id: Value, difference: bigint | number): void {
  const amount = Math.abs(Number(difference));
  const transaction_type = isLess(0n, difference) ? "payment" : "refund";
  const made = orderPayment.make(new Map(Object.entries({ transaction_type, amount, payment_method_id: id })));
  listField(order, "payment_history").push(made);
  if (isGiftCard(method)) changeBalance(method, -Number(difference));
}

/** Changes the balance of a gift card by an amount. */
export function changeBalance(method: Model, amount: number): void {
  method.set("balance", rounded(Number(numeric(field(method, "balance"))) + amount));
}
