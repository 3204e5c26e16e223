/** Goods and orders of a shop. */
import { itemOf, type Order, type OrderStatus, type Product } from "../world/database.js";
import { dateOf, datesOf } from "../world/days.js";
import type { Slot } from "./case.js";
import { slotOf } from "./plot.js";
import { colours, type Good, goods } from "./pools.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

/** An item in an order, as the customer means it. */
export interface Aim {
  order: Order;
  item: string;
  product: Product;
  variant: string;
  /** Word of the customer for the good. */
  short: string;
  /** Phrase for the item, such as `my lamp` or `the desk lamp of order A310`. */
  thing: string;
  /** Phrase for the order, such as `the order with the lamp`. */
  named: string;
  /** Which order and which item is meant. */
  slots: { record: Slot; item?: Slot };
}

/** How the customer's first message names an item, and which others could be meant. */
export type Reference =
  /** The message has the id of the order. */
  | "told"
  /** No other order has such a good. */
  | "only"
  /** Another order has such a good, but nothing could be done with it. */
  | "open"
  /** Another order with such a good could be meant. */
  | "order"
  /** Another such good of the same order could be meant. */
  | "item";

export interface AimRequest {
  reference: Reference;
  status: OrderStatus;
  /** Status of another order with such a good, which cannot be meant, since nothing could be done with it. */
  closed: OrderStatus;
  /** Days from the order to the delivery, or since it. */
  days: number;
  /** Whether the good has two of the variants that many goods have. */
  isColoured?: boolean;
  group?: "electronics" | "other";
}

/** @param isOfItem whether the wish is about an item, and not about a whole order */
export function drawReference({ draw }: World, isOfItem = false): Reference {
  const at = draw.number(0, 9);
  if (at < 1) return "told";
  if (at < 2) return "only";
  if (at < 4) return "open";
  return isOfItem && at < 7 ? "item" : "order";
}

export function addProduct(
  { draw, database }: World,
  { variants, price: [low, high], group }: Good,
  noun: string,
): Product {
  const price = 2 * draw.number(Math.ceil(low / 2), Math.floor(high / 2));
  const id = noun.replaceAll(" ", "-");
  const product: Product = { id, noun, group, variants: {} };
  for (const name of variants) product.variants[name] = { price, stock: draw.number(1, 9) };
  database.products[id] = product;
  return product;
}

export function addOrder(
  world: World,
  { items, status, days }: { items: readonly string[]; status: OrderStatus; days: number },
  customer = world.customer,
): Order {
  const { draw, database, today } = world;
  const isPast = status === "delivered";
  const arrives = isPast ? today - days : today + draw.number(2, 9);
  const order: Order = {
    id: world.id("A"),
    customer: customer.id,
    placed: isPast ? arrives - draw.number(3, 8) : today - days,
    status,
    arrives,
    address: customer.addresses.home as string,
    paid: customer.methods[0] as string,
    lines: items.map((item) => ({ item, price: itemOf(database, item)?.variant.price ?? 0, state: "sold" })),
    refunds: [],
    fees: 0,
  };
  database.orders[order.id] = order;
  return order;
}

/** Adds the order that the customer means, others of the customer, and one of each other customer. */
export function aim(world: World, request: AimRequest): Aim {
  const { draw } = world;
  const [good, ...rest] = draw.some(goods()[world.half].filter(fits(request)), 3) as [Good, ...Good[]];
  const [noun, otherNoun] = draw.some(good.nouns, 2) as [string, string];
  const product = addProduct(world, good, noun);
  const fillers = draw.some(
    goods()[world.half].filter((each) => each !== good && !rest.includes(each)),
    3,
  );
  const extras = fillers.map((each) => anyItem(world, addProduct(world, each, draw.one(each.nouns))));
  const isSame = draw.happens(1 / 2);
  const [variant, second] = draw.some(variantsFor(product, request), 2) as [string, string];
  const item = `${product.id}-${variant}`;
  const rival = isSame ? `${product.id}-${second}` : anyItem(world, addProduct(world, good, otherNoun));
  const { reference, status, closed, days } = request;
  const beside = reference === "item" ? [rival] : draw.happens(1 / 3) ? [extras[0] as string] : [];
  const order = addOrder(world, { items: draw.some([item, ...beside], 2), status, days });
  const others: Order[] = [];
  if (reference === "open")
    others.push(addOrder(world, { items: [rival], status: closed, days: days + draw.number(2, 6) }));
  if (reference === "order" || reference === "told")
    others.push(addOrder(world, { items: [rival], status, days: nearby(world, days) }));
  addOrder(world, { items: [extras[1] as string], status: draw.one(["delivered", status]), days: draw.number(4, 25) });
  for (const customer of world.others.slice(0, 2))
    addOrder(
      world,
      { items: [draw.happens(1 / 2) ? item : (extras[2] as string)], status, days: draw.number(1, 12) },
      customer,
    );
  return {
    order,
    item,
    product,
    variant,
    ...phrased(world, request, { good, product, variant, order, rival, others }),
  };
}

