/** The lists of orders, invoices, shipments and refunds. */
import { Hono } from "hono";
import { money, number9, timestamp } from "../shop/format.js";
import type { Invoice, Order, Refund, Shipment } from "../shop/records.js";
import { statusNames } from "../shop/status.js";
import type { SiteEnv } from "../site.js";
import { adminPage } from "./frame.js";
import { type Column, Grid } from "./grid.js";

export const orderGrids = new Hono<SiteEnv>({ strict: false });

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

const orderColumns: readonly Column<Order>[] = [
  { key: "id", label: "ID", text: ({ id }) => number9(id), order: ({ id }) => id, filter: "text" },
  { key: "date", label: "Purchase Date", text: ({ at }) => timestamp(at), order: ({ at }) => at, filter: "dates" },
  { key: "bill", label: "Bill-to Name", text: ({ billing }) => fullName(billing), filter: "text" },
  { key: "ship", label: "Ship-to Name", text: ({ shipping }) => fullName(shipping), filter: "text" },
  {
    key: "total",
    label: "Grand Total",
    text: ({ total }) => money(total),
    order: ({ total }) => total / 100,
    filter: "range",
  },
  { key: "status", label: "Status", text: ({ status }) => statusNames[status], filter: Object.values(statusNames) },
];

orderGrids.get("/sales/order", (context) =>
  adminPage(
    context,
    "Orders",
    <Grid
      context={context}
      rows={[...context.env.shop.orders]}
      columns={orderColumns}
      first={{ key: "id", isDescending: true }}
      keyword={({ id, email, billing, shipping }) =>
        [number9(id), email, fullName(billing), fullName(shipping)].join("\n")
      }
      action={{ label: "View", url: ({ id }) => `/admin/sales/order/view/order_id/${id}/` }}
    />,
  ),
);

type Paper = (Invoice | Shipment | Refund) & { of: Order };

const paperColumns = (name: string): readonly Column<Paper>[] => [
  { key: "id", label: name, text: ({ id }) => number9(id), order: ({ id }) => id, filter: "text" },
  { key: "date", label: `${name} Date`, text: ({ at }) => timestamp(at), order: ({ at }) => at, filter: "dates" },
  { key: "order", label: "Order #", text: ({ of }) => number9(of.id), order: ({ of }) => of.id, filter: "text" },
  { key: "bill", label: "Bill-to Name", text: ({ of }) => fullName(of.billing), filter: "text" },
];

const totalColumn: Column<Paper> = {
  key: "total",
  label: "Grand Total",
  filter: "range",
  text: (paper) => ("total" in paper ? money(paper.total) : ""),
  order: (paper) => ("total" in paper ? paper.total / 100 : 0),
};

const quantityColumn: Column<Paper> = {
  key: "qty",
  label: "Total Quantity",
  filter: "range",
  text: (paper) => ("qty" in paper ? `${paper.qty}` : ""),
  order: (paper) => ("qty" in paper ? paper.qty : 0),
};

const papers = [
  ["invoice", "invoices", "Invoice", "Invoices", totalColumn],
  ["shipment", "shipments", "Shipment", "Shipments", quantityColumn],
  ["creditmemo", "refunds", "Credit Memo", "Credit Memos", totalColumn],
] as const;

for (const [path, table, name, title, last] of papers)
  orderGrids.get(`/sales/${path}`, (context) => {
    const { shop } = context.env;
    const rows = [...shop[table]].map((paper): Paper => ({ ...paper, of: shop.orders.need(paper.order) }));
    return adminPage(
      context,
      title,
      <Grid
        context={context}
        rows={rows}
        columns={[...paperColumns(name), last]}
        first={{ key: "id", isDescending: true }}
        keyword={({ id, of }) => `${number9(id)}\n${number9(of.id)}\n${fullName(of.billing)}`}
        action={{ label: "View", url: ({ id }) => `/admin/sales/${path}/view/${path}_id/${id}/` }}
      />,
    );
  });
