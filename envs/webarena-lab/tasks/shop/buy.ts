/** Tasks in the shop about orders, reorders, coupons and the wish list. */
import { choose, click, enter, type PlanStep, retype, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { finalPrice } from "../../sites/shop/catalogue/catalog.js";
import { money, number9 } from "../../sites/shop/format.js";
import type { Product } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem, Template } from "../common/template.js";
import {
  cheapest,
  emmasOrders,
  inLeaf,
  isPlain,
  leaves,
  openProduct,
  plainProduct,
  products,
  queryFor,
  shownProducts,
  toHistory,
} from "./base.js";

const sites = ["shopping"] as const;
const latest = "func:shopping_get_latest_order_url()";
const ordered = 'document.querySelector(".order-details-items.ordered").outerText';

/** Returns the steps from the cart to the page for placing the order. */
function toPayment(method: string): PlanStep[] {
  return [
    click("link", /My Cart/),
    click("button", "Proceed to Checkout"),
    click("radio", new RegExp(method)),
    click("button", "Next"),
  ];
}

const placed: PlanStep[] = [click("button", "Place Order"), stop()];
const methods = ["Flat Rate - Fixed", "Best Way - Table Rate", "Express - Next Day"] as const;

function buyVariant(random: Random): Problem | undefined {
  const product = random.choice(shownProducts().filter(({ axes }) => axes.length > 0));
  const variants = products().filter(({ parent, qty }) => parent === product.id && qty > 4);
  const qty = random.between(2, 4);
  const method = random.choice(methods);
  if (variants.length < 2 || queryFor(product) === undefined) return undefined;
  const [wanted, other] = random.sample(variants, 2) as [Product, Product];
  const buy = ({ chosen }: Product, count: number, by: string): PlanStep[] => [
    ...openProduct(product),
    ...chosen.map(({ label, value }) => choose(label, value)),
    ...retype("Qty", `${count}`),
    click("button", "Add to Cart"),
    ...toPayment(by),
  ];
  const options = wanted.chosen.map(({ label, value }) => `${label} ${value}`).join(", ");
  const otherMethod = methods.find((one) => one !== method) as string;
  return {
    slots: { qty, product: product.name, options, method },
    evaluation: {
      program_html: [
        { url: latest, locator: ordered, required_contents: { must_include: [`${wanted.sku}\t`, `Ordered: ${qty}`] } },
        {
          url: latest,
          locator: 'document.querySelector(".box-order-shipping-method > .box-content").outerText',
          required_contents: { exact_match: method },
        },
      ],
    },
    plan: [...buy(wanted, qty, method), ...placed],
    nearMisses: {
      "another variant": [...buy(other, qty, method), ...placed],
      "one too many": [...buy(wanted, qty + 1, method), ...placed],
      "another shipping method": [...buy(wanted, qty, otherMethod), ...placed],
      "the order is not placed": [...buy(wanted, qty, method), stop()],
    },
  };
}

function buyCheapest(random: Random): Problem | undefined {
  const category = random.choice(leaves());
  const [low] = random.choice([[20], [30], [40], [50]] as const);
  const own = inLeaf(category).filter((product) => finalPrice(product) >= low * 100);
  const wanted = cheapest(own);
  const dearer = own.filter((product) => product.id !== wanted?.id && isPlain(product));
  if (!wanted || !isPlain(wanted) || dearer.length === 0) return undefined;
  const other = cheapest(dearer) ?? (dearer[0] as Product);
  const query = queryFor(wanted);
  if (query === undefined || queryFor(other) === undefined) return undefined;
  const line = wanted.categories.map((id) => shopBase().categories.get(id)?.name ?? "");
  const find: PlanStep[] = [
    ...line.map((name, at) => (at === 0 ? click("link", name) : click("link", name, "Shop By"))),
    type("Lowest price", `${low}`),
    click("button", "Filter"),
    choose("Sort By", "Price"),
    click("button", "Apply"),
    click("link", wanted.name),
    click("button", "Add to Cart"),
  ];
  return {
    slots: { category: line.join(" / "), low: `$${low}` },
    evaluation: {
      program_html: [
        { url: latest, locator: ordered, required_contents: { must_include: [wanted.sku, "Ordered: 1"] } },
        {
          url: latest,
          locator: "document.querySelectorAll('.order-details-items.ordered tbody tr strong').length.toString()",
          required_contents: { exact_match: "1" },
        },
      ],
    },
    plan: [...find, ...toPayment("Flat Rate"), ...placed],
    nearMisses: {
      "a dearer product": [...openProduct(other), click("button", "Add to Cart"), ...toPayment("Flat Rate"), ...placed],
      "left in the cart": [...find, click("link", /My Cart/), stop()],
    },
  };
}

