/** The login page and the first page of the administration. */
import { Hono } from "hono";
import { Document } from "../document.js";
import { administrator } from "../shop/administrator.js";
import { money } from "../shop/format.js";
import { fieldsOf, redirect, type ShopContext, takeNotice } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { bestsellers } from "./bestsellers.js";
import { adminPage, HeadRow, Rows } from "./frame.js";
import { logIn, logOut } from "./session.js";

export const dashboard = new Hono<SiteEnv>({ strict: false });

const first = "/admin/dashboard";

export function loginPage(context: ShopContext) {
  const notice = takeNotice(context);
  const page = (
    <Document site="admin" title="Portside Market Admin" look="login">
      <main>
        <h1>Welcome, please sign in</h1>
        {notice && (
          <div class={`message ${notice.kind}`} role="alert">
            {notice.text}
          </div>
        )}
        <form class="fields" method="post" action="/admin/auth/login/">
          <p>
            <label for="username">Username</label>
            <input id="username" name="username" placeholder="user name" />
          </p>
          <p>
            <label for="login">Password</label>
            <input id="login" name="password" type="password" placeholder="password" />
          </p>
          <button type="submit" class="primary">
            Sign in
          </button>
        </form>
      </main>
    </Document>
  );
  return context.html(page);
}

dashboard.post("/auth/login", async (context) => {
  const { username, password } = await fieldsOf(context);
  const text =
    "The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.";
  if (username !== administrator.username || password !== administrator.password)
    return redirect(context, "/admin/", text, "error");
  logIn(context);
  return redirect(context, first);
});

dashboard.get("/auth/logout", (context) => {
  logOut(context);
  return redirect(context, "/admin/", "You have logged out.");
});

dashboard.on("GET", ["/", "/admin"], (context) => redirect(context, first));

dashboard.on("GET", ["/dashboard", "/admin/dashboard"], (context) => {
  const { shop } = context.env;
  const orders = [...shop.orders];
  const paid = orders.filter(({ status }) => status === "complete");
  const sales = paid.reduce((sum, { total }) => sum + total, 0);
  return adminPage(
    context,
    "Dashboard",
    <>
      <div class="figures">
        <section>
          <h2>Lifetime Sales</h2>
          <b>{money(sales)}</b>
        </section>
        <section>
          <h2>Average Order</h2>
          <b>{money(Math.round(sales / Math.max(1, paid.length)))}</b>
        </section>
        <section>
          <h2>Orders</h2>
          <b>{orders.length}</b>
        </section>
      </div>
      <div class="halves">
        <List
          title="Last Orders"
          heads={["Customer", "Items", "Total"]}
          rows={orders
            .slice(-5)
            .reverse()
            .map(({ name, items, total }) => [name, `${items.length}`, money(total)])}
        />
        <List
          title="Bestsellers"
          heads={["Product", "Price", "Quantity"]}
          rows={bestsellers(orders)
            .slice(0, 5)
            .map(({ name, price, qty }) => [name, money(price), `${qty}`])}
        />
        <List
          title="Top Search Terms"
          heads={["Search Term", "Results", "Uses"]}
          rows={[...shop.terms]
            .sort((one, other) => other.uses - one.uses)
            .slice(0, 5)
            .map(({ query, results, uses }) => [query, `${results}`, `${uses}`])}
        />
      </div>
    </>,
  );
});

const List = ({
  title,
  heads,
  rows,
}: {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}) => (
  <section>
    <h2>{title}</h2>
    <table>
      <thead>
        <HeadRow cells={heads} />
      </thead>
      <tbody>
        <Rows rows={rows} />
      </tbody>
    </table>
  </section>
);
