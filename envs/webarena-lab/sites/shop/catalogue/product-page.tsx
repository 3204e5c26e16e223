/** The page of a product, with reviews and a review form. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { shortDate } from "../format.js";
import { Breadcrumbs, notFound, Pager, page } from "../layout.js";
import type { Product, Review } from "../records.js";
import type { ShopTables } from "../tables.js";
import { fieldsOf, redirect, type ShopContext, visitorOf } from "../visitor.js";
import { lineOf, productUrl, ratings, reviewsOf } from "./catalog.js";
import { ListForms, Price, Stars } from "./listing.js";
import { Picture } from "./picture.js";

const reviewsPerPage = 10;

export function productPage(context: ShopContext, product: Product) {
  const { shop } = context.env;
  const category = shop.categories.get(product.categories.at(-1) as number);
  const reviews = reviewsOf(shop, product.id);
  const at = Math.max(1, Math.min(Math.ceil(reviews.length / reviewsPerPage), Number(context.req.query("p")) || 1));
  return page(
    context,
    product.name,
    <>
      <Breadcrumbs line={category ? lineOf(shop, category) : []} last={product.name} />
      <Buying shop={shop} product={product} />
      <nav class="tabs" aria-label="About the product">
        <a href="#description">Details</a>
        <a href="#additional">More Information</a>
        <a href="#reviews">Reviews{reviews.length > 0 && ` (${reviews.length})`}</a>
      </nav>
      <section id="description" class="data item content">
        <h2>Details</h2>
        <div class="product attribute description">
          <p>{product.description}</p>
        </div>
      </section>
      <section id="additional">
        <h2>More Information</h2>
        <table class="additional-attributes">
          {product.attributes.map(({ label, value }) => (
            <tr>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </table>
      </section>
      <section id="reviews">
        <Reviews reviews={reviews} at={at} link={(p) => `${productUrl(product)}?p=${p}#reviews`} />
        <ReviewForm product={product} />
      </section>
    </>,
  );
}

const Buying: FC<{ shop: ShopTables; product: Product }> = ({ shop, product }) => {
  const rating = ratings(shop, [product]).get(product.id);
  return (
    <div class="buying">
      <Picture
        name={shop.categories.get(product.categories.at(-1) as number)?.picture ?? ""}
        seed={product.id}
        size={380}
      />
      <div>
        <h1>{product.name}</h1>
        {rating ? (
          <Stars rating={rating} url={productUrl(product)} />
        ) : (
          <p>
            <a href="#review-form">Be the first to review this product</a>
          </p>
        )}
        <Price product={product} />
        <p class="stock">
          <b>{product.isInStock ? "In stock" : "Out of stock"}</b> <span class="sku">SKU {product.sku}</span>
        </p>
        <div class="product attribute overview">
          <p itemprop="description">{product.summary}</p>
        </div>
        {product.isInStock && <AddForm product={product} />}
        <div class="actions">
          <ListForms product={product} />
        </div>
      </div>
    </div>
  );
};

const AddForm: FC<{ product: Product }> = ({ product: { id, axes } }) => (
  <form class="add" method="post" action="/checkout/cart/add/">
    <input type="hidden" name="product" value={`${id}`} />
    {axes.map(({ label, values }, at) => (
      <p>
        <label for={`option-${at}`}>{label}</label>
        <select id={`option-${at}`} name={`super_attribute[${at}]`}>
          <option value="">Choose an Option...</option>
          {values.map((value) => (
            <option value={value}>{value}</option>
          ))}
        </select>
      </p>
    ))}
    <p>
      <label for="qty">Qty</label>
      <input id="qty" name="qty" type="number" min="1" value="1" />
    </p>
    <button type="submit" class="primary">
      Add to Cart
    </button>
  </form>
);

const Reviews: FC<{ reviews: readonly Review[]; at: number; link: (page: number) => string }> = ({
  reviews,
  at,
  link,
}) => (
  <>
    <h2>Customer Reviews</h2>
    {reviews.length === 0 && <p>There are no reviews yet.</p>}
    <ol class="review-items">
      {reviews
        .slice((at - 1) * reviewsPerPage, at * reviewsPerPage)
        .map(({ title, text, nickname, stars, at: when }) => (
          <li>
            <h3>{title}</h3>
            <p>
              <span class="stars" role="img" aria-label={`Rating ${stars * 20}%`}>
                <span style={`width:${stars * 20}%`} />
              </span>
            </p>
            <p>{text}</p>
            <p class="author">
              Review by <strong>{nickname}</strong> Posted on <time>{shortDate(when)}</time>
            </p>
          </li>
        ))}
    </ol>
    <Pager page={at} pages={Math.ceil(reviews.length / reviewsPerPage)} link={link} />
  </>
);

const ReviewForm: FC<{ product: Product }> = ({ product: { id, name } }) => (
  <form id="review-form" class="fields" method="post" action={`/review/product/post/id/${id}/`}>
    <h3>You're reviewing: {name}</h3>
    <fieldset>
      <legend>Your Rating</legend>
      {[1, 2, 3, 4, 5].map((stars) => (
        <label>
          <input type="radio" name="ratings[4]" value={`${stars}`} /> {stars} {stars === 1 ? "star" : "stars"}
        </label>
      ))}
    </fieldset>
    <p>
      <label for="nickname_field">Nickname</label>
      <input id="nickname_field" name="nickname" maxlength={80} />
    </p>
    <p>
      <label for="summary_field">Summary</label>
      <input id="summary_field" name="title" maxlength={200} />
    </p>
    <p>
      <label for="review_field">Review</label>
      <textarea id="review_field" name="detail" rows={4} />
    </p>
    <button type="submit">Submit Review</button>
  </form>
);

export const productPages = new Hono<SiteEnv>({ strict: false });

productPages.post("/review/product/post/id/:id", async (context) => {
  const { shop, customer } = visitorOf(context);
  const product = shop.products.get(Number(context.req.param("id")));
  if (!product || product.parent !== null) return notFound(context);
  const { nickname = "", title = "", detail: text = "", ...rest } = await fieldsOf(context);
  const stars = Number(rest["ratings[4]"]);
  const back = `${productUrl(product)}#review-form`;
  const missing = [
    ...(stars >= 1 && stars <= 5 ? [] : ["Please select one of each of the ratings above."]),
    ...(nickname && title && text ? [] : ["Nickname, Summary and Review are required fields."]),
  ];
  if (missing.length > 0) return redirect(context, back, missing.join(" "), "error");
  const own = { nickname, title, text, stars: Math.floor(stars), at: now };
  shop.reviews.insert({ ...own, product: product.id, customer: customer?.id ?? null, status: 2 });
  return redirect(context, productUrl(product), "You submitted your review for moderation.");
});
