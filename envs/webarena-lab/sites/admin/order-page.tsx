/** The page of one order. */
import type { FC } from "hono/jsx";
import { ItemRow, OrderPapers } from "../shop/account/order-view.js";
import { longDate, money, number9, timestamp } from "../shop/format.js";
import { AddressLines } from "../shop/layout.js";
import type { Order, OrderNote } from "../shop/records.js";
import { statusNames } from "../shop/status.js";
import type { ShopTables } from "../shop/tables.js";
import { HeadRow } from "./frame.js";

const groups = ["NOT LOGGED IN", "General", "Wholesale", "Retailer"];

export function isShipped(shop: ShopTables, { id }: Order): boolean {
  return shop.shipments.find(({ order }) => order === id) !== undefined;
}

export function isInvoiced(shop: ShopTables, { id }: Order): boolean {
  return shop.invoices.find(({ order }) => order === id) !== undefined;
}

export const OrderView: FC<{ shop: ShopTables; order: Order }> = ({ shop, order }) => (
  <>
    <Actions shop={shop} order={order} />
    <div class="halves">
      <Facts shop={shop} order={order} />
      <section>
        <h2>Payment & Shipping Method</h2>
        <p>{order.payment}</p>
        <p>
          {order.method} {money(order.shippingFee)}
        </p>
        <Shipments shop={shop} order={order} />
      </section>
      {(["billing", "shipping"] as const).map((kind) => (
        <section>
          <h2>{kind === "billing" ? "Billing Address" : "Shipping Address"}</h2>
          <AddressLines place={order[kind]} />
          <a href={`/admin/sales/order/address/order_id/${order.id}/kind/${kind}/`}>Edit {kind} address</a>
        </section>
      ))}
    </div>
    <Items order={order} />
    <div class="halves">
      <History order={order} />
      <Totals shop={shop} order={order} />
    </div>
  </>
);

const Actions: FC<{ shop: ShopTables; order: Order }> = ({ shop, order }) => {
  const { id, status } = order;
  const isOpen = status === "pending" || status === "processing";
  const posts = [
    ...(status === "pending" ? [["cancel", "Cancel"]] : []),
    ...(isOpen ? [["hold", "Hold"]] : []),
    ...(status === "holded" ? [["unhold", "Unhold"]] : []),
    ...(isOpen && !isInvoiced(shop, order) ? [["invoice", "Invoice"]] : []),
  ];
  return (
    <div class="page-actions">
      <a href="/admin/sales/order/">Back</a>
      {posts.map(([action, label]) => (
        <form method="post" action={`/admin/sales/order/${action}/order_id/${id}/`}>
          <button type="submit">{label}</button>
        </form>
      ))}
      {isOpen && !isShipped(shop, order) && (
        <a class="button" href={`/admin/admin/order_shipment/start/order_id/${id}/`}>
          Ship
        </a>
      )}
      <a href={`/admin/sales/order/commentsHistory/order_id/${id}/`}>Comments History</a>
    </div>
  );
};

const Facts: FC<{ shop: ShopTables; order: Order }> = ({ shop, order: { at, status, name, email, customer } }) => {
  const known = customer === null ? undefined : shop.customers.get(customer);
  return (
    <section>
      <h2>Order & Account Information</h2>
      <table>
        <tr>
          <th scope="row">Order Date</th>
          <td>{timestamp(at)}</td>
        </tr>
        <tr>
          <th scope="row">Order Status</th>
          <td>
            <span id="order_status">{statusNames[status]}</span>
          </td>
        </tr>
        <tr>
          <th scope="row">Customer Name</th>
          <td>{known ? <a href={`/admin/customer/index/edit/id/${known.id}/`}>{name}</a> : name}</td>
        </tr>
        <tr>
          <th scope="row">Email</th>
          <td>{email}</td>
        </tr>
        <tr>
          <th scope="row">Customer Group</th>
          <td>{groups[known?.group ?? 0]}</td>
        </tr>
      </table>
    </section>
  );
};

