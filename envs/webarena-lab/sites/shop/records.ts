/**
 * The row types of the shop and its administration. Amounts of money are in cents, and times are in milliseconds since
 * the epoch.
 */
import type { Row } from "../../store.js";

export interface Session extends Row {
  /** Value of the visitor's session cookie. */
  token: string;
  /** Id of the logged-in customer, or 0 for a guest or an administrator. */
  account: number;
  isAdmin: boolean;
}

export interface Category extends Row {
  name: string;
  /** Path of the category in URLs: `electronics/headphones`. */
  path: string;
  parent: number | null;
  /** Name of the category's picture. */
  picture: string;
}

/** An option of a configurable product, such as the size. */
export interface Axis {
  label: string;
  values: readonly string[];
}

export interface Chosen {
  label: string;
  value: string;
}

export interface Product extends Row {
  sku: string;
  name: string;
  /** Path of the product's page, without `.html`. */
  urlKey: string;
  brand: string;
  categories: readonly number[];
  price: number;
  specialPrice: number | null;
  qty: number;
  isInStock: boolean;
  isEnabled: boolean;
  /** For a variant, the id of its configurable product; otherwise null. Variants do not have their own pages. */
  parent: number | null;
  /** Options of the product, if it is configurable. */
  axes: readonly Axis[];
  /** For a variant, one chosen value for each option of its configurable product. */
  chosen: readonly Chosen[];
  attributes: readonly Chosen[];
  summary: string;
  description: string;
  createdAt: number;
}

export type ReviewStatus = 1 | 2 | 3;

export interface Review extends Row {
  product: number;
  customer: number | null;
  nickname: string;
  title: string;
  text: string;
  /** Number of stars from 1 to 5. */
  stars: number;
  /** Status of the review: 1 is approved, 2 is pending, 3 is not approved. */
  status: ReviewStatus;
  at: number;
}

export interface Customer extends Row {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  /** Customer group: 1 is General, 2 is Wholesale, 3 is Retailer. */
  group: number;
  createdAt: number;
  isSubscribed: boolean;
  /** Id of the default billing address. */
  billing: number | null;
  shipping: number | null;
}

export interface Place {
  firstName: string;
  lastName: string;
  company: string;
  street: readonly string[];
  city: string;
  region: string;
  postcode: string;
  country: string;
  telephone: string;
}

export interface Address extends Row, Place {
  customer: number;
}

export type OrderStatus = "pending" | "processing" | "complete" | "canceled" | "holded" | "closed" | "fraud";

export interface OrderItem {
  /** Id of the ordered product, or of the chosen variant. */
  product: number;
  sku: string;
  name: string;
  chosen: readonly Chosen[];
  price: number;
  qty: number;
}

export interface OrderNote {
  at: number;
  status: OrderStatus;
  text: string;
  isNotified: boolean;
  isVisible: boolean;
}

export interface Order extends Row {
  /** Id of the customer, or null for a guest. */
  customer: number | null;
  email: string;
  name: string;
  status: OrderStatus;
  at: number;
  items: readonly OrderItem[];
  billing: Place;
  shipping: Place;
  method: string;
  payment: string;
  coupon: string | null;
  subtotal: number;
  discount: number;
  shippingFee: number;
  tax: number;
  total: number;
  /** Notes, oldest first. */
  notes: readonly OrderNote[];
}

export interface Invoice extends Row {
  order: number;
  at: number;
  total: number;
}

export interface Track {
  carrier: string;
  number: string;
}

export interface Shipment extends Row {
  order: number;
  at: number;
  qty: number;
  tracks: readonly Track[];
}

export interface Refund extends Row {
  order: number;
  at: number;
  total: number;
}

export interface CartLine {
  /** Id of the product in the cart, or of the chosen variant. */
  product: number;
  qty: number;
}

export interface Cart extends Row {
  /** Id of a guest's session, or null for the cart of a customer. */
  session: number | null;
  customer: number | null;
  lines: readonly CartLine[];
  coupon: string | null;
  /** Email address that a guest entered at the checkout. */
  email: string | null;
  shipping: Place | null;
  method: string | null;
}

export interface Wish extends Row {
  customer: number;
  product: number;
  qty: number;
  comment: string;
  at: number;
}

export interface Comparison extends Row {
  session: number;
  product: number;
}

export interface SearchTerm extends Row {
  query: string;
  results: number;
  uses: number;
}

export type RuleAction = "by_percent" | "by_fixed" | "cart_fixed" | "buy_x_get_y";

export interface PriceRule extends Row {
  name: string;
  description: string;
  isActive: boolean;
  websites: readonly number[];
  groups: readonly number[];
  /** Coupon code, or null if the rule needs no coupon. */
  coupon: string | null;
  from: string;
  to: string;
  action: RuleAction;
  /** Amount of the discount, in percent or in dollars. */
  amount: number;
}

export interface CmsPage extends Row {
  title: string;
  urlKey: string;
  content: string;
  isEnabled: boolean;
}

export interface Message extends Row {
  name: string;
  email: string;
  phone: string;
  text: string;
  at: number;
}