/** Draws an order whose items are all in stock, so that they can be ordered again. */
function reorder(random: Random): Problem | undefined {
  const stock = ({ product, qty }: { product: number; qty: number }) =>
    (shopBase().products.get(product)?.qty ?? 0) >= qty && shopBase().products.get(product)?.isInStock;
  const fitting = emmasOrders().filter(({ items }) => items.every(stock));
  const [order, other] = random.sample(fitting, 2);
  if (!order || !other || order.items.map(({ sku }) => sku).join() === other.items.map(({ sku }) => sku).join())
    return undefined;
  const again = (one: typeof order): PlanStep[] => [
    ...toHistory(one),
    click("button", "Reorder", number9(one.id)),
    ...toPayment("Flat Rate"),
  ];
  const wanted = order.items.flatMap(({ sku, qty }) => [`${sku}\t`, `Ordered: ${qty}`]);
  const isPart = order.items.every(({ sku }) => other.items.some((item) => item.sku === sku));
  if (isPart) return undefined;
  return {
    slots: { number: number9(order.id) },
    evaluation: { program_html: [{ url: latest, locator: ordered, required_contents: { must_include: wanted } }] },
    plan: [...again(order), ...placed],
    nearMisses: { "another order": [...again(other), ...placed], "not placed": [...again(order), stop()] },
  };
}

function cartWithCoupon(random: Random): Problem | undefined {
  const product = plainProduct(random);
  const qty = random.between(2, 5);
  const rule = random.choice([...shopBase().rules.values()].filter(({ coupon, isActive }) => coupon && isActive));
  if (product.qty <= qty || queryFor(product) === undefined) return undefined;
  const subtotal = finalPrice(product) * qty;
  const discount = rule.action === "by_percent" ? Math.round((subtotal * rule.amount) / 100) : rule.amount * 100;
  if (discount >= subtotal) return undefined;
  const fill = (count: number): PlanStep[] => [
    ...openProduct(product),
    ...retype("Qty", `${count}`),
    click("button", "Add to Cart"),
    click("link", /My Cart/),
  ];
  const code = rule.coupon as string;
  const locator = (selector: string) => `document.querySelector('${selector}').outerText`;
  return {
    slots: { qty, product: product.name, code },
    evaluation: {
      program_html: [
        {
          url: "__SHOPPING__/checkout/cart",
          locator: locator(".cart.items tbody"),
          required_contents: { must_include: [product.name, money(subtotal)] },
        },
        {
          url: "__SHOPPING__/checkout/cart",
          locator: locator(".totals"),
          required_contents: { must_include: [`Discount (${code})`, money(-discount)] },
        },
      ],
    },
    plan: [...fill(qty), enter("Enter discount code", code), stop()],
    nearMisses: {
      "no discount": [...fill(qty), stop()],
      "the code is not applied": [...fill(qty), type("Enter discount code", code), stop()],
      "one too few": [...fill(qty - 1), enter("Enter discount code", code), stop()],
    },
  };
}

function wishCheapest(random: Random): Problem | undefined {
  const category = random.choice(leaves());
  const own = inLeaf(category);
  const wanted = cheapest(own);
  const sorted = [...own].sort((one, other) => finalPrice(other) - finalPrice(one));
  const other = sorted[0];
  if (!wanted || !other || other.id === wanted.id) return undefined;
  const wished = new Set([...shopBase().wishes.values()].map(({ product }) => product));
  if (wished.has(wanted.id) || queryFor(other) === undefined) return undefined;
  const line = wanted.categories.map((id) => shopBase().categories.get(id)?.name ?? "");
  const find = [
    ...line.map((name, at) => (at === 0 ? click("link", name) : click("link", name, "Shop By"))),
    choose("Sort By", "Price"),
    click("button", "Apply"),
    click("link", wanted.name),
  ];
  return {
    slots: { category: line.join(" / ") },
    evaluation: {
      program_html: [
        {
          url: "__SHOPPING__/wishlist/",
          locator: "document.querySelector('.products-grid.wishlist').outerText",
          required_contents: { must_include: [wanted.name] },
        },
      ],
    },
    plan: [...find, click("button", "Add to Wish List"), stop()],
    nearMisses: {
      "the dearest one": [...openProduct(other), click("button", "Add to Wish List"), stop()],
      "not added": [...find, stop()],
    },
  };
}

export const shopBuyTemplates: readonly Template[] = [
  {
    name: "shop-buy-variant",
    sites,
    kind: "change",
    draw: buyVariant,
    intent: 'Order {{qty}} of "{{product}}" ({{options}}) to my address, sent by {{method}}.',
  },
  {
    name: "shop-buy-cheapest",
    sites,
    kind: "change",
    draw: buyCheapest,
    intent:
      "Buy one piece of the cheapest product in the category {{category}} that costs {{low}} or more, sent at a flat rate.",
  },
  {
    name: "shop-reorder",
    sites,
    kind: "change",
    draw: reorder,
    intent: "Place order {{number}} once more, with the same items, sent at a flat rate.",
  },
  {
    name: "shop-cart-coupon",
    sites,
    kind: "change",
    draw: cartWithCoupon,
    intent: 'Put {{qty}} pieces of "{{product}}" into my cart and apply the discount code {{code}}. Do not order yet.',
  },
  {
    name: "shop-wish-cheapest",
    sites,
    kind: "change",
    draw: wishCheapest,
    intent: "Add the cheapest product of the category {{category}} to my wish list.",
  },
];
