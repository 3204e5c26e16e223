/** The app of a shop. The addresses are those of Magento. */
import { Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { accountPages } from "./account-pages.js";
import { addressPages } from "./address-pages.js";
import { cartPages } from "./cart-pages.js";
import { catalogPages } from "./catalog-pages.js";
import { checkoutPages } from "./checkout-pages.js";
import { notFound } from "./layout.js";
import { orderPages } from "./order-pages.js";
import { productPages } from "./product-page.js";
import { rest } from "./rest.js";
import { textPages } from "./text-pages.js";
import { wishPages } from "./wish-pages.js";

export const app = new Hono<SiteEnv>({ strict: false });

for (const pages of [
  rest,
  cartPages,
  checkoutPages,
  accountPages,
  addressPages,
  orderPages,
  wishPages,
  productPages,
  catalogPages,
  textPages,
])
  app.route("/", pages);
app.notFound(notFound);