const Shipments: FC<{ shop: ShopTables; order: Order }> = ({ shop, order }) => {
  const own = shop.shipments.filter((shipment) => shipment.order === order.id);
  return (
    <>
      {own.map(({ id, at, tracks }) => (
        <p>
          <a href={`/admin/sales/shipment/view/shipment_id/${id}/`}>Shipment #{number9(id)}</a> {longDate(at)}
          {tracks.map(({ carrier, number }) => (
            <span>
              , {carrier} {number}
            </span>
          ))}
        </p>
      ))}
    </>
  );
};

const Items: FC<{ order: Order }> = ({ order }) => (
  <section>
    <h2>Items Ordered</h2>
    <table class="data-grid">
      <thead>
        <HeadRow cells={["Product", "SKU", "Price", "Qty", "Subtotal"]} />
      </thead>
      <tbody>
        {order.items.map((item) => (
          <ItemRow item={item} name={item.name} quantity={`Ordered ${item.qty}`} />
        ))}
      </tbody>
    </table>
  </section>
);

const Totals: FC<{ shop: ShopTables; order: Order }> = ({ shop, order }) => {
  const { subtotal, discount, coupon, shippingFee, tax, total } = order;
  const refunded = shop.refunds.filter((refund) => refund.order === order.id).reduce((sum, one) => sum + one.total, 0);
  const rows = [
    ["Subtotal", subtotal],
    [`Discount${coupon ? ` (${coupon})` : ""}`, -discount],
    ["Shipping & Handling", shippingFee],
    ["Tax", tax],
    ["Grand Total", total],
    ["Total Paid", isInvoiced(shop, order) ? total : 0],
    ["Total Refunded", refunded],
  ] as const;
  return (
    <section>
      <h2>Order Totals</h2>
      <table>
        {rows.map(([label, value]) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{money(value)}</td>
          </tr>
        ))}
      </table>
    </section>
  );
};

const History: FC<{ order: Order }> = ({ order }) => (
  <section id="order_history_block">
    <h2>Notes for this Order</h2>
    <form method="post" action={`/admin/sales/order/addComment/order_id/${order.id}/`}>
      <p>
        <label for="history_comment">Comment</label>
        <textarea id="history_comment" name="comment" rows={3} />
      </p>
      <p>
        <label>
          <input type="checkbox" name="notify" value="1" /> Notify Customer by Email
        </label>
      </p>
      <p>
        <label>
          <input type="checkbox" name="visible" value="1" /> Visible on Storefront
        </label>
      </p>
      <button type="submit">Submit Comment</button>
    </form>
    <NoteList notes={order.notes} />
  </section>
);

const NoteList: FC<{ notes: readonly OrderNote[] }> = ({ notes }) => (
  <ul class="note-list">
    {[...notes].reverse().map(({ at, status, text, isNotified }) => (
      <li class="note-list-item">
        <span class="note-list-date">{timestamp(at)}</span> <span class="note-list-status">{statusNames[status]}</span>{" "}
        <span class="note-list-customer">Customer {isNotified ? "Notified" : "Not Notified"}</span>
        {text !== "" && <div class="note-list-comment">{text}</div>}
      </li>
    ))}
  </ul>
);

/** History of an order: notes, invoices, and shipments with tracking numbers. */
export const CommentsHistory: FC<{ shop: ShopTables; order: Order }> = ({ shop, order }) => (
  <>
    <p>
      <a href={`/admin/sales/order/view/order_id/${order.id}/`}>Back to the order</a>
    </p>
    <NoteList notes={order.notes} />
    <OrderPapers order={order} kind="invoice" shop={shop} />
    <OrderPapers order={order} kind="shipment" shop={shop} />
    {shop.shipments
      .filter((shipment) => shipment.order === order.id)
      .flatMap(({ tracks }) =>
        tracks.map(({ carrier, number }) => (
          <p>
            Tracking number {number} for {carrier} assigned
          </p>
        )),
      )}
  </>
);
