/** The list of reviews, and the form for one review. */
import { Hono } from "hono";
import { idOf, timestamp } from "../shop/format.js";
import type { Review, ReviewStatus } from "../shop/records.js";
import type { ShopTables } from "../shop/tables.js";
import { fieldsOf, redirect, type ShopContext } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { adminPage, Choice, Field, missing } from "./frame.js";
import { type Column, Grid } from "./grid.js";

export const reviewAdmin = new Hono<SiteEnv>({ strict: false });

const statuses = ["Approved", "Pending", "Not Approved"];

const columnsOf = ({ products }: ShopTables): readonly Column<Review>[] => [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id, filter: "range" },
  { key: "created", label: "Created", text: ({ at }) => timestamp(at), order: ({ at }) => at, filter: "dates" },
  { key: "status", label: "Status", text: ({ status }) => statuses[status - 1] ?? "", filter: statuses },
  { key: "title", label: "Title", text: ({ title }) => title, filter: "text" },
  { key: "nickname", label: "Nickname", text: ({ nickname }) => nickname, filter: "text" },
  { key: "detail", label: "Review", text: ({ text }) => text, filter: "text" },
  { key: "name", label: "Product", text: ({ product }) => products.need(product).name, filter: "text" },
  { key: "sku", label: "SKU", text: ({ product }) => products.need(product).sku, filter: "text" },
];

function list(context: ShopContext, title: string, isShown: (review: Review) => boolean) {
  const { shop } = context.env;
  return adminPage(
    context,
    title,
    <Grid
      context={context}
      rows={shop.reviews.filter(isShown)}
      columns={columnsOf(shop)}
      first={{ key: "created", isDescending: true }}
      action={{ label: "Edit", url: ({ id }) => `/admin/review/product/edit/id/${id}/` }}
    />,
  );
}

reviewAdmin.get("/review/product", (context) => list(context, "Reviews", () => true));
reviewAdmin.get("/review/product/pending", (context) => list(context, "Pending Reviews", ({ status }) => status === 2));

const reviewOf = (context: ShopContext) => context.env.shop.reviews.get(idOf(context.req.param("id")) ?? 0);

reviewAdmin.get("/review/product/edit/id/:id", (context) => {
  const review = reviewOf(context);
  if (!review) return adminPage(context, "Edit Review", <p>Rating isn't Available</p>, 404);
  const { id, nickname, title, text, stars, status, at } = review;
  const product = context.env.shop.products.need(review.product);
  return adminPage(
    context,
    "Edit Review",
    <>
      <p>
        <a href={`/admin/catalog/product/edit/id/${product.id}/`}>{product.name}</a>, posted {timestamp(at)}
      </p>
      <p>
        Detailed Rating: {stars} {stars === 1 ? "star" : "stars"} of 5
      </p>
      <form class="fields" method="post" action={`/admin/review/product/save/id/${id}/`}>
        <Choice
          name="status_id"
          label="Status"
          value={`${status}`}
          choices={statuses.map((name, index) => [`${index + 1}`, name] as const)}
        />
        <Field name="nickname" label="Nickname" value={nickname} />
        <Field name="title" label="Summary of Review" value={title} />
        <p>
          <label for="detail">Review</label>
          <textarea id="detail" name="detail" rows={5}>
            {text}
          </textarea>
        </p>
        <button type="submit" class="primary">
          Save Review
        </button>
      </form>
      <form method="post" action={`/admin/review/product/delete/id/${id}/`}>
        <button type="submit">Delete Review</button>
      </form>
    </>,
  );
});

reviewAdmin.post("/review/product/save/id/:id", async (context) => {
  const review = reviewOf(context);
  if (!review) return missing(context, "review");
  const { status_id: status, nickname = "", title = "", detail: text = "" } = await fieldsOf(context);
  const wanted = Number(status);
  const back = `/admin/review/product/edit/id/${review.id}/`;
  if (![1, 2, 3].includes(wanted) || !nickname || !title || !text)
    return redirect(context, back, "Nickname, Summary of Review and Review are required fields.", "error");
  context.env.shop.reviews.update(review.id, { status: wanted as ReviewStatus, nickname, title, text });
  return redirect(context, "/admin/review/product/", "You saved the review.");
});

reviewAdmin.post("/review/product/delete/id/:id", (context) => {
  const review = reviewOf(context);
  if (!review) return missing(context, "review");
  context.env.shop.reviews.remove(review.id);
  return redirect(context, "/admin/review/product/", "The review has been deleted.");
});
