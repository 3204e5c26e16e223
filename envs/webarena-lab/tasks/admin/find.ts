/** Tasks that ask for a fact in the shop's administration. */
import { choose, click, enter, type PlanStep, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { bestsellers } from "../../sites/admin/bestsellers.js";
import { money, monthName } from "../../sites/shop/format.js";
import type { Order, OrderStatus } from "../../sites/shop/records.js";
import { statusNames } from "../../sites/shop/status.js";
import { shopBase } from "../../sites/shop/tables.js";
import { type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { dateText, orders, reviews, sites, span } from "./base.js";

const inSpan = ({ from, to }: { from: number; to: number }) =>
  orders().filter(({ at }) => at >= from && at < to + 86_400_000);

function report(name: string, period: string, { from, to }: { from: number; to: number }): PlanStep[] {
  return [
    click("link", name),
    choose("Period", period),
    type("From", dateText(from)),
    type("To", dateText(to)),
    click("button", "Show Report"),
  ];
}

const isSold = ({ status }: Order) => status !== "canceled";
const sum = (all: readonly Order[]) => money(all.reduce((total, order) => total + order.total, 0));

function monthSales(random: Random): Problem | undefined {
  const month = random.between(3, 23);
  const days = span(2022, month, 1);
  const [sold, all] = [inSpan(days).filter(isSold), inSpan(days)];
  const name = monthName(days.from);
  const answer = sum(sold);
  if (sold.length === all.length) return undefined;
  const look = report("Orders Report", "Month", days);
  return {
    slots: { month: name },
    evaluation: { reference_answers: { exact_match: answer } },
    plan: [...look, stop(answer)],
    nearMisses: {
      "with canceled orders": [...look, stop(sum(all))],
      "the month before": [...look, stop(sum(inSpan(span(2022, month - 1, 1)).filter(isSold)))],
    },
  };
}

const quarters = ["first", "second", "third", "fourth"] as const;

function quarterBestseller(random: Random): Problem | undefined {
  const [year, quarter] = [random.choice([2022, 2023]), random.integers(0, 4)];
  const days = span(year, quarter * 3, 3);
  const [best, second] = bestsellers(inSpan(days));
  if (!best || !second || best.qty === second.qty) return undefined;
  const look = report("Bestsellers", "Year", days);
  return {
    slots: { quarter: quarters[quarter] as string, year },
    evaluation: { reference_answers: { exact_match: best.name } },
    plan: [...look, stop(best.name)],
    nearMisses: { "the second one": [...look, stop(second.name)], "how many": [...look, stop(`${best.qty}`)] },
  };
}

const places = ["most used", "second most used", "third most used", "fourth most used", "fifth most used"] as const;

function searchTerm(random: Random): Problem | undefined {
  const at = random.integers(0, places.length);
  const least = random.choice([2, 3, 5, 8]);
  const terms = [...shopBase().terms.values()]
    .filter(({ results }) => results >= least)
    .sort((one, other) => other.uses - one.uses);
  const [wanted, other] = [terms[at], terms[at + 1]];
  if (!wanted || !other) return undefined;
  const look = [
    click("link", "Search Terms"),
    click("link", "Filters"),
    type("Results from", `${least}`),
    click("button", "Apply Filters"),
    click("link", "Uses"),
    click("link", "Uses"),
  ];
  return {
    slots: { place: places[at] as string, least },
    evaluation: { reference_answers: { exact_match: wanted.query } },
    plan: [...look, stop(wanted.query)],
    nearMisses: { "the next one": [...look, stop(other.query)], "its uses": [...look, stop(`${wanted.uses}`)] },
  };
}

const words = ["disappointed", "rash", "leak", "smell", "recommend", "sturdy", "battery", "pity", "flimsy", "lucky"];

function reviewCount(random: Random): Problem | undefined {
  const word = random.choice(words);
  const status = random.choice(["Approved", "Pending"] as const);
  const all = reviews().filter(({ text }) => text.toLowerCase().includes(word));
  const wanted = all.filter((review) => review.status === (status === "Approved" ? 1 : 2));
  if (wanted.length === 0 || wanted.length === all.length) return undefined;
  const look = [
    click("link", "All Reviews"),
    click("link", "Filters"),
    choose("Status", status),
    type("Review", word),
    click("button", "Apply Filters"),
  ];
  return {
    slots: { status: status.toLowerCase(), word },
    evaluation: { reference_answers: { exact_match: `${wanted.length}` } },
    plan: [...look, stop(`${wanted.length}`)],
    nearMisses: {
      "reviews of any status": [...look, stop(`${all.length}`)],
      "one too few": [...look, stop(`${wanted.length - 1}`)],
    },
  };
}

function phoneOwner(random: Random): Problem | undefined {
  const customer = random.choice([...shopBase().customers.values()]);
  const home = shopBase().addresses.get(customer.billing ?? 0);
  if (!home) return undefined;
  const { telephone } = home;
  if ([...shopBase().addresses.values()].filter((one) => one.telephone === telephone).length > 2) return undefined;
  const name = `${customer.firstName} ${customer.lastName}`;
  const look = [click("link", "All Customers"), enter("Search by keyword", telephone)];
  return {
    slots: { telephone },
    evaluation: { reference_answers: { exact_match: `${name}, ${customer.email}` } },
    plan: [...look, stop(`${name}, ${customer.email}`)],
    nearMisses: { "the name alone": [...look, stop(name)], "the city": [...look, stop(`${name}, ${home.city}`)] },
  };
}

function mostOrders(random: Random): Problem | undefined {
  const [year, month, months] = [random.choice([2022, 2023]), random.between(0, 8), random.between(2, 4)];
  const days = span(year, month, months);
  const counts = new Map<string, number>();
  for (const { name } of inSpan(days).filter(isSold)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, one], [, other]) => other - one);
  if (!first || !second || first[1] === second[1]) return undefined;
  const look = report("Order Count", "Year", days);
  return {
    slots: { from: dateText(days.from), to: dateText(days.to) },
    evaluation: { reference_answers: { exact_match: `${first[0]}, ${first[1]}` } },
    plan: [...look, stop(`${first[0]}, ${first[1]}`)],
    nearMisses: {
      "the second one": [...look, stop(`${second[0]}, ${second[1]}`)],
      "one order too many": [...look, stop(`${first[0]}, ${first[1] + 1}`)],
    },
  };
}

