/** The shop's tools. */
import type { Value } from "../../python/value.js";
import { textParameter, textsParameter } from "../schemas.js";
import { calculator, transfer } from "../shared-tools.js";
import type { DomainTool, Toolkit } from "../toolkit.js";
import { exchangeItems, modifyItems, returnItems } from "./items.js";
import { itemOf, orderOf, productOf, productTypes, userByEmail, userByName, userOf } from "./lookups.js";
import { cancelReasons } from "./models.js";
import { cancelOrder, modifyAddress, modifyPayment, modifyUserAddress } from "./orders.js";

const orderId = { order_id: textParameter("Id of the order, with its sign, such as #W0000000.") };
const userId = { user_id: textParameter("Id of the user, such as first_last_1234.") };
const items = { item_ids: textsParameter("Ids of the items. An item may be listed as often as it was ordered.") };
const newItems = {
  new_item_ids: textsParameter("Ids of the items in their place, in the same order, each of the same product."),
};
const method = { payment_method_id: textParameter("Id of a payment method in the user's profile.") };
const place = {
  address1: textParameter("First line, such as 123 Main St."),
  address2: textParameter("Second line, or an empty text."),
  city: textParameter("City."),
  state: textParameter("State, such as CA."),
  country: textParameter("Country, such as USA."),
  zip: textParameter("Postal code."),
};

const reading: Readonly<Record<string, DomainTool>> = {
  find_user_id_by_name_zip: {
    kind: "read",
    description: "Finds a user by name and postal code, for users who do not know their e-mail.",
    parameters: {
      first_name: textParameter("First name."),
      last_name: textParameter("Last name."),
      zip: textParameter("Postal code."),
    },
    run: (database, { first_name, last_name, zip }) =>
      userByName(database, first_name as Value, last_name as Value, zip as Value),
  },
  find_user_id_by_email: {
    kind: "read",
    description: "Finds a user by e-mail.",
    parameters: { email: textParameter("The e-mail.") },
    run: (database, { email }) => userByEmail(database, email as Value),
  },
  get_order_details: {
    kind: "read",
    description: "Shows an order.",
    parameters: orderId,
    run: (database, { order_id }) => orderOf(database, order_id as Value),
  },
  get_product_details: {
    kind: "read",
    description: "Shows a product with all its items.",
    parameters: { product_id: textParameter("Id of the product, which is not the id of an item.") },
    run: (database, { product_id }) => productOf(database, product_id as Value),
  },
  get_item_details: {
    kind: "read",
    description: "Shows an item of a product.",
    parameters: { item_id: textParameter("Id of the item, which is not the id of a product.") },
    run: (database, { item_id }) => itemOf(database, item_id as Value),
  },
  get_user_details: {
    kind: "read",
    description: "Shows a user, with payment methods and orders.",
    parameters: userId,
    run: (database, { user_id }) => userOf(database, user_id as Value),
  },
  list_all_product_types: {
    kind: "read",
    description: "Lists the names and ids of all products.",
    parameters: {},
    run: productTypes,
  },
};

const writing: Readonly<Record<string, DomainTool>> = {
  cancel_pending_order: {
    kind: "write",
    description: "Cancels a pending order, and pays it back.",
    parameters: { ...orderId, reason: textParameter("The reason.", cancelReasons) },
    run: cancelOrder,
  },
  exchange_delivered_order_items: {
    kind: "write",
    description: "Exchanges items of a delivered order, once for an order.",
    parameters: { ...orderId, ...items, ...newItems, ...method },
    run: exchangeItems,
  },
  modify_pending_order_address: {
    kind: "write",
    description: "Changes the address of a pending order.",
    parameters: { ...orderId, ...place },
    run: modifyAddress,
  },
  modify_pending_order_items: {
    kind: "write",
    description: "Replaces items of a pending order, once for an order.",
    parameters: { ...orderId, ...items, ...newItems, ...method },
    run: modifyItems,
  },
  modify_pending_order_payment: {
    kind: "write",
    description: "Changes the payment method of a pending order.",
    parameters: { ...orderId, ...method },
    run: modifyPayment,
  },
  modify_user_address: {
    kind: "write",
    description: "Changes the address in a user's profile.",
    parameters: { ...userId, ...place },
    run: modifyUserAddress,
  },
  return_delivered_order_items: {
    kind: "write",
    description: "Takes back items of a delivered order, once for an order.",
    parameters: { ...orderId, ...items, ...method },
    run: returnItems,
  },
};

export const retailTools: Toolkit = {
  className: "RetailTools",
  tools: { ...reading, ...writing, calculate: calculator, transfer_to_human_agents: transfer },
  functions: {},
};
