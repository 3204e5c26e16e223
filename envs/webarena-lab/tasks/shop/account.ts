/** Tasks in the shop that change reviews, addresses, the newsletter or messages to the shop. */
import { choose, click, type PlanStep, retype, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { lastNames, towns } from "../../seed/region.js";
import { monthName, number9 } from "../../sites/shop/format.js";
import type { Product } from "../../sites/shop/records.js";
import { readContent } from "../../sites/shop/seed/lists.js";
import { shopBase } from "../../sites/shop/tables.js";
import { type Problem, rarelyImpossible, type Target, type Template } from "../common/template.js";
import { emmasOrders, nounOf, openOrder, openProduct, queryFor } from "./base.js";

const sites = ["shopping"] as const;

const summaries = ["As good as new", "Broke too soon", "Does its job", "A lovely present", "Not for small hands"];
const sentences = [
  "I have used it every day since it came and it shows no wear.",
  "It looked fine at first, but it did not last a month.",
  "Nothing special, and that is all I wanted.",
  "My aunt was so happy with it that I ordered another one.",
  "Hard to hold, though it is well made.",
];

function review(random: Random): Problem | undefined {
  const item = random.choice(random.choice(emmasOrders()).items);
  const bought = shopBase().products.get(item.product) as Product;
  const product = (bought.parent === null ? bought : shopBase().products.get(bought.parent)) as Product;
  if (queryFor(product) === undefined) return undefined;
  const stars = random.between(1, 5);
  const nickname = random.choice(["Emma Lopez", "Emma L.", "EmmaFromTheBay", "quayside_emma", "E. Lopez"]);
  const at = random.integers(0, summaries.length);
  const [title, text] = [summaries[at] as string, sentences[at] as string];
  const write = (rating: number, name: string): PlanStep[] => [
    ...openProduct(product),
    click("radio", `${rating} ${rating === 1 ? "star" : "stars"}`),
    type("Nickname", name),
    type("Summary", title),
    type("Review", text),
  ];
  const submit = [click("button", "Submit Review"), stop()];
  return {
    slots: { product: product.name, stars, nickname, title, text },
    evaluation: {
      program_html: [
        latestReview(product, "rating", `${stars * 20}`),
        latestReview(product, "author", nickname),
        {
          url: "__SHOPPING__/review/customer/",
          locator: "document.querySelector('tbody tr').outerText",
          required_contents: { must_include: [title, text] },
        },
      ],
    },
    plan: [...write(stars, nickname), ...submit],
    nearMisses: {
      "another rating": [...write((stars % 5) + 1, nickname), ...submit],
      "another nickname": [...write(stars, "Emma"), ...submit],
      "not submitted": [...write(stars, nickname), stop()],
    },
  };
}

function latestReview(product: Product, what: "rating" | "author", value: string): Target {
  return {
    url: "last",
    locator: `func:shopping_get_sku_latest_review_${what}('${product.sku}')`,
    required_contents: { exact_match: value },
  };
}

function address(random: Random): Problem {
  const town = random.choice(towns.filter(({ name }) => name !== "Port Alder"));
  const street = `${random.between(2, 190)} ${random.choice(readContent().streets)}`;
  const postcode = `HD${town.postcode} ${random.between(100, 999)}`;
  const fill = (code: string): PlanStep[] => [
    click("link", "My Account"),
    click("link", "Address Book"),
    click("link", "Change Billing Address"),
    ...retype("Street Address: Line 1", street),
    ...retype("City", town.name),
    choose("State/Province", town.district),
    ...retype("Zip/Postal Code", code),
  ];
  const save = [click("button", "Save Address"), stop()];
  const wanted = { must_include: [street, `${town.name}, ${town.district}, ${postcode}`] };
  return {
    slots: { street, town: town.name, district: town.district, postcode },
    evaluation: {
      program_html: ["billing", "shipping"].map((kind) => ({
        url: "__SHOPPING__/customer/address",
        locator: `document.querySelector(".box.box-address-${kind} > .box-content").outerText`,
        required_contents: wanted,
      })),
    },
    plan: [...fill(postcode), ...save],
    nearMisses: {
      "another postal code": [...fill(`HD${town.postcode} 99`), ...save],
      "not saved": [...fill(postcode), stop()],
    },
  };
}

function newsletter(random: Random): Problem {
  const lastName = random.choice(lastNames);
  const rename: PlanStep[] = [
    click("link", "My Account"),
    click("link", "Account Information"),
    ...retype("Last Name", lastName),
    click("button", "Save"),
  ];
  const subscribe: PlanStep[] = [click("link", "Newsletter Subscriptions"), click("checkbox", "General Subscription")];
  return {
    slots: { lastName },
    evaluation: {
      program_html: [
        {
          url: "__SHOPPING__/newsletter/manage/",
          locator: "document.querySelector('[title=\"General Subscription\"').checked.toString()",
          required_contents: { exact_match: "true" },
        },
        {
          url: "__SHOPPING__/customer/account/edit/",
          locator: "document.querySelector('[name=\"lastname\"]').value",
          required_contents: { exact_match: lastName },
        },
      ],
    },
    plan: [...rename, ...subscribe, click("button", "Save"), stop()],
    nearMisses: {
      "the subscription is not saved": [...rename, ...subscribe, stop()],
      "the name alone": [...rename, stop()],
    },
  };
}

const reasons = [
  "it stopped working after three days",
  "it arrived with a crack on one side",
  "it is not the one in the pictures",
  "a part of it was missing",
  "it smells so strongly that we cannot keep it indoors",
];

function contactDraft(random: Random): Problem | undefined {
  const order = random.choice(emmasOrders().filter(({ status }) => status === "complete"));
  const item = random.choice(order.items);
  const [noun, month] = [nounOf(item.product), monthName(order.at)];
  const alike = emmasOrders().flatMap(({ at, items }) =>
    monthName(at) === month ? items.filter(({ product }) => nounOf(product) === noun) : [],
  );
  if (alike.length !== 1) return undefined;
  const reason = random.choice(reasons);
  const write = (number: string, sku: string): PlanStep[] => [
    ...openOrder(order),
    click("link", "Contact Us"),
    type("What’s on your mind?", `I ask for a refund, since ${reason}. Order ${number}, SKU ${sku}.`),
  ];
  const number = number9(order.id);
  return {
    slots: { noun, month, reason },
    evaluation: {
      reference_url: "__SHOPPING__/contact",
      program_html: [
        {
          url: "last",
          locator: "document.querySelector('[title=\"What’s on your mind?\"').value",
          required_contents: { must_include: ["refund", reason, number, item.sku] },
        },
      ],
    },
    plan: [...write(number, item.sku), stop()],
    nearMisses: {
      "sent off": [...write(number, item.sku), click("button", "Submit"), stop()],
      "another order": [...write(number9(order.id + 1), item.sku), stop()],
      "no SKU": [...write(number, "unknown"), stop()],
    },
  };
}

function newHome(random: Random): Problem {
  const problem = address(random);
  const { street, town, district, postcode } = problem.slots;
  const wish = `Have my further orders delivered and billed to ${street}, ${town}, ${district}, ${postcode} by default.`;
  return { ...problem, slots: { wish } };
}

function newDelivery(random: Random): Problem {
  const order = random.choice(emmasOrders().slice(0, 12));
  const town = random.choice(towns);
  const street = `${random.between(2, 190)} ${random.choice(readContent().streets)}`;
  return {
    slots: { wish: `Have my order ${number9(order.id)} delivered to ${street}, ${town.name} instead of my home.` },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: "The address of an order cannot be changed once it has been placed.",
    },
    plan: [...openOrder(order), stop("N/A")],
    nearMisses: { "claims to have done it": [...openOrder(order), stop("done")], "no answer": [stop()] },
  };
}

