/** The wish list, and the reviews that a customer has written. */
import { Hono } from "hono";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { pageOf, productUrl } from "../catalogue/catalog.js";
import { Price } from "../catalogue/listing.js";
import { Picture } from "../catalogue/picture.js";
import { addToCart } from "../checkout/cart.js";
import { shortDate } from "../format.js";
import { notFound } from "../layout.js";
import type { Customer, Product, Wish } from "../records.js";
import { fieldsOf, redirect, type ShopContext, sessionOf } from "../visitor.js";
import { accountPage, forCustomer } from "./account-frame.js";

export const wishPages = new Hono<SiteEnv>({ strict: false });

const wishesOf = ({ env: { shop } }: ShopContext, customer: Customer) =>
  shop.wishes.filter((wish) => wish.customer === customer.id);

wishPages.on(
  "GET",
  ["/wishlist", "/wishlist/index"],
  forCustomer((context, customer) => {
    const { shop } = context.env;
    const wishes = wishesOf(context, customer).flatMap((wish) => {
      const product = shop.products.get(wish.product);
      return product ? [{ wish, product: pageOf(shop, product) }] : [];
    });
    return accountPage(
      context,
      "My Wish List",
      wishes.length === 0 ? (
        <div class="products-grid wishlist">You have no items in your wish list.</div>
      ) : (
        <>
          <form id="wishes" method="post" action="/wishlist/index/update/">
            <div class="products-grid wishlist">
              <ol class="products-grid">
                {wishes.map((one) => (
                  <li>
                    <WishTile
                      {...one}
                      picture={shop.categories.get(one.product.categories.at(-1) as number)?.picture ?? ""}
                    />
                  </li>
                ))}
              </ol>
            </div>
            <button type="submit">Update Wish List</button>
          </form>
          {wishes.map(({ wish: { id } }) => (
            <form id={`wish-${id}`} method="post" action={`/wishlist/index/item/id/${id}/`} />
          ))}
        </>
      ),
    );
  }),
);

const WishTile = ({ wish, product, picture }: { wish: Wish; product: Product; picture: string }) => (
  <>
    <Picture name={picture} seed={product.id} />
    <a class="name" href={productUrl(product)}>
      {product.name}
    </a>
    <Price product={product} />
    <p>
      <textarea
        name={`description[${wish.id}]`}
        aria-label="Comment"
        placeholder="Please, enter your comments..."
        rows={2}
      >
        {wish.comment}
      </textarea>
    </p>
    <p>
      <label for={`wish-qty-${wish.id}`}>Qty</label>{" "}
      <input id={`wish-qty-${wish.id}`} name={`qty[${wish.id}]`} type="number" min="1" value={`${wish.qty}`} />
    </p>
    <div class="actions">
      <button type="submit" form={`wish-${wish.id}`} name="do" value="cart">
        Add to Cart
      </button>
      <button type="submit" form={`wish-${wish.id}`} name="do" value="remove" class="plain">
        Remove item
      </button>
    </div>
  </>
);

wishPages.post(
  "/wishlist/index/add",
  forCustomer(async (context, customer) => {
    const { shop } = context.env;
    const product = shop.products.get(Number((await fieldsOf(context)).product));
    if (!product?.isEnabled) return notFound(context);
    const known = wishesOf(context, customer).find((wish) => wish.product === product.id);
    if (known) shop.wishes.update(known.id, { qty: known.qty + 1 });
    else shop.wishes.insert({ customer: customer.id, product: product.id, qty: 1, comment: "", at: now });
    return redirect(context, "/wishlist/", `${product.name} has been added to your Wish List.`);
  }),
);

wishPages.post(
  "/wishlist/index/update",
  forCustomer(async (context, customer) => {
    const fields = await fieldsOf(context);
    for (const { id, qty, comment } of wishesOf(context, customer)) {
      const wanted = Number(fields[`qty[${id}]`] ?? qty);
      if (!Number.isInteger(wanted) || wanted < 1)
        return redirect(context, "/wishlist/", "Please enter a valid number in the field Qty.", "error");
      context.env.shop.wishes.update(id, { qty: wanted, comment: fields[`description[${id}]`] ?? comment });
    }
    return redirect(context, "/wishlist/", "Your Wish List has been updated.");
  }),
);

wishPages.post(
  "/wishlist/index/item/id/:id",
  forCustomer(async (context, customer) => {
    const { shop } = context.env;
    const wish = wishesOf(context, customer).find(({ id }) => `${id}` === context.req.param("id"));
    const product = wish && shop.products.get(wish.product);
    if (!wish || !product) return notFound(context);
    const { do: what } = await fieldsOf(context);
    if (what === "remove") {
      shop.wishes.remove(wish.id);
      return redirect(context, "/wishlist/", `${product.name} has been removed from your Wish List.`);
    }
    if (product.axes.length > 0)
      return redirect(context, productUrl(product), `You need to choose options for your item.`, "notice");
    const refusal = addToCart(shop, sessionOf(context), product.id, wish.qty);
    if (refusal !== undefined) return redirect(context, "/wishlist/", refusal, "error");
    shop.wishes.remove(wish.id);
    return redirect(context, "/wishlist/", `You added ${product.name} to your shopping cart.`);
  }),
);

wishPages.on(
  "GET",
  ["/review/customer", "/review/customer/index"],
  forCustomer((context, customer) => {
    const { shop } = context.env;
    const reviews = shop.reviews.filter((review) => review.customer === customer.id).reverse();
    return accountPage(
      context,
      "My Product Reviews",
      reviews.length === 0 ? (
        <p class="message notice">You have submitted no reviews.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {["Created", "Product Name", "Rating", "Review"].map((label) => (
                <th scope="col">{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {reviews.map(({ at, product: id, stars, title, text }) => {
              const product = shop.products.get(id);
              return (
                <tr>
                  <td>{shortDate(at)}</td>
                  <td>{product && <a href={productUrl(product)}>{product.name}</a>}</td>
                  <td>{stars * 20}%</td>
                  <td>
                    <b>{title}</b> {text}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ),
    );
  }),
);
