/** The frame of the administration's pages. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../document.js";
import { type Notice, type ShopContext, takeNotice } from "../shop/visitor.js";

const menu = [
  ["Dashboard", [["Dashboard", "/admin/dashboard"]]],
  [
    "Sales",
    [
      ["Orders", "/admin/sales/order/"],
      ["Invoices", "/admin/sales/invoice/"],
      ["Shipments", "/admin/sales/shipment/"],
      ["Credit Memos", "/admin/sales/creditmemo/"],
    ],
  ],
  ["Catalog", [["Products", "/admin/catalog/product/"]]],
  ["Customers", [["All Customers", "/admin/customer/index/"]]],
  [
    "Marketing",
    [
      ["Cart Price Rules", "/admin/sales_rule/promo_quote/"],
      ["Search Terms", "/admin/search/term/"],
      ["All Reviews", "/admin/review/product/"],
      ["Pending Reviews", "/admin/review/product/pending/"],
    ],
  ],
  ["Content", [["Pages", "/admin/cms/page/"]]],
  [
    "Reports",
    [
      ["Orders Report", "/admin/reports/report_sales/sales/"],
      ["Tax Report", "/admin/reports/report_sales/tax/"],
      ["Refunds Report", "/admin/reports/report_sales/refunded/"],
      ["Coupons Report", "/admin/reports/report_sales/coupons/"],
      ["Bestsellers", "/admin/reports/report_sales/bestsellers/"],
      ["Order Count", "/admin/reports/report_customer/orders/"],
    ],
  ],
] as const;

const Frame: FC<PropsWithChildren<{ title: string; notice: Notice | undefined; path: string }>> = (props) => (
  <Document site="admin" title={`${props.title} / Portside Market Admin`}>
    <nav class="menu" aria-label="Menu">
      <a class="brand" href="/admin/dashboard">
        Portside Admin
      </a>
      {menu.map(([group, links]) => (
        <section>
          {links.length > 1 && <h2>{group}</h2>}
          {links.map(([name, url]) => (
            <a href={url} aria-current={props.path.startsWith(url.replace(/\/$/, "")) ? "page" : undefined}>
              {name}
            </a>
          ))}
        </section>
      ))}
    </nav>
    <div class="page">
      <header>
        <h1>{props.title}</h1>
        <span>admin</span> <a href="/admin/auth/logout/">Sign Out</a>
      </header>
      <main>
        {props.notice && (
          <div class={`message ${props.notice.kind}`} role="alert">
            {props.notice.text}
          </div>
        )}
        {props.children}
      </main>
    </div>
  </Document>
);

/** Responds with a page of the administration. */
export function adminPage(context: ShopContext, title: string, content: unknown, status: 200 | 404 = 200) {
  const frame = (
    <Frame title={title} notice={takeNotice(context)} path={context.req.path}>
      {content as string}
    </Frame>
  );
  return context.html(frame, status);
}

export function missing(context: ShopContext, what = "page") {
  return adminPage(context, "404 Error", <p>{`The ${what} that was requested doesn't exist.`}</p>, 404);
}

/** A field of a form with its label. */
export const Field: FC<{ name: string; label: string; value?: string; kind?: string }> = ({
  name,
  label,
  value = "",
  kind = "text",
}) => (
  <p>
    <label for={name}>{label}</label>
    <input id={name} name={name} type={kind} value={value} />
  </p>
);

export const Choice: FC<{
  name: string;
  label: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
}> = ({ name, label, value, choices }) => (
  <p>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {choices.map(([one, text]) => (
        <option value={one} selected={one === value}>
          {text}
        </option>
      ))}
    </select>
  </p>
);

/** The row of a table's head or foot. */
export const HeadRow: FC<{ cells: readonly string[] }> = ({ cells }) => (
  <tr>
    {cells.map((cell) => (
      <th scope="col">{cell}</th>
    ))}
  </tr>
);

/** Rows of a table's body. */
export const Rows: FC<{ rows: readonly (readonly string[])[] }> = ({ rows }) => (
  <>
    {rows.map((cells) => (
      <tr>
        {cells.map((cell) => (
          <td>{cell}</td>
        ))}
      </tr>
    ))}
  </>
);
