/** Seeded search terms, price rules and text pages, and the wish list of the agent's customer account. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { finder } from "../catalogue/search.js";
import type { CmsPage, PriceRule, Product, SearchTerm, Session, Wish } from "../records.js";
import { emmaId } from "./customers.js";
import { readContent } from "./lists.js";

/** Session cookie of the agent's customer account, for tasks in which the agent is already logged in. */
export const customerLogin = { name: "PHPSESSID", value: "emma-7c1f09d2a4" };
/** Session cookie of the administrator, for tasks in which the agent is already logged in as administrator. */
export const adminLogin = { name: "admin", value: "admin-51e80b3f66" };

export const seededSessions: readonly Session[] = [
  { id: 1, token: customerLogin.value, account: emmaId, isAdmin: false },
  { id: 2, token: adminLogin.value, account: 0, isAdmin: true },
];

export function makeTerms(products: readonly Product[]): SearchTerm[] {
  const random = Random.of("shop search terms");
  const shown = products.filter(({ parent }) => parent === null);
  const { terms } = readContent();
  const uses = new Set<number>();
  while (uses.size < terms.length) uses.add(random.between(1, 14) * random.between(1, 12) + random.between(0, 9));
  const counts = [...uses];
  return terms.map((query, at) => ({
    id: at + 1,
    query,
    uses: counts[at] as number,
    results: shown.filter(finder(query)).length,
  }));
}

const everyone = [0, 1, 2, 3];

const rule = (id: number, name: string, own: Partial<PriceRule>): PriceRule => ({
  id,
  name,
  description: "",
  isActive: true,
  websites: [1],
  groups: everyone,
  coupon: null,
  from: "",
  to: "",
  action: "by_percent",
  amount: 0,
  ...own,
});

export const seededRules: readonly PriceRule[] = [
  rule(1, "Ten percent for harbor friends", { coupon: "HARBOR10", amount: 10, description: "Printed on the flyer." }),
  rule(2, "Winter clearance", { coupon: "WINTER25", amount: 25, isActive: false, from: "1/2/2023", to: "2/28/2023" }),
  rule(3, "Five dollars off for new customers", { coupon: "WELCOME5", action: "cart_fixed", amount: 5 }),
  rule(4, "Wholesale five percent", { groups: [2], amount: 5 }),
];

export function makePages(): CmsPage[] {
  return readContent().pages.map((page, at) => ({ id: at + 1, ...page, isEnabled: true }));
}

export function makeWishes(products: readonly Product[]): Wish[] {
  const random = Random.of("shop wishes");
  const wished = random.sample(
    products.filter(({ parent, axes }) => parent === null && axes.length === 0),
    3,
  );
  return wished.map(({ id }, at) => ({
    id: at + 1,
    customer: emmaId,
    product: id,
    qty: 1,
    comment: "",
    at: now - (at + 3) * 11 * day,
  }));
}
