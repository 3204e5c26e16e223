/** The page of the cart. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { productUrl, variantOf } from "../catalogue/catalog.js";
import { money } from "../format.js";
import { notFound, page } from "../layout.js";
import type { Cart } from "../records.js";
import { fieldsOf, redirect, sessionOf, visitorOf } from "../visitor.js";
import { addToCart, type CartItem, cartOf, cartTotals, itemsOf, needCart, ruleOf } from "./cart.js";
import type { Totals } from "./totals.js";

export const cartPages = new Hono<SiteEnv>({ strict: false });

const cartUrl = "/checkout/cart/";

cartPages.post("/checkout/cart/add", async (context) => {
  const { shop } = context.env;
  const fields = await fieldsOf(context);
  const product = shop.products.get(Number(fields.product));
  if (!product?.isEnabled) return notFound(context);
  const back = productUrl(product);
  const qty = Number(fields.qty || 1);
  if (!Number.isInteger(qty) || qty < 1 || qty > 10_000)
    return redirect(context, back, "Please enter a quantity greater than 0.", "error");
  const values = product.axes.map((_, at) => fields[`super_attribute[${at}]`] ?? "");
  if (values.some((value) => value === ""))
    return redirect(context, back, "You need to choose options for your item.", "notice");
  const sold = variantOf(shop, product, values);
  if (!sold) return redirect(context, back, "You need to choose options for your item.", "notice");
  const refusal = addToCart(shop, sessionOf(context), sold.id, qty);
  if (refusal !== undefined) return redirect(context, back, refusal, "error");
  return redirect(context, back, `You added ${product.name} to your shopping cart.`);
});

cartPages.post("/checkout/cart/updatePost", async (context) => {
  const { shop } = context.env;
  const fields = await fieldsOf(context);
  const cart = needCart(shop, sessionOf(context));
  const wanted = cart.lines.map((line) => ({ ...line, qty: Number(fields[`cart[${line.product}][qty]`] ?? line.qty) }));
  if (wanted.some(({ qty }) => !Number.isInteger(qty) || qty < 0))
    return redirect(context, cartUrl, "Please enter a valid number in the field Qty.", "error");
  if (wanted.some(({ product, qty }) => qty > (shop.products.get(product)?.qty ?? 0)))
    return redirect(context, cartUrl, "The requested qty is not available", "error");
  shop.carts.update(cart.id, { lines: wanted.filter(({ qty }) => qty > 0) });
  return redirect(context, cartUrl);
});

cartPages.post("/checkout/cart/delete", async (context) => {
  const { shop } = context.env;
  const { id } = await fieldsOf(context);
  const cart = needCart(shop, sessionOf(context));
  shop.carts.update(cart.id, { lines: cart.lines.filter(({ product }) => `${product}` !== id) });
  return redirect(context, cartUrl);
});

cartPages.post("/checkout/cart/couponPost", async (context) => {
  const { shop } = context.env;
  const { coupon_code: code = "", remove } = await fieldsOf(context);
  const cart = needCart(shop, sessionOf(context));
  const back = cart.method === null ? cartUrl : "/checkout/payment/";
  if (remove === "1") {
    shop.carts.update(cart.id, { coupon: null });
    return redirect(context, back, "You canceled the coupon code.");
  }
  const coupon = ruleOf(shop, code)?.coupon;
  if (!coupon) return redirect(context, back, `The coupon code "${code}" is not valid.`, "error");
  shop.carts.update(cart.id, { coupon });
  return redirect(context, back, `You used coupon code "${coupon}".`);
});

cartPages.get("/checkout/cart", (context) => {
  const { shop, session } = visitorOf(context);
  const cart = cartOf(shop, session);
  const items = cart ? itemsOf(shop, cart) : [];
  return page(
    context,
    "Shopping Cart",
    <>
      <h1>Shopping Cart</h1>
      {!cart || items.length === 0 ? (
        <div class="message notice">
          You have no items in your shopping cart. <a href="/">Continue shopping</a>
        </div>
      ) : (
        <div class="columns reversed">
          <Items items={items} />
          <aside class="summary">
            <h2>Summary</h2>
            <Summary totals={cartTotals(shop, cart)} coupon={cart.coupon} />
            <form action="/checkout/">
              <button type="submit" class="primary">
                Proceed to Checkout
              </button>
            </form>
            <CouponForm cart={cart} />
          </aside>
        </div>
      )}
    </>,
  );
});

const Items: FC<{ items: readonly CartItem[] }> = ({ items }) => (
  <div class="list">
    <form method="post" action="/checkout/cart/updatePost/">
      <table class="cart items">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Price</th>
            <th scope="col">Qty</th>
            <th scope="col">Subtotal</th>
            <th scope="col" aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ItemRow item={item} />
          ))}
        </tbody>
      </table>
      <button type="submit">Update Shopping Cart</button>
    </form>
    {items.map(({ product }) => (
      <form id={`remove-${product}`} method="post" action="/checkout/cart/delete/">
        <input type="hidden" name="id" value={`${product}`} />
      </form>
    ))}
  </div>
);

const ItemRow: FC<{ item: CartItem }> = ({ item: { product, name, url, chosen, price, qty } }) => (
  <tr>
    <td>
      <a href={url}>{name}</a>
      {chosen.map(({ label, value }) => (
        <p class="chosen">
          {label}: {value}
        </p>
      ))}
    </td>
    <td>{money(price)}</td>
    <td>
      <input name={`cart[${product}][qty]`} aria-label="Qty" type="number" min="0" value={`${qty}`} />
    </td>
    <td>{money(price * qty)}</td>
    <td>
      <button type="submit" form={`remove-${product}`} class="plain">
        Remove item
      </button>
    </td>
  </tr>
);

export const Summary: FC<{ totals: Totals; coupon: string | null; method?: string }> = ({ totals, coupon, method }) => (
  <table class="totals">
    <tr>
      <th scope="row">Subtotal</th>
      <td>{money(totals.subtotal)}</td>
    </tr>
    {totals.discount > 0 && (
      <tr>
        <th scope="row">Discount{coupon && ` (${coupon})`}</th>
        <td>{money(-totals.discount)}</td>
      </tr>
    )}
    {method !== undefined && (
      <tr>
        <th scope="row">Shipping ({method})</th>
        <td>{money(totals.shippingFee)}</td>
      </tr>
    )}
    <tr>
      <th scope="row">Tax</th>
      <td>{money(totals.tax)}</td>
    </tr>
    <tr class="grand">
      <th scope="row">Order Total</th>
      <td>{money(totals.total)}</td>
    </tr>
  </table>
);

export const CouponForm: FC<{ cart: Cart }> = ({ cart: { coupon } }) => (
  <form class="coupon" method="post" action="/checkout/cart/couponPost/">
    {coupon === null ? (
      <>
        <label for="coupon_code">Enter discount code</label>
        <input id="coupon_code" name="coupon_code" />
        <button type="submit">Apply Discount</button>
      </>
    ) : (
      <>
        <input type="hidden" name="remove" value="1" />
        Discount code <b>{coupon}</b> <button type="submit">Cancel Coupon</button>
      </>
    )}
  </form>
);
