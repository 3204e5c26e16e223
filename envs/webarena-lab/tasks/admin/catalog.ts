/** Tasks in the administration that change products, reviews, price rules, text pages and customers. */
import { choose, click, enter, type PlanStep, retype, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { amount, money } from "../../sites/shop/format.js";
import type { Product } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem, Template } from "../common/template.js";
import { openProduct, reviews, sites } from "./base.js";

const products = () => [...shopBase().products.values()];
const saved: PlanStep[] = [click("button", "Save"), stop()];
const fieldOf = (name: string) => `document.querySelector('[name="${name}"').value`;

function productPrice(random: Random): Problem | undefined {
  const product = random.choice(products().filter(({ parent, price }) => parent === null && price > 2000));
  const other = random.choice(products().filter(({ price }) => price === product.price));
  const off = random.between(1, 9) * 100;
  const price = amount(product.price - off);
  const change = (one: Product, value: string) => [...openProduct(one), ...retype("Price", value)];
  return {
    slots: { name: product.name, off: money(off) },
    evaluation: {
      program_html: [
        {
          url: `__SHOPPING_ADMIN__/catalog/product/edit/id/${product.id}/`,
          locator: fieldOf("product[price]"),
          required_contents: { exact_match: price },
        },
      ],
    },
    plan: [...change(product, price), ...saved],
    nearMisses: {
      "dearer in place of cheaper": [...change(product, amount(product.price + off)), ...saved],
      "not saved": [...change(product, price), stop()],
      ...(other.id === product.id ? {} : { "another product": [...change(other, price), ...saved] }),
    },
  };
}

function variantStock(random: Random): Problem | undefined {
  const product = random.choice(products().filter(({ parent }) => parent !== null));
  const parent = shopBase().products.get(product.parent as number) as Product;
  const sister = random.choice(products().filter((one) => one.parent === parent.id && one.id !== product.id));
  const arrived = random.between(3, 60);
  const qty = product.qty + arrived;
  const change = (one: Product, count: number): PlanStep[] => [
    ...openProduct(one),
    ...retype("Quantity", `${count}`),
    choose("Stock Status", "In Stock"),
  ];
  const url = `__SHOPPING_ADMIN__/catalog/product/edit/id/${product.id}/`;
  const options = product.chosen.map(({ label, value }) => `${label.toLowerCase()} ${value}`).join(", ");
  return {
    slots: { arrived, name: parent.name, options },
    evaluation: {
      program_html: [
        {
          url,
          locator: fieldOf("product[quantity_and_stock_status][qty]"),
          required_contents: { exact_match: `${qty}` },
        },
        {
          url,
          locator: fieldOf("product[quantity_and_stock_status][is_in_stock]"),
          required_contents: { exact_match: "1" },
        },
      ],
    },
    plan: [...change(product, qty), ...saved],
    nearMisses: {
      "what was there is forgotten": [...change(product, product.qty === 0 ? arrived + 1 : arrived), ...saved],
      "another variant": [...change(sister, sister.qty + arrived), ...saved],
      "not saved": [...change(product, qty), stop()],
    },
  };
}

/** Draws two pending reviews. The author of each review has only this pending review. */
function moderate(random: Random): Problem | undefined {
  const pending = reviews().filter(({ status }) => status === 2);
  const alone = pending.filter(({ nickname }) => pending.filter((one) => one.nickname === nickname).length === 1);
  const [good, bad] = [alone.filter(({ stars }) => stars >= 4), alone.filter(({ stars }) => stars <= 2)];
  if (good.length === 0 || bad.length === 0) return undefined;
  const [approved, deleted] = [random.choice(good), random.choice(bad)];
  const approve = (status: string): PlanStep[] => [
    click("link", "Pending Reviews"),
    click("link", "Filters"),
    enter("Nickname", approved.nickname),
    click("link", "Edit", approved.nickname),
    choose("Status", status),
    click("button", "Save Review"),
  ];
  const remove: PlanStep[] = [
    click("link", "Pending Reviews"),
    click("link", "Filters"),
    enter("Nickname", deleted.nickname),
    click("link", "Edit", deleted.nickname),
    click("button", "Delete Review"),
  ];
  const url = (id: number) => `__SHOPPING_ADMIN__/review/product/edit/id/${id}`;
  return {
    slots: { approved: approved.nickname, deleted: deleted.nickname },
    evaluation: {
      program_html: [
        { url: url(approved.id), locator: fieldOf("status_id"), required_contents: { exact_match: "1" } },
        { url: url(deleted.id), locator: "", required_contents: { must_include: ["Rating isn't Available"] } },
      ],
    },
    plan: [...approve("Approved"), ...remove, stop()],
    nearMisses: {
      "not approved": [...approve("Not Approved"), ...remove, stop()],
      "nothing is deleted": [...approve("Approved"), stop()],
    },
  };
}

const occasions = [
  "Spring sale",
  "Summer opening",
  "Harbour festival",
  "Back to school",
  "Thank you week",
  "Moving day",
];

