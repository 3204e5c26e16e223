/** Models of the shop's database. */
import { boolean, dictOf, float, list, literal, model, optional, text, union } from "../../python/model.js";

export const cancelReasons = ["no longer needed", "ordered by mistake"] as const;

const variant = model("Variant", { item_id: text, options: dictOf(text), available: boolean, price: float });
const product = model("Product", { name: text, product_id: text, variants: dictOf(variant.type) });
const userName = model("UserName", { first_name: text, last_name: text });

export const address = model("UserAddress", {
  address1: text,
  address2: text,
  city: text,
  country: text,
  state: text,
  zip: text,
});

const creditCard = model("CreditCard", { source: literal("credit_card"), id: text, brand: text, last_four: text });
const giftCard = model("GiftCard", { source: literal("gift_card"), id: text, balance: float });
const paypal = model("Paypal", { source: literal("paypal"), id: text });

const user = model("User", {
  user_id: text,
  name: userName.type,
  address: address.type,
  email: text,
  payment_methods: dictOf(union([creditCard, giftCard, paypal].map(({ type }) => type))),
  orders: list(text),
});

const fulfillment = model("OrderFullfilment", { tracking_id: list(text), item_ids: list(text) });
const orderItem = model("OrderItem", {
  name: text,
  product_id: text,
  item_id: text,
  price: float,
  options: dictOf(text),
});

export const orderPayment = model("OrderPayment", {
  transaction_type: literal("payment", "refund"),
  amount: float,
  payment_method_id: text,
});

const statuses = [
  "processed",
  "pending",
  "pending (item modified)",
  "delivered",
  "cancelled",
  "exchange requested",
  "return requested",
];

const order = model("Order", {
  order_id: text,
  user_id: text,
  address: address.type,
  items: list(orderItem.type),
  status: literal(...statuses),
  fulfillments: list(fulfillment.type),
  payment_history: list(orderPayment.type),
  cancel_reason: optional(literal(...cancelReasons)),
  exchange_items: optional(list(text)),
  exchange_new_items: optional(list(text)),
  exchange_payment_method_id: optional(text),
  exchange_price_difference: optional(float),
  return_items: optional(list(text)),
  return_payment_method_id: optional(text),
});

export const retailDatabase = model("RetailDB", {
  products: dictOf(product.type),
  users: dictOf(user.type),
  orders: dictOf(order.type),
});
