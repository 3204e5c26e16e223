/** Tasks in which the agent opens a page of the shop. */
import { choose, click, enter, press, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { finalPrice, found, priceRanges } from "../../sites/shop/catalogue/catalog.js";
import { money, monthName } from "../../sites/shop/format.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem, Template } from "../common/template.js";
import { emmasOrders, inLeaf, leaves, nounOf, openOrder, seeded, toHistory } from "./base.js";

const sites = ["shopping"] as const;

/** Returns the names of a category and its ancestors, from the root of the tree to the category. */
function lineOf(id: number | null): string[] {
  const category = id === null ? undefined : shopBase().categories.get(id);
  return category ? [...lineOf(category.parent), category.name] : [];
}

function toCategory(id: number) {
  return lineOf(id).map((name, at) => (at === 0 ? click("link", name) : click("link", name, "Shop By")));
}

function rangeSorted(random: Random): Problem | undefined {
  const category = random.choice(leaves());
  const range = random.choice(priceRanges(inLeaf(category)));
  if (range.count < 2) return undefined;
  const name = `${money(range.from)} - ${money(range.to - 1)}`;
  const price = `${range.from / 100}-${range.to / 100}`;
  const look = [...toCategory(category.id), click("link", name)];
  const sorted = [...look, choose("Sort By", "Price"), click("button", "Apply")];
  return {
    slots: { category: lineOf(category.id).join(" / "), range: name },
    evaluation: {
      reference_url: `__SHOPPING__/${category.path}.html?price=${price}&product_list_order=price&product_list_dir=desc`,
    },
    plan: [...sorted, click("link", "Set Descending Direction"), stop()],
    nearMisses: { "cheapest first": [...sorted, stop()], "not sorted": [...look, stop()] },
  };
}

function freeRange(random: Random): Problem | undefined {
  const category = random.choice(leaves());
  const prices = inLeaf(category).map(finalPrice);
  const limit = random.choice([15, 25, 35, 45, 60, 75, 120]);
  if (prices.filter((price) => price < limit * 100).length < 3) return undefined;
  const look = toCategory(category.id);
  return {
    slots: { category: lineOf(category.id).join(" / "), limit: `$${limit}` },
    evaluation: { reference_url: `__SHOPPING__/${category.path}.html?price=0-${limit}&product_list_order=name` },
    plan: [
      ...look,
      type("Lowest price", "0"),
      type("Highest price", `${limit}`),
      press("Enter"),
      choose("Sort By", "Product Name"),
      click("button", "Apply"),
      stop(),
    ],
    nearMisses: {
      "another limit": [...look, type("Lowest price", "0"), enter("Highest price", `${limit + 5}`), stop()],
      "the category alone": [...look, stop()],
    },
  };
}

function sortedSearch(random: Random): Problem | undefined {
  const { query } = random.choice([...shopBase().terms.values()]);
  if (found(seeded(), query).length < 5) return undefined;
  const isName = random.chance(0.5);
  const order = isName ? "Product Name" : "Price";
  const look = [enter("Search", query), choose("Sort By", order), click("button", "Apply")];
  const limit = random.choice([24, 36]);
  const params = new URLSearchParams({
    q: query,
    product_list_order: isName ? "name" : "price",
    product_list_limit: `${limit}`,
  });
  if (found(seeded(), query).length <= 12) return undefined;
  return {
    slots: { query, order: isName ? "name" : "price", limit },
    evaluation: { reference_url: `__SHOPPING__/catalogsearch/result/?${params}` },
    plan: [...look, click("link", `${limit}`), stop()],
    nearMisses: { "too few a page": [...look, stop()], "not sorted": [enter("Search", query), stop()] },
  };
}

function orderWith(random: Random): Problem | undefined {
  const order = random.choice(emmasOrders());
  const noun = nounOf(random.choice(order.items).product);
  const month = monthName(order.at);
  const all = emmasOrders().filter(({ at }) => monthName(at) === month);
  if (all.filter(({ items }) => items.some(({ product }) => nounOf(product) === noun)).length !== 1) return undefined;
  const wrong = emmasOrders().find(({ id }) => id !== order.id && `${id}`.length === `${order.id}`.length);
  if (!wrong) return undefined;
  return {
    slots: { noun, month },
    evaluation: { reference_url: `__SHOPPING__/sales/order/view/order_id/${order.id}/` },
    plan: [...openOrder(order), stop()],
    nearMisses: { "another order": [...openOrder(wrong), stop()], "the history": [...toHistory(order), stop()] },
  };
}

export const shopNavigateTemplates: readonly Template[] = [
  {
    name: "shop-range-sorted",
    sites,
    kind: "navigate",
    draw: rangeSorted,
    intent: "Show me what costs {{range}} in the category {{category}}, the dearest first.",
  },
  {
    name: "shop-price-limit",
    sites,
    kind: "navigate",
    draw: freeRange,
    intent: "List the products of {{category}} from $0 up to {{limit}}, in the order of their names.",
  },
  {
    name: "shop-sorted-search",
    sites,
    kind: "navigate",
    draw: sortedSearch,
    intent: 'Search the shop for "{{query}}", sort the results by {{order}} and show {{limit}} of them per page.',
  },
  {
    name: "shop-order-with",
    sites,
    kind: "navigate",
    draw: orderWith,
    intent: "Open the page of the order of {{month}} in which I bought the {{noun}}.",
  },
];
