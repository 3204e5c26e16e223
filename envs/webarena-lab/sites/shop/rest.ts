/** The routes of the shop's REST API that evaluators call. */
import { Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { administrator } from "./administrator.js";
import { number9 } from "./format.js";
import type { ShopContext } from "./visitor.js";

export const rest = new Hono<SiteEnv>({ strict: false });

const bearer = "Bearer lab-administrator";

rest.on("POST", ["/rest/V1/integration/admin/token", "/rest/:store/V1/integration/admin/token"], async (context) => {
  const body: unknown = await context.req.json().catch(() => undefined);
  const { username, password } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  if (username !== administrator.username || password !== administrator.password)
    return context.json({ message: "The account sign-in was incorrect." }, 401);
  return context.json(bearer.slice("Bearer ".length));
});

const refusal = { message: "The consumer isn't authorized to access %resources." };
const isAllowed = (context: ShopContext) => context.req.header("authorization") === bearer;

rest.on("GET", ["/rest/V1/orders", "/rest/:store/V1/orders"], (context) => {
  if (!isAllowed(context)) return context.json(refusal, 401);
  const orders = [...context.env.shop.orders].map(({ id, at, status, email, total }) => ({
    entity_id: id,
    increment_id: number9(id),
    status,
    customer_email: email,
    grand_total: total / 100,
    created_at: new Date(at).toISOString().slice(0, 19).replace("T", " "),
  }));
  const direction = context.req.query("searchCriteria[sortOrders][0][direction]") === "DESC" ? -1 : 1;
  orders.sort(
    (one, other) =>
      direction *
      ((one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0) ||
        one.entity_id - other.entity_id),
  );
  const size = Math.floor(Number(context.req.query("searchCriteria[pageSize]"))) || orders.length;
  return context.json({ items: orders.slice(0, Math.max(0, size)), total_count: orders.length });
});

rest.on("GET", ["/rest/V1/products/:sku/reviews", "/rest/:store/V1/products/:sku/reviews"], (context) => {
  if (!isAllowed(context)) return context.json(refusal, 401);
  const { shop } = context.env;
  const product = shop.products.find(({ sku }) => sku === context.req.param("sku"));
  if (!product) return context.json({ message: "The product that was requested doesn't exist." }, 404);
  const reviews = shop.reviews.filter((review) => review.product === product.id);
  return context.json(
    reviews.map(({ id, nickname, title, text, stars }) => ({
      id,
      nickname,
      title,
      detail: text,
      ratings: [{ rating_name: "Rating", percent: stars * 20, value: stars }],
    })),
  );
});