function priceRule(random: Random): Problem {
  const name = random.choice(occasions);
  const at = random.between(1, 3);
  const group = ["", "General", "Wholesale", "Retailer"][at] as string;
  const other = ["", "Wholesale", "Retailer", "General"][at] as string;
  const percent = random.between(2, 9) * 5;
  const fill = (customers: string, value: number): PlanStep[] => [
    click("link", "Cart Price Rules"),
    click("link", "Add New Rule"),
    type("Rule Name", name),
    click("option", "Main Website"),
    click("option", customers),
    type("Discount Amount", `${value}`),
  ];
  const url = `__SHOPPING_ADMIN__/sales_rule/promo_quote/edit/id/${shopBase().rules.size + 1}/`;
  const is = (locator: string, wanted: string) => ({ url, locator, required_contents: { exact_match: wanted } });
  return {
    slots: { name, percent, group },
    evaluation: {
      program_html: [
        is("document.querySelector(\"[name='name'\").value", name),
        is("document.querySelector('[name=\"website_ids\"').selectedIndex", "0"),
        is("document.querySelector('[name=\"customer_group_ids\"').selectedIndex", `${at}`),
        is(fieldOf("simple_action"), "by_percent"),
        is(fieldOf("discount_amount"), `${percent}`),
      ],
    },
    plan: [...fill(group, percent), ...saved],
    nearMisses: {
      "another group": [...fill(other, percent), ...saved],
      "another discount": [...fill(group, percent + 5), ...saved],
      "not saved": [...fill(group, percent), stop()],
    },
  };
}

const titles = ["Lost at sea", "Nothing here but gulls", "What we stand for", "Good to know", "Read me first"];

function pageTitle(random: Random): Problem {
  const [page, other] = random.sample([...shopBase().pages.values()].slice(2), 2);
  if (!page || !other) throw new Error("the shop has fewer than two text pages");
  const title = random.choice(titles);
  const change = (one: typeof page) => [
    click("link", "Pages"),
    enter("Search by keyword", one.title),
    click("link", "Edit", one.urlKey),
    ...retype("Page Title", title),
  ];
  const save = [click("button", "Save Page"), stop()];
  return {
    slots: { page: page.title, title },
    evaluation: {
      program_html: [
        {
          url: `__SHOPPING_ADMIN__/cms/page/edit/page_id/${page.id}/`,
          locator: "document.querySelector('input[name=\"title\"').value",
          required_contents: { exact_match: title },
        },
      ],
    },
    plan: [...change(page), ...save],
    nearMisses: { "another page": [...change(other), ...save], "not saved": [...change(page), stop()] },
  };
}

function customerGroup(random: Random): Problem | undefined {
  const customer = random.choice([...shopBase().customers.values()].filter(({ isSubscribed }) => !isSubscribed));
  const names = ["General", "Wholesale", "Retailer"];
  const group = random.choice(names.filter((_, at) => at + 1 !== customer.group));
  const change = (name: string) => [
    click("link", "All Customers"),
    enter("Search by keyword", customer.email),
    click("link", "Edit", customer.email),
    choose("Group", name),
  ];
  const save = [click("checkbox", "Subscribed to Newsletter"), click("button", "Save Customer"), stop()];
  const url = `__SHOPPING_ADMIN__/customer/index/edit/id/${customer.id}/`;
  const wrong = names.find((name) => name !== group) as string;
  return {
    slots: { name: `${customer.firstName} ${customer.lastName}`, group },
    evaluation: {
      program_html: [
        {
          url,
          locator: fieldOf("customer[group_id]"),
          required_contents: { exact_match: `${names.indexOf(group) + 1}` },
        },
        {
          url,
          locator: "document.querySelector('[name=\"subscription\"]').checked.toString()",
          required_contents: { exact_match: "true" },
        },
      ],
    },
    plan: [...change(group), ...save],
    nearMisses: {
      "another group": [...change(wrong), ...save],
      "no newsletter": [...change(group), click("button", "Save Customer"), stop()],
    },
  };
}

export const adminCatalogTemplates: readonly Template[] = [
  {
    name: "admin-product-price",
    sites,
    kind: "change",
    draw: productPrice,
    intent: 'Reduce the price (not the special price) of "{{name}}" by {{off}}.',
  },
  {
    name: "admin-variant-stock",
    sites,
    kind: "change",
    draw: variantStock,
    intent: 'Another {{arrived}} pieces of "{{name}}" ({{options}}) have arrived. Add them to the stock.',
  },
  {
    name: "admin-moderate",
    sites,
    kind: "change",
    draw: moderate,
    intent: 'Approve the pending review by "{{approved}}", and delete the pending one by "{{deleted}}".',
  },
  {
    name: "admin-price-rule",
    sites,
    kind: "change",
    draw: priceRule,
    intent:
      'Add a cart price rule named "{{name}}" on the main website that gives customers of the group {{group}} {{percent}} percent off the price of products.',
  },
  {
    name: "admin-page-title",
    sites,
    kind: "change",
    draw: pageTitle,
    intent: 'Change the title of the page "{{page}}" to "{{title}}".',
  },
  {
    name: "admin-customer-group",
    sites,
    kind: "change",
    draw: customerGroup,
    intent: "Move the customer {{name}} to the group {{group}} and subscribe them to the newsletter.",
  },
];
