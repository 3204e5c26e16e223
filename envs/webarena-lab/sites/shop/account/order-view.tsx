/** Components of an order's page. */
import type { Child, FC } from "hono/jsx";
import { longDate, money, number9, shortDate } from "../format.js";
import { AddressLines } from "../layout.js";
import type { Order } from "../records.js";
import type { ShopTables } from "../tables.js";

export const OrderItems: FC<{ order: Order }> = ({ order }) => (
  <div class="order-details-items ordered">
    <h2>Items Ordered</h2>
    <table>
      <thead>
        <tr>
          {["Product Name", "SKU", "Price", "Qty", "Subtotal"].map((label) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => (
          <ItemRow item={item} name={<strong>{item.name}</strong>} quantity={`Ordered: ${item.qty}`} />
        ))}
      </tbody>
    </table>
    <OrderTotals order={order} />
  </div>
);

interface ItemRowProps {
  item: Order["items"][number];
  name: Child;
  quantity: string;
}

/** Row of one ordered product, with the chosen options. */
export const ItemRow: FC<ItemRowProps> = ({ item: { chosen, sku, price, qty }, name, quantity }) => (
  <tr>
    <td>
      {name}
      {chosen.map(({ label, value }) => (
        <p class="chosen">
          {label}: {value}
        </p>
      ))}
    </td>
    <td>{sku}</td>
    <td>{money(price)}</td>
    <td>{quantity}</td>
    <td>{money(price * qty)}</td>
  </tr>
);

const OrderTotals: FC<{ order: Order }> = ({ order: { subtotal, discount, coupon, shippingFee, tax, total } }) => (
  <table class="totals">
    {[
      ["Subtotal", subtotal],
      ...(discount > 0 ? [[`Discount${coupon ? ` (${coupon})` : ""}`, -discount]] : []),
      ["Shipping & Handling", shippingFee],
      ["Tax", tax],
      ["Grand Total", total],
    ].map(([label, value]) => (
      <tr class={label === "Grand Total" ? "grand" : ""}>
        <th scope="row">{label}</th>
        <td>{money(value as number)}</td>
      </tr>
    ))}
  </table>
);

export const OrderInformation: FC<{ order: Order }> = ({ order: { shipping, billing, method, payment, notes } }) => {
  const told = notes.filter(({ text, isVisible }) => text !== "" && isVisible);
  return (
    <>
      {told.length > 0 && (
        <div class="box order-comments">
          <h2>About Your Order</h2>
          {told.map(({ at, text }) => (
            <p>
              <b>{shortDate(at)}</b> {text}
            </p>
          ))}
        </div>
      )}
      <h2>Order Information</h2>
      <div class="quarters">
        <div class="box box-order-shipping-address">
          <h3 class="box-title">Shipping Address</h3>
          <div class="box-content">
            <AddressLines place={shipping} />
          </div>
        </div>
        <div class="box box-order-shipping-method">
          <h3 class="box-title">Shipping Method</h3>
          <div class="box-content">{method}</div>
        </div>
        <div class="box box-order-billing-address">
          <h3 class="box-title">Billing Address</h3>
          <div class="box-content">
            <AddressLines place={billing} />
          </div>
        </div>
        <div class="box box-order-billing-method">
          <h3 class="box-title">Payment Method</h3>
          <div class="box-content">{payment}</div>
        </div>
      </div>
    </>
  );
};

interface PaperProps {
  order: Order;
  kind: "invoice" | "shipment" | "creditmemo";
  shop: ShopTables;
}

/** List of an order's invoices, shipments or refunds. */
export const OrderPapers: FC<PaperProps> = ({ order, kind, shop }) => {
  const own = <R extends { order: number }>(rows: Iterable<R>) => [...rows].filter((row) => row.order === order.id);
  const papers = {
    invoice: () => own(shop.invoices).map(({ id, at, total }) => ({ id, at, text: `Grand Total ${money(total)}` })),
    creditmemo: () => own(shop.refunds).map(({ id, at, total }) => ({ id, at, text: `Refunded ${money(total)}` })),
    shipment: () =>
      own(shop.shipments).map(({ id, at, qty, tracks }) => ({
        id,
        at,
        text: [`${qty} items shipped`, ...tracks.map(({ carrier, number }) => `${carrier} ${number}`)].join(", "),
      })),
  }[kind]();
  const name = { invoice: "Invoice", shipment: "Shipment", creditmemo: "Refund" }[kind];
  return (
    <div class="papers">
      <h2>{`${name}s`}</h2>
      {papers.length === 0 && <p>There are none for this order.</p>}
      {papers.map(({ id, at, text }) => (
        <p>
          <strong>
            {name} #{number9(id)}
          </strong>{" "}
          {longDate(at)}: {text}
        </p>
      ))}
    </div>
  );
};
