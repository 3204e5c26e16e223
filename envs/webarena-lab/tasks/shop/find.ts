/** Tasks that ask for a fact in the shop. */
import { choose, click, enter, type PlanStep, stop } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { finalPrice, found, reviewsOf } from "../../sites/shop/catalogue/catalog.js";
import { money } from "../../sites/shop/format.js";
import type { Product, Review } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";
import { listed, type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { least, leaves, nounOf, openProduct, queryFor, seeded, shelfOf, shownProducts } from "./base.js";
import { chosenOption, lastBought, monthSpending, nthOrder } from "./orders.js";

const sites = ["shopping"] as const;

function complaints(random: Random): Problem | undefined {
  const product = random.choice(shownProducts());
  const reviews = reviewsOf(seeded(), product.id);
  if (reviews.length < 6) return undefined;
  const { con } = shelfOf(product);
  const subjects = Object.keys(con);
  const subject = random.choice(subjects);
  const about = (one: string) =>
    reviews.filter(({ text }) => con[one]?.some((sentence) => text.includes(sentence))).map(({ nickname }) => nickname);
  const names = [...new Set(about(subject))];
  const others = [...new Set(subjects.filter((one) => one !== subject).flatMap(about))];
  if (names.length < 2 || names.length > 5 || names.some((name) => others.includes(name))) return undefined;
  if (others.length === 0 || queryFor(product) === undefined) return undefined;
  const look = [...openProduct(product), ...readReviews(reviews)];
  return {
    slots: { product: product.name, subject },
    evaluation: { reference_answers: { exact_match: listed(names) } },
    plan: [...look, stop(listed(names))],
    nearMisses: {
      "one reviewer is missed": [...look, stop(listed(names.slice(1)))],
      "reviewers who complain of something else": [...look, stop(listed(others))],
      "all reviewers": [...look, stop(listed([...new Set(reviews.map(({ nickname }) => nickname))]))],
      "not looked": [stop("N/A")],
    },
  };
}

/** Returns the steps that open all pages of a product's reviews. */
function readReviews({ length }: readonly Review[]): PlanStep[] {
  const further = Array.from({ length: Math.ceil(length / 10) - 1 }, () => click("link", "Next"));
  return [click("link", `Reviews (${length})`), ...further];
}

function latestRating(random: Random): Problem | undefined {
  const product = random.choice(shownProducts());
  const reviews = reviewsOf(seeded(), product.id);
  const [newest, before] = reviews;
  if (!newest || reviews.length < 3 || queryFor(product) === undefined) return undefined;
  if (before?.stars === newest.stars || before?.at === newest.at) return undefined;
  const look = [...openProduct(product), click("link", `Reviews (${reviews.length})`)];
  return {
    slots: { product: product.name },
    evaluation: { reference_answers: { exact_match: `${newest.stars}` } },
    plan: [...look, stop(`${newest.stars}`)],
    nearMisses: {
      "the review before": [...look, stop(`${before?.stars}`)],
      "no answer": [...look, stop()],
    },
  };
}

function priceRange(random: Random): Problem | undefined {
  const place = random.choice(leaves());
  const own = shownProducts().filter(({ categories }) => categories.includes(place.id));
  const product = random.choice(own);
  const query = `${product.brand} ${nounOf(product.id)}`;
  const results = found(seeded(), query);
  const sorted = results.map(finalPrice).sort((one, other) => one - other);
  const [low, high] = [money(sorted[0] ?? 0), money(sorted.at(-1) ?? 0)];
  if (results.length < 4 || low === high) return undefined;
  const regular = Math.max(...results.map(({ price }) => price));
  const look = [
    enter("Search", query),
    choose("Sort By", "Price"),
    click("button", "Apply"),
    click("link", "Set Descending Direction"),
  ];
  const second = money(sorted[1] as number);
  if (second === low) return undefined;
  return {
    slots: { query },
    evaluation: { reference_answers: { exact_match: `${low} - ${high}` } },
    plan: [...look, stop(`${low} - ${high}`)],
    nearMisses: {
      "the second cheapest": [...look, stop(`${second} - ${high}`)],
      "the highest price alone": [...look, stop(`${money(regular)}`)],
    },
  };
}

function onlyProduct(random: Random): Problem | undefined {
  const [product, other] = random.sample(shownProducts(), 2);
  if (!product || !other) return undefined;
  const query = `${product.brand} ${nounOf(product.id)}`;
  const [price, wrong] = [product, other].map((one) => money(finalPrice(one))) as [string, string];
  if (found(seeded(), query).length !== 1 || price === wrong) return undefined;
  const look = [enter("Search", query)];
  return {
    slots: { brand: product.brand, noun: nounOf(product.id) },
    evaluation: { reference_answers: { exact_match: price } },
    plan: [...look, stop(price)],
    nearMisses: { "the price of another product": [...look, stop(wrong)], "not found": [...look, stop("N/A")] },
  };
}

function missingProduct(random: Random): Problem | undefined {
  const product = random.choice(shownProducts());
  const [noun, brand] = [nounOf(product.id), random.choice(shownProducts()).brand];
  const query = `${brand} ${noun}`;
  if (found(seeded(), query).length > 0) return undefined;
  const price = money(finalPrice(product));
  const look = [enter("Search", query)];
  return {
    slots: { brand, noun },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: `The shop has no ${noun} of ${brand}.`,
    },
    plan: [...look, stop("N/A")],
    nearMisses: { "the price of another product": [...look, stop(price)], "no answer": [...look, stop()] },
  };
}

