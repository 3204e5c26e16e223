/** Pages of price rules, search terms and text pages. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { idOf } from "../shop/format.js";
import type { CmsPage, PriceRule, RuleAction, SearchTerm } from "../shop/records.js";
import { fieldsOf, redirect, type ShopContext } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { adminPage, Choice, Field, missing } from "./frame.js";
import { type Column, dayOf, Grid } from "./grid.js";

export const marketing = new Hono<SiteEnv>({ strict: false });

const active = (isActive: boolean) => (isActive ? "Active" : "Inactive");

const ruleColumns: readonly Column<PriceRule>[] = [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id, filter: "range" },
  { key: "name", label: "Rule", text: ({ name }) => name, filter: "text" },
  { key: "coupon", label: "Coupon Code", text: ({ coupon }) => coupon ?? "", filter: "text" },
  { key: "from", label: "Start", text: ({ from }) => from },
  { key: "to", label: "End", text: ({ to }) => to },
  { key: "status", label: "Status", text: ({ isActive }) => active(isActive), filter: ["Active", "Inactive"] },
];

marketing.get("/sales_rule/promo_quote", (context) =>
  adminPage(
    context,
    "Cart Price Rules",
    <>
      <a class="button primary" href="/admin/sales_rule/promo_quote/new/">
        Add New Rule
      </a>
      <Grid
        context={context}
        rows={[...context.env.shop.rules]}
        columns={ruleColumns}
        first={{ key: "id", isDescending: true }}
        action={{ label: "Edit", url: ({ id }) => `/admin/sales_rule/promo_quote/edit/id/${id}/` }}
      />
    </>,
  ),
);

const actions: readonly (readonly [RuleAction, string])[] = [
  ["by_percent", "Percent of product price discount"],
  ["by_fixed", "Fixed amount discount"],
  ["cart_fixed", "Fixed amount discount for whole cart"],
  ["buy_x_get_y", "Buy X get Y free (discount amount is Y)"],
];

export const groupChoices = ["NOT LOGGED IN", "General", "Wholesale", "Retailer"];

const Several: FC<{
  name: string;
  label: string;
  names: readonly string[];
  first: number;
  chosen: readonly number[];
}> = ({ name, label, names, first, chosen }) => (
  <p>
    <label for={name}>{label}</label>
    <select id={name} name={name} multiple size={names.length + 1}>
      {names.map((one, at) => (
        <option value={`${first + at}`} selected={chosen.includes(first + at)}>
          {one}
        </option>
      ))}
    </select>
  </p>
);

function rulePage(context: ShopContext, rule: PriceRule | undefined) {
  return adminPage(
    context,
    rule?.name ?? "New Cart Price Rule",
    <form class="fields" method="post" action={`/admin/sales_rule/promo_quote/save/${rule ? `id/${rule.id}/` : ""}`}>
      <h2>Rule Information</h2>
      <Field name="name" label="Rule Name" value={rule?.name ?? ""} />
      <Field name="description" label="Description" value={rule?.description ?? ""} />
      <Choice
        name="is_active"
        label="Active"
        value={rule?.isActive === false ? "0" : "1"}
        choices={[
          ["1", "Yes"],
          ["0", "No"],
        ]}
      />
      <Several name="website_ids" label="Websites" names={["Main Website"]} first={1} chosen={rule?.websites ?? []} />
      <Several
        name="customer_group_ids"
        label="Customer Groups"
        names={groupChoices}
        first={0}
        chosen={rule?.groups ?? []}
      />
      <Field name="coupon_code" label="Coupon Code" value={rule?.coupon ?? ""} />
      <Field name="from_date" label="From" value={rule?.from ?? ""} />
      <Field name="to_date" label="To" value={rule?.to ?? ""} />
      <div data-index="actions">
        <h2 class="admin__collapsible-title">Actions</h2>
        <Choice name="simple_action" label="Apply" value={rule?.action ?? "by_percent"} choices={actions} />
        <Field name="discount_amount" label="Discount Amount" value={rule ? `${rule.amount}` : ""} />
      </div>
      <button type="submit" class="primary">
        Save
      </button>
    </form>,
  );
}

marketing.on("GET", ["/sales_rule/promo_quote/new", "/sales_rule/promo_quote/index/new"], (context) =>
  rulePage(context, undefined),
);

const ruleOf = (context: ShopContext) => context.env.shop.rules.get(idOf(context.req.param("id")) ?? 0);

marketing.get("/sales_rule/promo_quote/edit/id/:id", (context) => {
  const rule = ruleOf(context);
  return rule ? rulePage(context, rule) : missing(context, "rule");
});

marketing.on("POST", ["/sales_rule/promo_quote/save", "/sales_rule/promo_quote/save/id/:id"], async (context) => {
  const known = ruleOf(context);
  if (context.req.param("id") !== undefined && !known) return missing(context, "rule");
  const body = await context.req.parseBody({ all: true });
  const text = (name: string) => (typeof body[name] === "string" ? (body[name] as string).trim() : "");
  const numbers = (name: string) => [body[name] ?? []].flat().map(Number).filter(Number.isInteger);
  const [name, amount] = [text("name"), Number(text("discount_amount") || "0")];
  const [websites, groups] = [numbers("website_ids"), numbers("customer_group_ids")];
  const action = actions.find(([one]) => one === text("simple_action"))?.[0];
  const back = `/admin/sales_rule/promo_quote/${known ? `edit/id/${known.id}` : "new"}/`;
  const refuse = (reason: string) => redirect(context, back, reason, "error");
  if (name === "" || websites.length === 0 || groups.length === 0)
    return refuse("Rule Name, Websites and Customer Groups are required fields.");
  if (!action || !(amount >= 0) || (action === "by_percent" && amount > 100))
    return refuse("Please enter a valid discount amount.");
  const [from, to] = [text("from_date"), text("to_date")];
  if ([from, to].some((date) => date !== "" && dayOf(date) === undefined))
    return refuse("Please enter dates such as 3/15/2024.");
  const own = { name, description: text("description"), isActive: text("is_active") === "1", websites, groups };
  const rule = { ...own, coupon: text("coupon_code") || null, from, to, action, amount };
  if (known) context.env.shop.rules.update(known.id, rule);
  else context.env.shop.rules.insert(rule);
  return redirect(context, "/admin/sales_rule/promo_quote/", "You saved the rule.");
});

const termColumns: readonly Column<SearchTerm>[] = [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id },
  { key: "query", label: "Search Query", text: ({ query }) => query, filter: "text" },
  {
    key: "results",
    label: "Results",
    text: ({ results }) => `${results}`,
    order: ({ results }) => results,
    filter: "range",
  },
  { key: "uses", label: "Uses", text: ({ uses }) => `${uses}`, order: ({ uses }) => uses, filter: "range" },
];

marketing.get("/search/term", (context) =>
  adminPage(
    context,
    "Search Terms",
    <Grid
      context={context}
      rows={[...context.env.shop.terms]}
      columns={termColumns}
      first={{ key: "id", isDescending: false }}
      action={{
        label: "View results",
        url: ({ query }) => `/catalogsearch/result/?${new URLSearchParams({ q: query })}`,
      }}
    />,
  ),
);

const pageColumns: readonly Column<CmsPage>[] = [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id, filter: "range" },
  { key: "title", label: "Title", text: ({ title }) => title, filter: "text" },
  { key: "url", label: "URL Key", text: ({ urlKey }) => urlKey, filter: "text" },
  { key: "status", label: "Status", text: ({ isEnabled }) => (isEnabled ? "Enabled" : "Disabled") },
];

marketing.get("/cms/page", (context) =>
  adminPage(
    context,
    "Pages",
    <Grid
      context={context}
      rows={[...context.env.shop.pages]}
      columns={pageColumns}
      first={{ key: "id", isDescending: false }}
      keyword={({ title, content }) => `${title}\n${content}`}
      action={{ label: "Edit", url: ({ id }) => `/admin/cms/page/edit/page_id/${id}/` }}
    />,
  ),
);

const cmsPageOf = (context: ShopContext) => context.env.shop.pages.get(idOf(context.req.param("id")) ?? 0);

marketing.get("/cms/page/edit/page_id/:id", (context) => {
  const found = cmsPageOf(context);
  if (!found) return missing(context, "page");
  return adminPage(
    context,
    found.title,
    <form class="fields" method="post" action={`/admin/cms/page/save/page_id/${found.id}/`}>
      <Choice
        name="is_active"
        label="Enable Page"
        value={found.isEnabled ? "1" : "0"}
        choices={[
          ["1", "Yes"],
          ["0", "No"],
        ]}
      />
      <Field name="title" label="Page Title" value={found.title} />
      <p>
        <label for="content">Content</label>
        <textarea id="content" name="content" rows={8}>
          {found.content}
        </textarea>
      </p>
      <button type="submit" class="primary">
        Save Page
      </button>
    </form>,
  );
});

marketing.post("/cms/page/save/page_id/:id", async (context) => {
  const found = cmsPageOf(context);
  if (!found) return missing(context, "page");
  const { title = "", content = "", is_active: isActive } = await fieldsOf(context);
  const back = `/admin/cms/page/edit/page_id/${found.id}/`;
  if (title === "") return redirect(context, back, "Page Title is a required field.", "error");
  context.env.shop.pages.update(found.id, { title, content, isEnabled: isActive === "1" });
  return redirect(context, back, "You saved the page.");
});