export const shopAccountTemplates: readonly Template[] = [
  {
    name: "shop-review",
    sites,
    kind: "change",
    draw: review,
    intent:
      'Write a review of "{{product}}", which I have bought: {{stars}} of 5 stars, the nickname "{{nickname}}", the summary "{{title}}" and the text "{{text}}"',
  },
  {
    name: "shop-address",
    sites,
    kind: "change",
    draw: address,
    intent:
      "I have moved to {{street}}, {{town}}, {{district}}, {{postcode}}. Change my default addresses in the shop accordingly.",
  },
  {
    name: "shop-newsletter",
    sites,
    kind: "change",
    draw: newsletter,
    intent: "I have married: change my last name in the account to {{lastName}}, and subscribe me to the newsletter.",
  },
  {
    name: "shop-contact-draft",
    sites,
    kind: "change",
    draw: contactDraft,
    intent:
      'Draft a message to the shop in its contact form, without sending it: ask for a "refund" of the {{noun}} that I bought in {{month}} because {{reason}}, and give the number of the order and the SKU.',
  },
  {
    name: "shop-delivery-wish",
    sites,
    kind: "change",
    draw: rarelyImpossible(newDelivery, newHome),
    intent: "{{wish}} If the shop has no way to do so, answer N/A.",
  },
];
