/** Pages of a customer's orders: the history, one order with its documents, reorders, and a guest's order. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { addToCart } from "../checkout/cart.js";
import { idOf, longDate, money, number9, shortDate } from "../format.js";
import { notFound, Pager, page } from "../layout.js";
import type { Customer, Order } from "../records.js";
import { statusNames } from "../status.js";
import { fieldsOf, redirect, type ShopContext, sessionOf } from "../visitor.js";
import { accountPage, forCustomer } from "./account-frame.js";
import { OrderInformation, OrderItems, OrderPapers } from "./order-view.js";

export const orderPages = new Hono<SiteEnv>({ strict: false });

const perPage = 10;

export const OrderTable: FC<{ orders: readonly Order[] }> = ({ orders }) =>
  orders.length === 0 ? (
    <p class="message notice">You have placed no orders.</p>
  ) : (
    <table class="orders">
      <thead>
        <tr>
          {["Order #", "Date", "Ship To", "Order Total", "Status", "Action"].map((label) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map(({ id, at, shipping, total, status }) => (
          <tr>
            <td>{number9(id)}</td>
            <td>{shortDate(at)}</td>
            <td>
              {shipping.firstName} {shipping.lastName}
            </td>
            <td>{money(total)}</td>
            <td>{statusNames[status]}</td>
            <td>
              <a href={`/sales/order/view/order_id/${id}/`}>View Order</a>
              <form method="post" action={`/sales/order/reorder/order_id/${id}/`}>
                <button type="submit" class="plain">
                  Reorder
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

orderPages.get(
  "/sales/order/history",
  forCustomer((context, customer) => {
    const orders = context.env.shop.orders.filter((order) => order.customer === customer.id).reverse();
    const pages = Math.max(1, Math.ceil(orders.length / perPage));
    const at = Math.max(1, Math.min(pages, Math.floor(Number(context.req.query("p"))) || 1));
    return accountPage(
      context,
      "My Orders",
      <>
        <OrderTable orders={orders.slice((at - 1) * perPage, at * perPage)} />
        <p>
          Items {(at - 1) * perPage + 1} to {Math.min(orders.length, at * perPage)} of {orders.length} total
        </p>
        <Pager page={at} pages={pages} link={(p) => `/sales/order/history/?p=${p}`} />
      </>,
    );
  }),
);

const ownOrder = (context: ShopContext, customer: Customer): Order | undefined => {
  const order = context.env.shop.orders.get(idOf(context.req.param("id")) ?? 0);
  return order?.customer === customer.id ? order : undefined;
};

const tabs = [
  ["view", "Items Ordered"],
  ["invoice", "Invoices"],
  ["shipment", "Order Shipments"],
  ["creditmemo", "Refunds"],
] as const;

for (const [kind] of tabs)
  orderPages.get(
    `/sales/order/${kind}/order_id/:id`,
    forCustomer((context, customer) => {
      const order = ownOrder(context, customer);
      return order ? orderPage(context, order, kind) : redirect(context, "/sales/order/history/");
    }),
  );

function orderPage(context: ShopContext, order: Order, kind: (typeof tabs)[number][0]) {
  const { id, status, at } = order;
  return accountPage(
    context,
    `Order # ${number9(id)}`,
    <>
      <p>
        <span class="order-status">{statusNames[status]}</span>{" "}
        <span class="order-date">Order Date: {longDate(at)}</span>
      </p>
      <form method="post" action={`/sales/order/reorder/order_id/${id}/`}>
        <button type="submit">Reorder</button>
      </form>
      <nav class="tabs" aria-label="Order">
        {tabs.map(([one, label]) => (
          <a href={`/sales/order/${one}/order_id/${id}/`} aria-current={one === kind ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {kind === "view" ? (
        <OrderItems order={order} />
      ) : (
        <OrderPapers order={order} kind={kind} shop={context.env.shop} />
      )}
      <OrderInformation order={order} />
    </>,
  );
}

orderPages.post(
  "/sales/order/reorder/order_id/:id",
  forCustomer((context, customer) => {
    const order = ownOrder(context, customer);
    if (!order) return notFound(context);
    const refused = order.items.filter(
      ({ product, qty }) => addToCart(context.env.shop, sessionOf(context), product, qty) !== undefined,
    );
    if (refused.length === 0) return redirect(context, "/checkout/cart/");
    const text = `These products are not available: ${refused.map(({ name }) => name).join("; ")}`;
    return redirect(context, "/checkout/cart/", text, "error");
  }),
);

orderPages.get("/sales/guest/form", (context) =>
  page(
    context,
    "Orders and Returns",
    <>
      <h1>Orders and Returns</h1>
      <form class="fields" method="post" action="/sales/guest/view/">
        <p>Enter the number of an order, and the name and email of its billing address.</p>
        <p>
          <label for="oar-order-id">Order ID</label>
          <input id="oar-order-id" name="oar_order_id" />
        </p>
        <p>
          <label for="oar-lastname">Billing Last Name</label>
          <input id="oar-lastname" name="oar_billing_lastname" />
        </p>
        <p>
          <label for="oar-email">Email</label>
          <input id="oar-email" name="oar_email" type="email" />
        </p>
        <button type="submit">Continue</button>
      </form>
    </>,
  ),
);

orderPages.post("/sales/guest/view", async (context) => {
  const { oar_order_id: id, oar_billing_lastname: name = "", oar_email: email = "" } = await fieldsOf(context);
  const order = context.env.shop.orders.get(idOf(id) ?? 0);
  const isFound =
    order?.billing.lastName.toLowerCase() === name.toLowerCase() && order.email.toLowerCase() === email.toLowerCase();
  if (!order || !isFound)
    return redirect(context, "/sales/guest/form/", "You entered incorrect data. Please try again.", "error");
  return page(
    context,
    `Order # ${number9(order.id)}`,
    <>
      <h1>Order # {number9(order.id)}</h1>
      <p>
        <span class="order-status">{statusNames[order.status]}</span> Order Date: {longDate(order.at)}
      </p>
      <OrderItems order={order} />
      <OrderInformation order={order} />
    </>,
  );
});
