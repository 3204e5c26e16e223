/** Sales reports, computed from the orders on each request. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { day } from "../../clock.js";
import { money, monthName, shortDate } from "../shop/format.js";
import type { Order, OrderStatus } from "../shop/records.js";
import { statusNames } from "../shop/status.js";
import type { ShopTables } from "../shop/tables.js";
import type { ShopContext } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { bestsellers, isSold } from "./bestsellers.js";
import { adminPage, HeadRow, Rows } from "./frame.js";
import { dayOf } from "./grid.js";

export const reports = new Hono<SiteEnv>({ strict: false });

interface Interval {
  name: string;
  orders: readonly Order[];
}

const periods = ["day", "month", "year"] as const;
type Period = (typeof periods)[number];

const intervalName = (at: number, period: Period): string =>
  period === "day" ? shortDate(at) : period === "month" ? monthName(at) : `${new Date(at).getUTCFullYear()}`;

/** Groups the orders of a range of days by intervals. Both ends of the range are inclusive. */
export function intervals(orders: Iterable<Order>, from: number, to: number, period: Period): Interval[] {
  const found = new Map<string, Order[]>();
  for (const order of orders) {
    if (order.at < from || order.at >= to + day) continue;
    const name = intervalName(order.at, period);
    const own = found.get(name);
    if (own) own.push(order);
    else found.set(name, [order]);
  }
  return [...found].map(([name, own]) => ({ name, orders: own }));
}

const sum = (orders: readonly Order[], by: (order: Order) => number) => orders.reduce((all, one) => all + by(one), 0);
const quantity = ({ items }: Order) => items.reduce((all, { qty }) => all + qty, 0);

type Columns = Readonly<Record<string, (orders: readonly Order[], shop: ShopTables) => string>>;

const refundsOf = (orders: readonly Order[], shop: ShopTables) => {
  const ids = new Set(orders.map(({ id }) => id));
  return shop.refunds.filter(({ order }) => ids.has(order));
};

const invoiced = (orders: readonly Order[], shop: ShopTables) => {
  const ids = new Set(orders.map(({ id }) => id));
  return shop.invoices.filter(({ order }) => ids.has(order)).reduce((all, { total }) => all + total, 0);
};

const salesColumns: Columns = {
  Orders: (orders) => `${orders.length}`,
  "Sales Items": (orders) => `${sum(orders, quantity)}`,
  "Sales Total": (orders) => money(sum(orders.filter(isSold), ({ total }) => total)),
  Invoiced: (orders, shop) => money(invoiced(orders, shop)),
  Refunded: (orders, shop) => money(refundsOf(orders, shop).reduce((all, { total }) => all + total, 0)),
  "Sales Tax": (orders) => money(sum(orders.filter(isSold), ({ tax }) => tax)),
  "Sales Shipping": (orders) => money(sum(orders.filter(isSold), ({ shippingFee }) => shippingFee)),
  "Sales Discount": (orders) => money(sum(orders.filter(isSold), ({ discount }) => discount)),
  Canceled: (orders) =>
    money(
      sum(
        orders.filter((order) => !isSold(order)),
        ({ total }) => total,
      ),
    ),
};

const kinds: Readonly<Record<string, { title: string; columns: Columns; fits?: (order: Order) => boolean }>> = {
  sales: { title: "Orders Report", columns: salesColumns },
  tax: {
    title: "Tax Report",
    fits: isSold,
    columns: {
      Tax: () => "Haldane Sales Tax",
      Rate: () => "5%",
      Orders: (orders) => `${orders.length}`,
      "Tax Amount": (orders) => money(sum(orders, ({ tax }) => tax)),
    },
  },
  refunded: {
    title: "Refunds Report",
    columns: {
      "Refunded Orders": (orders, shop) => `${refundsOf(orders, shop).length}`,
      "Total Refunded": (orders, shop) => money(refundsOf(orders, shop).reduce((all, { total }) => all + total, 0)),
    },
    fits: ({ status }) => status === "closed",
  },
  coupons: {
    title: "Coupons Report",
    fits: (order) => order.coupon !== null && isSold(order),
    columns: {
      "Coupon Code": (orders) => [...new Set(orders.map(({ coupon }) => coupon))].join(", "),
      Uses: (orders) => `${orders.length}`,
      "Sales Subtotal": (orders) => money(sum(orders, ({ subtotal }) => subtotal)),
      "Sales Discount": (orders) => money(sum(orders, ({ discount }) => discount)),
    },
  },
};

interface Asked {
  period: Period;
  from: number;
  to: number;
  status: string;
}

/** Reads the report form. Returns undefined before the form is submitted, or an error sentence if a field is invalid. */
function asked(context: ShopContext): Asked | string | undefined {
  const { period_type: type, from: first, to: last, order_statuses: status = "" } = context.req.query();
  if (first === undefined && last === undefined) return undefined;
  const [from, to] = [dayOf(first ?? ""), dayOf(last ?? "")];
  if (from === undefined || to === undefined) return "From and To are required: enter dates such as 3/15/2024.";
  return { period: periods.find((one) => one === type) ?? "day", from, to, status };
}