/** Returns another number of days than that of the order which is meant. */
function nearby({ draw }: World, days: number): number {
  return days > 3 ? days - draw.number(1, 3) : days + draw.number(1, 3);
}

function fits({ isColoured = false, group }: AimRequest) {
  return (good: Good) =>
    good.nouns.length > 1 &&
    (!isColoured || good.variants.filter((each) => colours.includes(each)).length >= 3) &&
    (group === undefined || (group === "electronics") === (good.group === "electronics"));
}

function variantsFor({ variants }: Product, { isColoured = false }: AimRequest): string[] {
  const names = Object.keys(variants);
  return isColoured ? names.filter((name) => colours.includes(name)) : names;
}

function anyItem({ draw }: World, { id, variants }: Product): string {
  return `${id}-${draw.one(Object.keys(variants))}`;
}

interface Meant {
  good: Good;
  product: Product;
  variant: string;
  order: Order;
  /** Another item that the word of the customer may mean. */
  rival: string;
  others: readonly Order[];
}

function phrased(
  world: World,
  { reference }: AimRequest,
  meant: Meant,
): Pick<Aim, "short" | "thing" | "named" | "slots"> {
  const { short } = meant.good;
  const isTold = reference === "told";
  const { id } = meant.order;
  return {
    short,
    thing: isTold ? `the ${meant.product.noun} of order ${id}` : `my ${short}`,
    named: isTold ? `order ${id}` : `the order with the ${short}`,
    slots: {
      record: recordSlot(world, reference, meant),
      ...(reference === "item" && { item: itemSlot(world, meant) }),
    },
  };
}

function recordSlot({ draw }: World, reference: Reference, { product, variant, order, others }: Meant): Slot {
  const known = reference === "told" ? "told" : reference === "order" ? "asked" : "records";
  const answer = worded(draw, "whichOrder", { variant, noun: product.noun, date: dateOf(order.placed) });
  const is = formsOf(order);
  const not = others.flatMap(formsOf).filter((form) => !is.includes(form));
  return slotOf(known, order.id, answer, { is, not, choices: [order, ...others].map(({ id }) => id).sort() });
}

function itemSlot({ draw }: World, { product, variant, rival }: Meant): Slot {
  const item = `${product.id}-${variant}`;
  const [is, others] = [itemForms(item), itemForms(rival)];
  const not = others.filter((form) => !is.includes(form));
  const answer = worded(draw, "whichItem", { variant, noun: product.noun });
  return slotOf("asked", item, answer, { is, not, choices: [item, rival].sort() });
}

/** Returns the texts that name an order: its id, its date and its items. */
function formsOf({ id, placed, lines }: Order): string[] {
  return [id, ...datesOf(placed), ...lines.flatMap(({ item }) => itemForms(item))];
}

function itemForms(item: string): string[] {
  const at = item.lastIndexOf("-");
  const [noun, variant] = [item.slice(0, at).replaceAll("-", " "), item.slice(at + 1)];
  return [item, `${variant} ${noun}`, `${noun} in ${variant}`, `${noun} (${variant})`];
}

/** Adds two orders whose goods were sent back long ago, with refunds to a payment method. */
export function addRefunds(world: World, method: string): void {
  const { draw, database } = world;
  const taken = Object.keys(database.products);
  const free = goods()[world.half].filter(({ nouns }) =>
    nouns.every((noun) => !taken.includes(noun.replaceAll(" ", "-"))),
  );
  for (const good of draw.some(free, 2)) {
    const item = anyItem(world, addProduct(world, good, draw.one(good.nouns)));
    const order = addOrder(world, { items: [item], status: "delivered", days: draw.number(91, 150) });
    for (const line of order.lines) {
      line.state = "returned";
      order.refunds.push({ amount: line.price, method });
    }
  }
}
