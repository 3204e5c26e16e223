/** Actions of the administrator on an order. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../clock.js";
import { AddressFields, lacks, readPlace } from "../shop/account/address-form.js";
import { idOf, money, number9, timestamp } from "../shop/format.js";
import type { Order, OrderNote, OrderStatus, Shipment } from "../shop/records.js";
import { fieldsOf, redirect, type ShopContext } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { adminPage, Choice, Field, missing } from "./frame.js";
import { CommentsHistory, isInvoiced, isShipped, OrderView } from "./order-page.js";

export const orderActions = new Hono<SiteEnv>({ strict: false });

const orderUrl = ({ id }: Pick<Order, "id">) => `/admin/sales/order/view/order_id/${id}/`;
const orderOf = (context: ShopContext) => context.env.shop.orders.get(idOf(context.req.param("id")) ?? 0);

function withOrder(
  handler: (context: ShopContext, order: Order) => Response | Promise<Response>,
): (context: ShopContext) => Response | Promise<Response> {
  return (context) => {
    const order = orderOf(context);
    return order ? handler(context, order) : missing(context, "order");
  };
}

/** Changes the status of an order and adds a note about the change. */
function move(context: ShopContext, { id, notes }: Order, status: OrderStatus, note: Partial<OrderNote> = {}): void {
  const plain = { at: now, status, text: "", isNotified: false, isVisible: false };
  context.env.shop.orders.update(id, { status, notes: [...notes, { ...plain, ...note }] });
}

orderActions.get(
  "/sales/order/view/order_id/:id",
  withOrder((context, order) =>
    adminPage(context, `#${number9(order.id)}`, <OrderView shop={context.env.shop} order={order} />),
  ),
);

orderActions.on(
  "GET",
  ["/sales/order/commentsHistory/order_id/:id", "/sales/order/commentsHistory/order_id/:id/active_tab/:tab"],
  withOrder((context, order) =>
    adminPage(
      context,
      `Comments History of #${number9(order.id)}`,
      <CommentsHistory shop={context.env.shop} order={order} />,
    ),
  ),
);

const changes = [
  ["cancel", ["pending"], "canceled", "You canceled the order."],
  ["hold", ["pending", "processing"], "holded", "You put the order on hold."],
  ["unhold", ["holded"], "pending", "You released the order from holding status."],
] as const;

for (const [action, from, to, text] of changes)
  orderActions.post(
    `/sales/order/${action}/order_id/:id`,
    withOrder((context, order) => {
      if (!(from as readonly OrderStatus[]).includes(order.status))
        return redirect(context, orderUrl(order), `You cannot ${action} the order now.`, "error");
      move(context, order, to);
      return redirect(context, orderUrl(order), text);
    }),
  );

orderActions.post(
  "/sales/order/invoice/order_id/:id",
  withOrder((context, order) => {
    const { shop } = context.env;
    if ((order.status !== "pending" && order.status !== "processing") || isInvoiced(shop, order))
      return redirect(context, orderUrl(order), "The order does not allow an invoice to be created.", "error");
    shop.invoices.insert({ order: order.id, at: now, total: order.total });
    move(context, order, isShipped(shop, order) ? "complete" : "processing");
    return redirect(context, orderUrl(order), "The invoice has been created.");
  }),
);

orderActions.post(
  "/sales/order/addComment/order_id/:id",
  withOrder(async (context, order) => {
    const { comment: text = "", notify, visible } = await fieldsOf(context);
    if (text === "") return redirect(context, orderUrl(order), "The comment is missing. Enter and try again.", "error");
    move(context, order, order.status, { text, isNotified: notify === "1", isVisible: visible === "1" });
    return redirect(context, `${orderUrl(order)}#order_history_block`, "You added the comment.");
  }),
);

const carriers = ["Custom Value", "DHL", "Federal Express", "United Parcel Service", "United States Postal Service"];

const TrackFields: FC = () => (
  <>
    <Choice name="carrier" label="Carrier" value="" choices={carriers.map((one) => [one, one] as const)} />
    <Field name="number" label="Number" />
  </>
);

orderActions.get(
  "/admin/order_shipment/start/order_id/:id",
  withOrder((context, order) =>
    adminPage(
      context,
      "New Shipment",
      <form class="fields" method="post" action={`/admin/admin/order_shipment/save/order_id/${order.id}/`}>
        <p>Order #{number9(order.id)}</p>
        <ul>
          {order.items.map(({ name, qty }) => (
            <li>
              {name}, Qty to Ship {qty}
            </li>
          ))}
        </ul>
        <h2>Shipping Information</h2>
        <TrackFields />
        <button type="submit">Submit Shipment</button>
      </form>,
    ),
  ),
);

