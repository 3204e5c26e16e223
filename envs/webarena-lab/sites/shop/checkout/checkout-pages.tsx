/** Checkout pages: the address and shipping method, the payment, and the confirmation. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { AddressFields, lacks, readPlace } from "../account/address-form.js";
import { money, number9 } from "../format.js";
import { AddressLines, page } from "../layout.js";
import type { Address, Cart, Customer } from "../records.js";
import { placeOnly } from "../seed/orders.js";
import { fieldsOf, redirect, type ShopContext, visitorOf } from "../visitor.js";
import { cartOf, cartTotals, itemsOf, placeOrder } from "./cart.js";
import { CouponForm, Summary } from "./cart-pages.js";
import { methods, payments } from "./totals.js";

export const checkoutPages = new Hono<SiteEnv>({ strict: false });

/** Returns the visitor's cart, or undefined if the cart is empty. */
function filledCart(context: ShopContext): Cart | undefined {
  const { shop, session } = visitorOf(context);
  const cart = cartOf(shop, session);
  return cart && cart.lines.length > 0 ? cart : undefined;
}

function addressesOf(context: ShopContext): Address[] {
  const { shop, customer } = visitorOf(context);
  return customer ? shop.addresses.filter((one) => one.customer === customer.id) : [];
}

checkoutPages.get("/checkout", (context) => {
  const cart = filledCart(context);
  if (!cart) return redirect(context, "/checkout/cart/");
  const { shop, customer } = visitorOf(context);
  return page(
    context,
    "Checkout",
    <div class="columns reversed">
      <form class="list fields" method="post" action="/checkout/shipping/">
        <h1>Shipping Address</h1>
        <ShipTo addresses={addressesOf(context)} customer={customer} />
        <fieldset>
          <legend>Shipping Methods</legend>
          {methods.map(({ code, label, fee }) => (
            <label>
              <input type="radio" name="method" value={code} checked={code === cart.method} /> {label} {money(fee)}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="primary">
          Next
        </button>
      </form>
      <aside class="summary">
        <h2>Order Summary</h2>
        <Lines cart={cart} context={context} />
        <Summary totals={cartTotals(shop, { ...cart, method: null })} coupon={cart.coupon} />
      </aside>
    </div>,
  );
});

const ShipTo: FC<{ addresses: readonly Address[]; customer: Customer | undefined }> = ({ addresses, customer }) => (
  <>
    {!customer && (
      <p>
        <label for="customer-email">Email Address</label>
        <input id="customer-email" name="email" type="email" />
      </p>
    )}
    {addresses.length > 0 && (
      <fieldset class="addresses">
        <legend>Ship to</legend>
        {addresses.map((address) => (
          <label>
            <input type="radio" name="address" value={`${address.id}`} checked={address.id === customer?.shipping} />{" "}
            {address.street.join(", ")}, {address.city}, {address.postcode}
          </label>
        ))}
        <label>
          <input type="radio" name="address" value="new" /> New Address
        </label>
      </fieldset>
    )}
    <details open={addresses.length === 0}>
      <summary>{addresses.length === 0 ? "Address" : "Fields of a new address"}</summary>
      <AddressFields place={customer ? { firstName: customer.firstName, lastName: customer.lastName } : {}} />
    </details>
  </>
);

const Lines: FC<{ cart: Cart; context: ShopContext }> = ({ cart, context }) => (
  <ol class="lines">
    {itemsOf(context.env.shop, cart).map(({ name, qty, price, chosen }) => (
      <li>
        {name} {chosen.map(({ label, value }) => `${label}: ${value}`).join(", ")} <b>Qty {qty}</b> {money(price * qty)}
      </li>
    ))}
  </ol>
);

checkoutPages.post("/checkout/shipping", async (context) => {
  const cart = filledCart(context);
  if (!cart) return redirect(context, "/checkout/cart/");
  const { shop, customer } = visitorOf(context);
  const fields = await fieldsOf(context);
  const known = addressesOf(context).find(({ id }) => `${id}` === fields.address);
  const place = known ? placeOnly(known) : readPlace(fields);
  if (Array.isArray(place)) return redirect(context, "/checkout/", lacks(place), "error");
  if (!customer && !/^[^@\s]+@[^@\s]+$/.test(fields.email ?? ""))
    return redirect(context, "/checkout/", "Please enter a valid email address.", "error");
  const method = methods.find(({ code }) => code === fields.method)?.code;
  if (!method)
    return redirect(
      context,
      "/checkout/",
      "The shipping method is missing. Select the shipping method and try again.",
      "error",
    );
  if (customer && !known) shop.addresses.insert({ ...place, customer: customer.id });
  shop.carts.update(cart.id, { shipping: place, method, email: customer ? null : (fields.email ?? null) });
  return redirect(context, "/checkout/payment/");
});

checkoutPages.get("/checkout/payment", (context) => {
  const cart = filledCart(context);
  if (!cart?.shipping || !cart.method) return redirect(context, "/checkout/");
  const { shop } = context.env;
  return page(
    context,
    "Checkout",
    <div class="columns reversed">
      <div class="list">
        <h1>Payment Method</h1>
        <form class="fields" method="post" action="/checkout/placeOrder/">
          <fieldset>
            <legend>Pay by</legend>
            {payments.map((payment, at) => (
              <label>
                <input type="radio" name="payment" value={payment} checked={at === 0} /> {payment}
              </label>
            ))}
          </fieldset>
          <button type="submit" class="primary">
            Place Order
          </button>
        </form>
        <CouponForm cart={cart} />
      </div>
      <aside class="summary">
        <h2>Order Summary</h2>
        <Lines cart={cart} context={context} />
        <Summary
          totals={cartTotals(shop, cart)}
          coupon={cart.coupon}
          method={methods.find(({ code }) => code === cart.method)?.label ?? ""}
        />
        <h3>Ship To:</h3>
        <AddressLines place={cart.shipping} />
        <a href="/checkout/">Edit</a>
      </aside>
    </div>,
  );
});

checkoutPages.post("/checkout/placeOrder", async (context) => {
  const cart = filledCart(context);
  if (!cart?.shipping || !cart.method) return redirect(context, "/checkout/");
  const { shop, customer } = visitorOf(context);
  const { payment } = await fieldsOf(context);
  if (payment === undefined || !payments.includes(payment))
    return redirect(context, "/checkout/payment/", "Please specify a payment method.", "error");
  const short = itemsOf(shop, cart).find(({ product, qty }) => qty > shop.products.need(product).qty);
  if (short)
    return redirect(context, "/checkout/cart/", `The requested qty of ${short.name} is not available`, "error");
  const buyer = customer ?? { id: null, email: cart.email ?? "" };
  const order = placeOrder(shop, { ...cart, shipping: cart.shipping }, buyer, payment);
  return context.redirect(`/checkout/onepage/success/?order=${order.id}`);
});

checkoutPages.get("/checkout/onepage/success", (context) => {
  const { shop, customer } = visitorOf(context);
  const order = shop.orders.get(Number(context.req.query("order")));
  const isOwn = order && order.customer === (customer?.id ?? null);
  if (!isOwn) return redirect(context, "/checkout/cart/");
  return page(
    context,
    "Success Page",
    <>
      <h1>Thank you for your purchase!</h1>
      <p>
        Your order number is:{" "}
        {customer ? <a href={`/sales/order/view/order_id/${order.id}/`}>{number9(order.id)}</a> : number9(order.id)}.
      </p>
      <p>We'll email you an order confirmation with details and tracking info.</p>
      <a class="button" href="/">
        Continue Shopping
      </a>
    </>,
  );
});
