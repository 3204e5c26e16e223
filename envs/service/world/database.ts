/** The tables of the company: a shop with its orders, or a railway with its bookings. All amounts are whole dollars. */

export interface Customer {
  id: string;
  name: string;
  email: string;
  /** Proof of the identity, which `look_up` does not show. */
  postcode: string;
  /** Stored addresses by name, such as `home`. */
  addresses: Record<string, string>;
  /** Ids of payment methods, such as `card-4417` and `gift-2210`. */
  methods: string[];
  tier: "basic" | "gold";
  notes: string[];
}

export interface Variant {
  price: number;
  stock: number;
}

export interface Product {
  /** Name in lower case with dashes, such as `desk-lamp`. */
  id: string;
  /** Noun phrase, such as `desk lamp`. */
  noun: string;
  group: string;
  variants: Record<string, Variant>;
}

export interface Line {
  /** Product and variant, such as `desk-lamp-oak`. */
  item: string;
  price: number;
  state: "sold" | "returned" | "exchanged";
}

export interface Refund {
  amount: number;
  method: string;
}

export type OrderStatus = "processing" | "packed" | "shipped" | "delivered" | "cancelled";

export interface Order {
  id: string;
  customer: string;
  placed: number;
  status: OrderStatus;
  /** Day of the delivery, planned or past. */
  arrives: number;
  address: string;
  paid: string;
  lines: Line[];
  refunds: Refund[];
  /** Sum that the customer paid for changes. */
  fees: number;
}

export type TravelClass = "standard" | "comfort";

export interface Trip {
  id: string;
  from: string;
  to: string;
  day: number;
  /** Departure, such as `14:35`. */
  time: string;
  prices: Record<TravelClass, number>;
  free: Record<TravelClass, number>;
  /** Minutes of delay at the arrival, and the cause. */
  late: number;
  cause: string;
}

export type Fare = "saver" | "basic" | "flex";

export interface Booking {
  id: string;
  customer: string;
  trip: string;
  fare: Fare;
  class: TravelClass;
  seat: string;
  price: number;
  paid: string;
  status: "booked" | "cancelled" | "travelled";
  refunds: Refund[];
  fees: number;
}

export interface Database {
  today: number;
  customers: Record<string, Customer>;
  products: Record<string, Product>;
  orders: Record<string, Order>;
  trips: Record<string, Trip>;
  bookings: Record<string, Booking>;
}

export function emptyDatabase(today: number): Database {
  return { today, customers: {}, products: {}, orders: {}, trips: {}, bookings: {} };
}

/** An item with its product and variant. */
export interface Item {
  product: Product;
  name: string;
  variant: Variant;
}

/** @param id product and variant, such as `desk-lamp-oak` */
export function itemOf({ products }: Database, id: string): Item | undefined {
  for (const product of Object.values(products)) {
    const name = id.startsWith(`${product.id}-`) ? id.slice(product.id.length + 1) : "";
    const variant = Object.hasOwn(product.variants, name) ? product.variants[name] : undefined;
    if (variant) return { product, name, variant };
  }
  return undefined;
}

/** Returns the record with this id, or undefined. */
export function rowOf<T>(table: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}
