/** Look-ups in the shop's database, with the errors of tau2-bench. */
import { isLess, lookUp, lower } from "../../python/operations.js";
import { jsonText } from "../../python/text.js";
import { type Model, ToolFailed, type Value } from "../../python/value.js";
import { dictField, field, listField, textField } from "../records.js";
import type { Database } from "../table.js";

export function orderOf(database: Database, id: Value): Model {
  return found(database, "orders", id, "Order not found");
}

export function userOf(database: Database, id: Value): Model {
  return found(database, "users", id, "User not found");
}

export function productOf(database: Database, id: Value): Model {
  return found(database, "products", id, "Product not found");
}

function found(database: Database, table: string, id: Value, message: string): Model {
  const records = database.table(table);
  const record = records && lookUp(records, id);
  if (record) return record;
  throw new ToolFailed(message);
}

export function itemOf(database: Database, id: Value): Model {
  for (const [, product] of database.table("products")?.all() ?? []) {
    const variant = lookUp(dictField(product, "variants"), id);
    if (variant) return variant as Model;
  }
  throw new ToolFailed("Item not found");
}

/** Returns the variant of a product. */
export function variantOf(database: Database, product: Value, id: Value): Model {
  const variant = lookUp(dictField(productOf(database, product), "variants"), id);
  if (variant) return variant as Model;
  throw new ToolFailed("Variant not found");
}

export function methodOf(database: Database, user: Value, id: Value): Model {
  const method = lookUp(dictField(userOf(database, user), "payment_methods"), id);
  if (method) return method as Model;
  throw new ToolFailed("Payment method not found");
}

export function isGiftCard(method: Model): boolean {
  return method.model === "GiftCard";
}

/** Whether a gift card cannot pay a price. */
export function isShort(method: Model, price: Value): boolean {
  return isGiftCard(method) && isLess(field(method, "balance"), price);
}

/** Returns the first item of an order with an id. */
export function orderedItem(order: Model, id: Value): Model | undefined {
  return listField(order, "items").find((each) => field(each as Model, "item_id") === id) as Model | undefined;
}

export function userByName(database: Database, firstName: Value, lastName: Value, zip: Value): string {
  for (const [id, user] of database.table("users")?.all() ?? []) {
    const name = dictField(user, "name");
    if (textField(name, "first_name").toLowerCase() !== lower(firstName)) continue;
    if (textField(name, "last_name").toLowerCase() !== lower(lastName)) continue;
    if (field(dictField(user, "address"), "zip") === zip) return id;
  }
  throw new ToolFailed("User not found");
}

export function userByEmail(database: Database, email: Value): string {
  for (const [id, user] of database.table("users")?.all() ?? [])
    if (textField(user, "email").toLowerCase() === lower(email)) return id;
  throw new ToolFailed("User not found");
}

/** Returns the ids of all products by their name, as JSON. */
export function productTypes(database: Database): string {
  const products = [...(database.table("products")?.all() ?? [])];
  const ids = products.map(([, product]) => [textField(product, "name"), field(product, "product_id")] as const);
  return jsonText(new Map(ids), true);
}
