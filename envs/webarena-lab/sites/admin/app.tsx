/** The app of the shop's administration. The app also serves the shop itself. */
import { Hono } from "hono";
import { app as storefront } from "../shop/app.js";
import type { SiteEnv } from "../site.js";
import { customerAdmin } from "./customers.js";
import { dashboard, loginPage } from "./dashboard.js";
import { missing } from "./frame.js";
import { marketing } from "./marketing.js";
import { orderActions } from "./order-actions.js";
import { orderGrids } from "./order-grid.js";
import { productAdmin } from "./products.js";
import { reports } from "./reports.js";
import { reviewAdmin } from "./reviews.js";
import { isAdministrator } from "./session.js";

export const app = new Hono<SiteEnv>({ strict: false });
const pages = new Hono<SiteEnv>({ strict: false });

pages.use(async (context, next) => {
  const isOpen = new URL(context.req.url).pathname === "/admin/auth/login/" && context.req.method === "POST";
  if (isOpen || isAdministrator(context)) return next();
  return loginPage(context);
});
for (const part of [dashboard, orderGrids, orderActions, productAdmin, customerAdmin, reviewAdmin, marketing, reports])
  pages.route("/", part);
pages.all("*", (context) => missing(context));

app.route("/admin", pages);
app.all("*", (context) => storefront.fetch(context.req.raw, context.env));
