/** Functions for carts and orders: contents and totals of a cart, and placing an order. */
import { now } from "../../../clock.js";
import { finalPrice, pageOf } from "../catalogue/catalog.js";
import type { Cart, Customer, Order, OrderItem, Place, PriceRule, Session } from "../records.js";
import type { ShopTables } from "../tables.js";
import { methods, type Totals, totalsOf } from "./totals.js";

export interface CartItem extends OrderItem {
  /** URL of the product's page. */
  url: string;
}

export function cartOf(shop: ShopTables, session: Session | undefined): Cart | undefined {
  if (!session) return undefined;
  return shop.carts.find((cart) =>
    session.account > 0 ? cart.customer === session.account : cart.session === session.id,
  );
}

export function needCart(shop: ShopTables, { id, account }: Session): Cart {
  const owner = account > 0 ? { session: null, customer: account } : { session: id, customer: null };
  const known = shop.carts.find(({ session, customer }) => session === owner.session && customer === owner.customer);
  return known ?? shop.carts.insert({ ...owner, lines: [], coupon: null, email: null, shipping: null, method: null });
}

/**
 * Adds a product to a cart.
 *
 * @returns an error message if the product cannot be sold
 */
export function addToCart(shop: ShopTables, session: Session, product: number, qty: number): string | undefined {
  const cart = needCart(shop, session);
  const had = cart.lines.find((line) => line.product === product)?.qty ?? 0;
  const wanted = shop.products.get(product);
  if (!wanted?.isInStock || !wanted.isEnabled) return "Product that you are trying to add is not available.";
  if (wanted.qty < had + qty) return "The requested qty is not available";
  const lines = had
    ? cart.lines.map((line) => (line.product === product ? { product, qty: had + qty } : line))
    : [...cart.lines, { product, qty }];
  shop.carts.update(cart.id, { lines });
  return undefined;
}

/** Moves the items of a guest's cart to the customer's cart after a login. */
export function mergeCarts(shop: ShopTables, guest: Session | undefined, session: Session): void {
  const cart = guest && guest.account === 0 ? cartOf(shop, guest) : undefined;
  if (!cart) return;
  for (const { product, qty } of cart.lines) addToCart(shop, session, product, qty);
  shop.carts.remove(cart.id);
}

export function itemsOf(shop: ShopTables, { lines }: Pick<Cart, "lines">): CartItem[] {
  return lines.flatMap(({ product: id, qty }) => {
    const product = shop.products.get(id);
    if (!product) return [];
    const shown = pageOf(shop, product);
    const { sku, chosen } = product;
    return [
      { product: id, sku, chosen, qty, name: shown.name, price: finalPrice(product), url: `/${shown.urlKey}.html` },
    ];
  });
}

export function ruleOf(shop: ShopTables, coupon: string): PriceRule | undefined {
  const code = coupon.toLowerCase();
  return shop.rules.find((rule) => rule.isActive && rule.coupon?.toLowerCase() === code);
}

function discountBy({ action, amount }: PriceRule, subtotal: number): number {
  return Math.round(action === "by_percent" ? (subtotal * amount) / 100 : action === "buy_x_get_y" ? 0 : amount * 100);
}

export function cartTotals(shop: ShopTables, cart: Cart): Totals {
  const rule = cart.coupon === null ? undefined : ruleOf(shop, cart.coupon);
  const fee = methods.find(({ code }) => code === cart.method)?.fee ?? 0;
  return totalsOf(itemsOf(shop, cart), fee, (subtotal) => (rule ? discountBy(rule, subtotal) : 0));
}

/** Places an order for a cart that has an address and a shipping method, and empties the cart. */
export function placeOrder(
  shop: ShopTables,
  cart: Cart & { shipping: Place },
  buyer: Pick<Customer, "email"> & { id: number | null },
  payment: string,
): Order {
  const items = itemsOf(shop, cart).map(({ url: _, ...item }) => item);
  const { shipping } = cart;
  const order = shop.orders.insert({
    customer: buyer.id,
    email: buyer.email,
    status: "pending",
    at: now,
    items,
    shipping,
    billing: shipping,
    payment,
    name: `${shipping.firstName} ${shipping.lastName}`,
    coupon: cart.coupon,
    ...cartTotals(shop, cart),
    method: methods.find(({ code }) => code === cart.method)?.label ?? "",
    notes: [{ at: now, status: "pending", text: "", isNotified: true, isVisible: true }],
  });
  for (const { product: id, qty } of items) {
    const product = shop.products.need(id);
    const left = Math.max(0, product.qty - qty);
    shop.products.update(id, { qty: left, isInStock: left > 0 });
  }
  shop.carts.remove(cart.id);
  return order;
}