function lastTotals(random: Random): Problem | undefined {
  const status = random.choice(["complete", "canceled", "pending", "closed"] as const satisfies OrderStatus[]);
  const count = random.between(2, 5);
  const all = orders()
    .filter((order) => order.status === status)
    .reverse();
  const answer = sum(all.slice(0, count));
  const look = [
    click("link", "Orders"),
    click("link", "Filters"),
    choose("Status", statusNames[status]),
    click("button", "Apply Filters"),
  ];
  return {
    slots: { count, status: statusNames[status] },
    evaluation: { reference_answers: { exact_match: answer } },
    plan: [...look, stop(answer)],
    nearMisses: {
      "one too many": [...look, stop(sum(all.slice(0, count + 1)))],
      "of any status": [...look, stop(sum(orders().slice(-count)))],
    },
  };
}

function withStock(qty: number, price: number): PlanStep[] {
  return [
    click("link", "Products"),
    click("link", "Filters"),
    type("Price from", `${price}`),
    type("Quantity from", `${qty}`),
    click("button", "Apply Filters"),
  ];
}

const stocked = (qty: number, price: number) =>
  [...shopBase().products.values()].filter((one) => one.qty >= qty && one.price >= price * 100);

function oneLeft(random: Random): Problem | undefined {
  const qty = random.between(24, 47) * 10;
  const [product, cheaper] = stocked(qty, 0).sort((one, other) => other.price - one.price);
  const price = Math.floor((product?.price ?? 0) / 1_000) * 10;
  if (!product || !cheaper || cheaper.price >= price * 100) return undefined;
  const look = withStock(qty, price);
  return {
    slots: { qty, price: `$${price}` },
    evaluation: { reference_answers: { exact_match: product.sku } },
    plan: [...look, stop(product.sku)],
    nearMisses: { "a cheaper product": [...look, stop(cheaper.sku)], "not found": [...look, stop("N/A")] },
  };
}

function noneLeft(random: Random): Problem | undefined {
  const [qty, price] = [random.between(24, 47) * 10, random.between(20, 40) * 10];
  if (stocked(qty, price).length > 0) return undefined;
  const near = [...shopBase().products.values()].find((one) => one.qty >= qty);
  const look = withStock(qty, price);
  return {
    slots: { qty, price: `$${price}` },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: "No product has such a stock at such a price.",
    },
    plan: [...look, stop("N/A")],
    nearMisses: { "a cheaper product": [...look, stop(near?.sku ?? "none")], "no answer": [...look, stop()] },
  };
}

export const adminFindTemplates: readonly Template[] = [
  {
    name: "admin-month-sales",
    sites,
    kind: "find",
    draw: monthSales,
    intent: "What is the sales total of {{month}} in the orders report? Answer with the amount alone, such as $12.34.",
  },
  {
    name: "admin-quarter-bestseller",
    sites,
    kind: "find",
    draw: quarterBestseller,
    intent:
      "Which product sold best, by the quantity ordered, in the {{quarter}} quarter of {{year}}? Answer with its full name alone.",
  },
  {
    name: "admin-search-term",
    sites,
    kind: "find",
    draw: searchTerm,
    intent:
      "Of the search terms with at least {{least}} results, which one is the {{place}}? Answer with the term alone.",
  },
  {
    name: "admin-review-count",
    sites,
    kind: "find",
    draw: reviewCount,
    intent: 'How many {{status}} reviews have "{{word}}" in their text? Answer with the number alone.',
  },
  {
    name: "admin-phone-owner",
    sites,
    kind: "find",
    draw: phoneOwner,
    intent:
      "Find the name and the email address of the customer with the phone number {{telephone}}. Answer in the form: Jo Doe, jo@mail.com",
  },
  {
    name: "admin-most-orders",
    sites,
    kind: "find",
    draw: mostOrders,
    intent:
      "Which customer placed the most orders from {{from}} to {{to}}, by the order count report? Answer with the name and the number of orders, as in: Jo Doe, 2",
  },
  {
    name: "admin-last-totals",
    sites,
    kind: "find",
    draw: lastTotals,
    intent:
      "Add up the grand totals of the {{count}} newest orders whose status is {{status}}. Answer with the amount alone, such as $12.34.",
  },
  {
    name: "admin-none-left",
    sites,
    kind: "find",
    draw: rarelyImpossible(noneLeft, oneLeft),
    intent:
      "Give me the SKU of a product of {{price}} or more of which we have at least {{qty}} in stock. Answer with the SKU alone, or with N/A if there is none.",
  },
];
