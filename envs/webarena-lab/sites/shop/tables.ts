/** Tables of the shop, which has a catalog, carts, orders and reviews, and of its administration. */
import { type Row, type Rows, rowsOf, type Tables, tablesOver } from "../../store.js";
import type {
  Address,
  Cart,
  Category,
  CmsPage,
  Comparison,
  Customer,
  Invoice,
  Message,
  Order,
  PriceRule,
  Product,
  Refund,
  Review,
  SearchTerm,
  Session,
  Shipment,
  Wish,
} from "./records.js";
import { makeCatalogue } from "./seed/catalogue.js";
import { makeCustomers } from "./seed/customers.js";
import { makePages, makeTerms, makeWishes, seededRules, seededSessions } from "./seed/extras.js";
import { makeSales } from "./seed/orders.js";
import { makeReviews } from "./seed/reviews.js";

export interface ShopBase extends Record<string, Rows<Row>> {
  sessions: Rows<Session>;
  categories: Rows<Category>;
  products: Rows<Product>;
  reviews: Rows<Review>;
  customers: Rows<Customer>;
  addresses: Rows<Address>;
  orders: Rows<Order>;
  invoices: Rows<Invoice>;
  shipments: Rows<Shipment>;
  refunds: Rows<Refund>;
  carts: Rows<Cart>;
  wishes: Rows<Wish>;
  comparisons: Rows<Comparison>;
  terms: Rows<SearchTerm>;
  rules: Rows<PriceRule>;
  pages: Rows<CmsPage>;
  messages: Rows<Message>;
}

export type ShopTables = Tables<ShopBase>;

let base: ShopBase | undefined;

/** Returns the common records, which are created on the first call. */
export function shopBase(): ShopBase {
  base ??= makeBase();
  return base;
}

function makeBase(): ShopBase {
  const { categories, products, places } = makeCatalogue();
  const { customers, addresses } = makeCustomers();
  const { orders, invoices, shipments, refunds } = makeSales(products, customers, addresses);
  return {
    sessions: rowsOf(seededSessions),
    categories: rowsOf(categories),
    products: rowsOf(products),
    reviews: rowsOf(makeReviews(products, places, customers)),
    customers: rowsOf(customers),
    addresses: rowsOf(addresses),
    orders: rowsOf(orders),
    invoices: rowsOf(invoices),
    shipments: rowsOf(shipments),
    refunds: rowsOf(refunds),
    carts: rowsOf<Cart>([]),
    wishes: rowsOf(makeWishes(products)),
    comparisons: rowsOf<Comparison>([]),
    terms: rowsOf(makeTerms(products)),
    rules: rowsOf(seededRules),
    pages: rowsOf(makePages()),
    messages: rowsOf<Message>([]),
  };
}

export function openShop(): ShopTables {
  return tablesOver("shop", shopBase());
}