function cheapestOfBrand(random: Random): Problem | undefined {
  const place = random.choice(leaves());
  const own: Product[] = shownProducts().filter(({ categories }) => categories.at(-1) === place.id);
  const { label, value } = random.choice(random.choice(own).attributes.slice(1, 3));
  const cheap = [...own].sort((one, other) => finalPrice(one) - finalPrice(other)).slice(0, 3);
  const has = ({ attributes }: Product) => attributes.some((one) => one.label === label && one.value === value);
  const fitting = cheap.filter(has);
  const best = least(fitting, finalPrice);
  if (fitting.length !== 1 || !best || new Set(cheap.map(finalPrice)).size < 3) return undefined;
  const wrong = cheap.find((one) => one.id !== best.id) as Product;
  const [department] = best.categories;
  const links = best.categories.map((id) => shopBase().categories.get(id)?.name ?? "");
  const sorted = [choose("Sort By", "Price"), click("button", "Apply")];
  const look: PlanStep[] = [
    ...links.map((name, at) => (at === 0 && department ? click("link", name) : click("link", name, "Shop By"))),
    ...sorted,
    ...cheap.flatMap(({ name }) => [click("link", name), { kind: "action" as const, action: "go_back" }]),
  ];
  return {
    slots: { category: links.join(" / "), label, value },
    evaluation: { reference_answers: { exact_match: best.sku } },
    plan: [...look, stop(best.sku)],
    nearMisses: {
      "another of the three": [...look, stop(wrong.sku)],
      "the name": [...look, stop(best.name)],
    },
  };
}

export const shopFindTemplates: readonly Template[] = [
  {
    name: "shop-month-spending",
    sites,
    kind: "find",
    draw: monthSpending,
    intent:
      "Add up the totals of all my completed orders of {{month}}, with shipping and tax. Answer with the amount alone, such as $12.34.",
  },
  {
    name: "shop-chosen-option",
    sites,
    kind: "find",
    draw: chosenOption,
    intent: "Which {{kind}} of the {{noun}} did I order in {{month}}? Answer with the value alone.",
  },
  {
    name: "shop-nth-order",
    sites,
    kind: "find",
    draw: nthOrder,
    intent: "Tell me the number and the total of my {{place}} {{status}} order. Answer in the form: 000000123, $12.34",
  },
  {
    name: "shop-review-complaints",
    sites,
    kind: "find",
    draw: complaints,
    intent:
      'List the nicknames of all reviewers of "{{product}}" who complain about {{subject}}, in alphabetical order and separated by commas.',
  },
  {
    name: "shop-latest-rating",
    sites,
    kind: "find",
    draw: latestRating,
    intent: 'How many stars, from 1 to 5, does the newest review of "{{product}}" give? Answer with the number alone.',
  },
  {
    name: "shop-price-range",
    sites,
    kind: "find",
    draw: priceRange,
    intent:
      'What do the cheapest and the dearest product cost that the shop finds for "{{query}}"? Answer in the form: $12.34 - $56.78',
  },
  {
    name: "shop-brand-price",
    sites,
    kind: "find",
    draw: rarelyImpossible(missingProduct, onlyProduct),
    intent:
      "What does a {{noun}} of the brand {{brand}} cost here? Answer with the amount alone, such as $12.34, or with N/A if the shop does not sell any.",
  },
  {
    name: "shop-last-bought",
    sites,
    kind: "find",
    draw: lastBought,
    intent:
      "Which order of mine was the last one with a {{noun}} in it, and by which shipping method was it sent? Answer with the number of the order and the method as the page shows it, in the form: 000000123, Free Shipping",
  },
  {
    name: "shop-cheapest-with-attribute",
    sites,
    kind: "find",
    draw: cheapestOfBrand,
    intent:
      'Of the three cheapest products in the category {{category}}, one has "{{value}}" as its {{label}} under More Information. What is its SKU? Answer with the SKU alone.',
  },
];
