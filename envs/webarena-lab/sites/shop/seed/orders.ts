/** Generates the orders of two years. The status of an order determines its invoices, shipments and refunds. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { methods, payments, totalsOf, undiscounted } from "../checkout/totals.js";
import type {
  Address,
  Customer,
  Invoice,
  Order,
  OrderItem,
  OrderNote,
  OrderStatus,
  Place,
  Product,
  Refund,
  Shipment,
} from "../records.js";
import { emmaId } from "./customers.js";
import { readContent } from "./lists.js";
import { byPopularity, popular } from "./reviews.js";

const count = 1200;
const ofEmma = 35;

export interface Sales {
  orders: Order[];
  invoices: Invoice[];
  shipments: Shipment[];
  refunds: Refund[];
}

interface Source {
  ranked: readonly Product[];
  variants: ReadonlyMap<number, readonly Product[]>;
  customers: readonly Customer[];
  addresses: ReadonlyMap<number, Address>;
  comments: readonly string[];
}

export function makeSales(products: readonly Product[], customers: readonly Customer[], addresses: readonly Address[]) {
  const random = Random.of("shop orders");
  const times = Array.from({ length: count }, () => now - Math.floor(random.random() ** 1.15 * 730 * day) - 7_200_000);
  times.sort((one, other) => one - other);
  const emmas = new Set(random.sample(times.slice(0, -3), ofEmma));
  const variants = new Map<number, Product[]>();
  for (const product of products) {
    if (product.parent !== null) variants.set(product.parent, [...(variants.get(product.parent) ?? []), product]);
  }
  const others = customers.filter(({ id }) => id !== emmaId);
  random.shuffle(others);
  const source: Source = {
    ranked: byPopularity(products),
    variants,
    customers: others,
    comments: readContent().comments,
    addresses: new Map(addresses.map((address) => [address.id, address])),
  };
  const emma = customers.find(({ id }) => id === emmaId) as Customer;
  const orders = times.map((at, index) => makeOrder(index + 1, at, emmas.has(at) ? emma : undefined, source, random));
  return { orders, ...papersOf(orders, random) };
}

function makeOrder(id: number, at: number, known: Customer | undefined, source: Source, random: Random): Order {
  const customer = known ?? popular(source.customers, random);
  const address = (which: number | null) => placeOnly(source.addresses.get(which as number) as Address);
  const [billing, shipping] = [address(customer.billing), address(customer.shipping)];
  const items = Array.from({ length: Number(random.weighted({ 1: 46, 2: 28, 3: 15, 4: 7, 5: 4 })) }, () =>
    itemOf(source, random),
  ).filter((item, at, all) => all.findIndex(({ product }) => product === item.product) === at);
  const method = random.choice([
    methods[0],
    methods[0],
    methods[0],
    methods[1],
    methods[2],
  ]) as (typeof methods)[number];
  const coupon = random.chance(0.08) ? { code: "HARBOR10", percent: 10 } : undefined;
  const status = statusAt(at, random);
  const isGuest = !known && random.chance(0.07);
  return {
    id,
    customer: isGuest ? null : customer.id,
    email: customer.email,
    status,
    at,
    items,
    billing,
    shipping,
    name: `${customer.firstName} ${customer.lastName}`,
    method: method.label,
    payment: random.choice(payments),
    coupon: coupon?.code ?? null,
    ...totalsOf(items, method.fee, coupon ? (subtotal) => Math.round((subtotal * coupon.percent) / 100) : undiscounted),
    notes: notesOf(at, status, source.comments, random),
  };
}

export function placeOnly(address: Place): Place {
  const { firstName, lastName, company, street, city, region, postcode, country, telephone } = address;
  return { firstName, lastName, company, street, city, region, postcode, country, telephone };
}

function itemOf({ ranked, variants }: Source, random: Random): OrderItem {
  const product = popular(ranked, random);
  const own = variants.get(product.id);
  const bought = own ? random.choice(own) : product;
  const price = product.specialPrice ?? product.price;
  const qty = Number(random.weighted({ 1: 78, 2: 15, 3: 5, 4: 2 }));
  return { product: bought.id, sku: bought.sku, name: product.name, chosen: bought.chosen, price, qty };
}

function statusAt(at: number, random: Random): OrderStatus {
  const age = (now - at) / day;
  if (age < 4) return random.weighted({ pending: 70, processing: 22, canceled: 5, holded: 3 });
  if (age < 14) return random.weighted({ pending: 20, processing: 45, complete: 25, canceled: 6, holded: 3, fraud: 1 });
  return random.weighted({ complete: 845, canceled: 95, closed: 45, holded: 6, pending: 6, fraud: 3 });
}

function notesOf(at: number, status: OrderStatus, comments: readonly string[], random: Random): OrderNote[] {
  const plain = { text: "", isNotified: false, isVisible: true };
  const notes: OrderNote[] = [{ ...plain, at, status: "pending", isNotified: true }];
  if (random.chance(0.15)) {
    const text = random.choice(comments);
    notes.push({ ...plain, at: at + 5_400_000, status, text, isVisible: random.chance(0.5) });
  }
  return notes;
}

const carriers = ["United Parcel Service", "Federal Express", "DHL", "Custom Value"];

function papersOf(orders: readonly Order[], random: Random): Omit<Sales, "orders"> {
  const [invoices, shipments, refunds]: [Invoice[], Shipment[], Refund[]] = [[], [], []];
  for (const { id: order, at, status, total, items } of orders) {
    const isPaid = status === "complete" || status === "closed" || status === "processing";
    if (isPaid) invoices.push({ id: invoices.length + 1, order, at: at + random.between(1, 20) * 600_000, total });
    if (status === "complete" || status === "closed") {
      const tracks = random.chance(0.8) ? [{ carrier: random.choice(carriers), number: trackOf(random) }] : [];
      const qty = items.reduce((sum, item) => sum + item.qty, 0);
      shipments.push({ id: shipments.length + 1, order, at: at + random.between(8, 60) * 3_600_000, qty, tracks });
    }
    if (status === "closed")
      refunds.push({ id: refunds.length + 1, order, at: at + random.between(5, 12) * day, total });
  }
  return { invoices, shipments, refunds };
}

function trackOf(random: Random): string {
  return Array.from({ length: 10 }, () => random.between(0, 9)).join("");
}