orderActions.post(
  "/admin/order_shipment/save/order_id/:id",
  withOrder(async (context, order) => {
    const { shop } = context.env;
    if ((order.status !== "pending" && order.status !== "processing") || isShipped(shop, order))
      return redirect(context, orderUrl(order), "Cannot do shipment for the order.", "error");
    const { carrier = "", number = "" } = await fieldsOf(context);
    const qty = order.items.reduce((sum, item) => sum + item.qty, 0);
    shop.shipments.insert({ order: order.id, at: now, qty, tracks: number === "" ? [] : [{ carrier, number }] });
    move(context, order, isInvoiced(shop, order) ? "complete" : "processing");
    return redirect(context, orderUrl(order), "The shipment has been created.");
  }),
);

const shipmentOf = (context: ShopContext): Shipment | undefined =>
  context.env.shop.shipments.get(idOf(context.req.param("id")) ?? 0);

orderActions.on(
  "GET",
  ["/sales/shipment/view/shipment_id/:id", "/admin/order_shipment/view/shipment_id/:id"],
  (context) => {
    const shipment = shipmentOf(context);
    if (!shipment) return missing(context, "shipment");
    const order = context.env.shop.orders.need(shipment.order);
    return adminPage(
      context,
      `Shipment #${number9(shipment.id)}`,
      <>
        <p>
          <a href={orderUrl(order)}>Order #{number9(order.id)}</a> of {order.name}, shipped {timestamp(shipment.at)}
        </p>
        <h2>Shipping and Tracking Information</h2>
        <table>
          <tr>
            <th scope="col">Carrier</th>
            <th scope="col">Number</th>
          </tr>
          {shipment.tracks.map(({ carrier, number }) => (
            <tr>
              <td>{carrier}</td>
              <td>{number}</td>
            </tr>
          ))}
        </table>
        <form class="fields" method="post" action={`/admin/admin/order_shipment/addTrack/shipment_id/${shipment.id}/`}>
          <TrackFields />
          <button type="submit">Add</button>
        </form>
      </>,
    );
  },
);

orderActions.post("/admin/order_shipment/addTrack/shipment_id/:id", async (context) => {
  const shipment = shipmentOf(context);
  if (!shipment) return missing(context, "shipment");
  const { carrier = "", number = "" } = await fieldsOf(context);
  const back = `/admin/sales/shipment/view/shipment_id/${shipment.id}/`;
  if (number === "" || !carriers.includes(carrier))
    return redirect(context, back, "Please enter a tracking number.", "error");
  context.env.shop.shipments.update(shipment.id, { tracks: [...shipment.tracks, { carrier, number }] });
  return redirect(context, back, "The tracking number has been added.");
});

for (const [path, table, name] of [
  ["invoice", "invoices", "Invoice"],
  ["creditmemo", "refunds", "Credit Memo"],
] as const)
  orderActions.get(`/sales/${path}/view/${path}_id/:id`, (context) => {
    const paper = context.env.shop[table].get(idOf(context.req.param("id")) ?? 0);
    if (!paper) return missing(context, name.toLowerCase());
    const order = context.env.shop.orders.need(paper.order);
    return adminPage(
      context,
      `${name} #${number9(paper.id)}`,
      <>
        <p>
          <a href={orderUrl(order)}>Order #{number9(order.id)}</a> of {order.name}, {timestamp(paper.at)}
        </p>
        <p>
          Grand Total <b>{money(paper.total)}</b>
        </p>
      </>,
    );
  });

const kindOf = (context: ShopContext) => (context.req.param("kind") === "billing" ? "billing" : "shipping");

orderActions.get(
  "/sales/order/address/order_id/:id/kind/:kind",
  withOrder((context, order) =>
    adminPage(
      context,
      `Edit Order #${number9(order.id)} Address`,
      <form class="fields" method="post" action={new URL(context.req.url).pathname}>
        <AddressFields place={order[kindOf(context)]} />
        <button type="submit">Save Order Address</button>
      </form>,
    ),
  ),
);

orderActions.post(
  "/sales/order/address/order_id/:id/kind/:kind",
  withOrder(async (context, order) => {
    const place = readPlace(await fieldsOf(context));
    const here = new URL(context.req.url).pathname;
    if (Array.isArray(place)) return redirect(context, here, lacks(place), "error");
    context.env.shop.orders.update(order.id, { [kindOf(context)]: place });
    return redirect(context, orderUrl(order), "You updated the order address.");
  }),
);
