/** The app of a shop. The addresses are those of Magento. */
import { Hono } from "hono";
import type { SiteEnv } from "../site.js";
import { accountPages } from "./account/account-pages.js";
import { addressPages } from "./account/address-pages.js";
import { orderPages } from "./account/order-pages.js";
import { wishPages } from "./account/wish-pages.js";
import { catalogPages } from "./catalogue/catalog-pages.js";
import { productPages } from "./catalogue/product-page.js";
import { cartPages } from "./checkout/cart-pages.js";
import { checkoutPages } from "./checkout/checkout-pages.js";
import { notFound } from "./layout.js";
import { rest } from "./rest.js";
import { textPages } from "./text-pages.js";

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
