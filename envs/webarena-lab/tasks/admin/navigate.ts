/** Tasks in which the agent opens a page of the shop's administration. */
import { choose, click, enter, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { towns } from "../../seed/region.js";
import { statusNames } from "../../sites/shop/status.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem, Target, Template } from "../common/template.js";
import { dateText, sites, span } from "./base.js";

/** Returns a check that the list of the final page has these filters and no others. */
function filteredBy(...filters: readonly string[]): Target {
  return {
    url: "last",
    locator:
      '[...document.querySelectorAll("div.admin__data-grid-filters-current .filter")].map(({ firstChild }) => firstChild.textContent.trim()).sort().join("; ")',
    required_contents: { exact_match: [...filters].sort().join("; ") },
  };
}

function filteredOrders(random: Random): Problem {
  const status = random.choice(Object.values(statusNames));
  const other = random.choice(Object.values(statusNames).filter((name) => name !== status));
  const low = random.between(2, 20) * 10;
  const high = low + random.between(2, 20) * 10;
  const filter = (name: string, to = high) => [
    click("link", "Orders"),
    click("link", "Filters"),
    choose("Status", name),
    type("Grand Total from", `${low}`),
    type("Grand Total to", `${to}`),
  ];
  const apply = [click("button", "Apply Filters"), stop()];
  return {
    slots: { status, low: `$${low}`, high: `$${high}` },
    evaluation: {
      reference_url: "__SHOPPING_ADMIN__/sales/order/",
      program_html: [filteredBy(`Status: ${status}`, `Grand Total: ${low} - ${high}`)],
    },
    plan: [...filter(status), ...apply],
    nearMisses: {
      "another status": [...filter(other), ...apply],
      "a digit too many": [...filter(status, high * 10), ...apply],
      "not applied": [...filter(status), stop()],
    },
  };
}

const reports = [
  ["tax", "Tax Report", "tax"],
  ["refunds", "Refunds Report", "refunded"],
  ["orders", "Orders Report", "sales"],
  ["coupons", "Coupons Report", "coupons"],
  ["bestsellers", "Bestsellers", "bestsellers"],
] as const;

function salesReport(random: Random): Problem {
  const [kind, link, path] = random.choice(reports);
  const { from, to } = span(random.choice([2022, 2023]), random.between(2, 9), random.between(1, 4));
  const fill = (first: number, period: string) => [
    click("link", link),
    choose("Period", period),
    type("From", dateText(first)),
    type("To", dateText(to)),
  ];
  const show = [click("button", "Show Report"), stop()];
  const value = (id: string, wanted: string) => ({
    url: "last",
    locator: `document.querySelector('[id="${id}"').value`,
    required_contents: { exact_match: wanted },
  });
  return {
    slots: { kind, from: dateText(from), to: dateText(to) },
    evaluation: {
      reference_url: `__SHOPPING_ADMIN__/reports/report_sales/${path}?from=${dateText(from)}`,
      program_html: [
        value("sales_report_from", dateText(from)),
        value("sales_report_to", dateText(to)),
        value("sales_report_period_type", "month"),
      ],
    },
    plan: [...fill(from, "Month"), ...show],
    nearMisses: {
      "a day too late": [...fill(from + 86_400_000, "Month"), ...show],
      "by years": [...fill(from, "Year"), ...show],
      "not shown": [...fill(from, "Month"), stop()],
    },
  };
}

function customersOf(random: Random): Problem {
  const [town, other] = random.sample(towns, 2).map(({ name }) => name) as [string, string];
  const group = random.choice(["Wholesale", "Retailer", "General"]);
  const filter = (city: string) => [
    click("link", "All Customers"),
    click("link", "Filters"),
    choose("Group", group),
    type("City", city),
    click("button", "Apply Filters"),
    stop(),
  ];
  return {
    slots: { group, town },
    evaluation: {
      reference_url: "__SHOPPING_ADMIN__/customer/index/",
      program_html: [filteredBy(`Group: ${group}`, `City: ${town}`)],
    },
    plan: filter(town),
    nearMisses: { "another town": filter(other), "the whole list": [click("link", "All Customers"), stop()] },
  };
}

function customerPage(random: Random): Problem | undefined {
  const [customer, other] = random.sample([...shopBase().customers.values()], 2);
  if (!customer || !other || `${other.id}`.startsWith(`${customer.id}`)) return undefined;
  const open = ({ email }: typeof customer) => [
    click("link", "All Customers"),
    enter("Search by keyword", email),
    click("link", "Edit", email),
    stop(),
  ];
  return {
    slots: { name: `${customer.firstName} ${customer.lastName}` },
    evaluation: { reference_url: `__SHOPPING_ADMIN__/customer/index/edit/id/${customer.id}/` },
    plan: open(customer),
    nearMisses: {
      "another customer": open(other),
      "the list": [click("link", "All Customers"), enter("Search by keyword", customer.email), stop()],
    },
  };
}

export const adminNavigateTemplates: readonly Template[] = [
  {
    name: "admin-filtered-orders",
    sites,
    kind: "navigate",
    draw: filteredOrders,
    intent: "List the orders whose status is {{status}} and whose grand total lies from {{low}} to {{high}}.",
  },
  {
    name: "admin-sales-report",
    sites,
    kind: "navigate",
    draw: salesReport,
    intent: "Create the {{kind}} report by months from {{from}} to {{to}}.",
  },
  {
    name: "admin-customers-of",
    sites,
    kind: "navigate",
    draw: customersOf,
    intent: "Show the customers of the group {{group}} whose city is {{town}}.",
  },
  {
    name: "admin-customer-page",
    sites,
    kind: "navigate",
    draw: customerPage,
    intent: "Open the page on which the account of the customer {{name}} can be edited.",
  },
];