const statuses = Object.entries(statusNames) as [OrderStatus, string][];

const Form: FC<{ context: ShopContext; hasStatus: boolean }> = ({ context, hasStatus }) => {
  const { period_type: type, from = "", to = "", order_statuses: status } = context.req.query();
  return (
    <form class="fields report" action={new URL(context.req.url).pathname}>
      <p>
        <label for="sales_report_period_type">Period</label>
        <select id="sales_report_period_type" name="period_type">
          {periods.map((period) => (
            <option value={period} selected={period === type}>
              {`${period[0]?.toUpperCase()}${period.slice(1)}`}
            </option>
          ))}
        </select>
      </p>
      <p>
        <label for="sales_report_from">From</label>
        <input id="sales_report_from" name="from" value={from} placeholder="M/D/YYYY" />
      </p>
      <p>
        <label for="sales_report_to">To</label>
        <input id="sales_report_to" name="to" value={to} placeholder="M/D/YYYY" />
      </p>
      {hasStatus && (
        <p>
          <label for="sales_report_order_statuses">Order Status</label>
          <select id="sales_report_order_statuses" name="order_statuses">
            <option value="">Any</option>
            {statuses.map(([value, name]) => (
              <option value={value} selected={value === status}>
                {name}
              </option>
            ))}
          </select>
        </p>
      )}
      <button type="submit" class="primary">
        Show Report
      </button>
    </form>
  );
};

const Table: FC<{ heads: readonly string[]; rows: readonly (readonly string[])[]; total?: readonly string[] }> = ({
  heads,
  rows,
  total,
}) => (
  <table class="data-grid">
    <thead>
      <HeadRow cells={heads} />
    </thead>
    <tbody>
      {rows.length === 0 && (
        <tr>
          <td colspan={heads.length}>We can't find records for this period.</td>
        </tr>
      )}
      <Rows rows={rows} />
    </tbody>
    {total && rows.length > 0 && (
      <tfoot>
        <HeadRow cells={total} />
      </tfoot>
    )}
  </table>
);

for (const [kind, { title, columns, fits = () => true }] of Object.entries(kinds))
  reports.get(`/reports/report_sales/${kind}`, (context) => {
    const { shop } = context.env;
    const wanted = asked(context);
    const heads = Object.keys(columns);
    const cells = (orders: readonly Order[]) => heads.map((head) => columns[head]?.(orders, shop) ?? "");
    const fitting = (status: string) =>
      shop.orders.filter((order) => fits(order) && (status === "" || order.status === status));
    const found =
      typeof wanted === "object" ? intervals(fitting(wanted.status), wanted.from, wanted.to, wanted.period) : [];
    return adminPage(
      context,
      title,
      <>
        <Form context={context} hasStatus />
        {typeof wanted === "string" && <p class="message error">{wanted}</p>}
        {typeof wanted === "object" && (
          <Table
            heads={["Interval", ...heads]}
            rows={found.map(({ name, orders }) => [name, ...cells(orders)])}
            total={["Total", ...cells(found.flatMap(({ orders }) => orders))]}
          />
        )}
      </>,
    );
  });

reports.get("/reports/report_sales/bestsellers", (context) => {
  const wanted = asked(context);
  const { shop } = context.env;
  const found = typeof wanted === "object" ? intervals(shop.orders, wanted.from, wanted.to, wanted.period) : [];
  const rows = found.flatMap(({ name, orders }) =>
    bestsellers(orders)
      .slice(0, 10)
      .map((sold) => [name, sold.name, money(sold.price), `${sold.qty}`]),
  );
  return adminPage(
    context,
    "Bestsellers Report",
    <>
      <Form context={context} hasStatus={false} />
      {typeof wanted === "string" && <p class="message error">{wanted}</p>}
      {typeof wanted === "object" && <Table heads={["Interval", "Product", "Price", "Order Quantity"]} rows={rows} />}
    </>,
  );
});

reports.get("/reports/report_customer/orders", (context) => {
  const wanted = asked(context);
  const { shop } = context.env;
  const found = typeof wanted === "object" ? intervals(shop.orders, wanted.from, wanted.to, wanted.period) : [];
  const rows = found.flatMap(({ name, orders }) => {
    const by = new Map<string, Order[]>();
    for (const order of orders.filter(isSold)) by.set(order.name, [...(by.get(order.name) ?? []), order]);
    return [...by]
      .sort(([, one], [, other]) => other.length - one.length)
      .slice(0, 10)
      .map(([customer, own]) => [name, customer, `${own.length}`, money(sum(own, ({ total }) => total))]);
  });
  return adminPage(
    context,
    "Order Count Report",
    <>
      <Form context={context} hasStatus={false} />
      {typeof wanted === "string" && <p class="message error">{wanted}</p>}
      {typeof wanted === "object" && <Table heads={["Interval", "Customer", "Orders", "Total"]} rows={rows} />}
    </>,
  );
});
