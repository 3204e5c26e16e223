/** The front page, and the pages of categories, searches and comparisons. */
import { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { centsOf, money } from "../format.js";
import { Breadcrumbs, notFound, page, storeName } from "../layout.js";
import type { Category, Product } from "../records.js";
import { fieldsOf, redirect, type ShopContext, sessionOf, visitorOf } from "../visitor.js";
import {
  categoryUrl,
  childrenOf,
  finalPrice,
  found,
  inCategory,
  lineOf,
  productUrl,
  ratings,
  shown,
} from "./catalog.js";
import { ListPage, listRequest, rangeRedirect, Tile } from "./listing.js";
import { Picture } from "./picture.js";
import { productPage } from "./product-page.js";

export const catalogPages = new Hono<SiteEnv>({ strict: false });

catalogPages.get("/", (context) => {
  const { shop } = context.env;
  const counts = new Map<number, number>();
  for (const { product } of shop.reviews) counts.set(product, (counts.get(product) ?? 0) + 1);
  const best = shown(shop)
    .filter(({ id }) => (counts.get(id) ?? 0) > 5)
    .sort((one, other) => (counts.get(other.id) ?? 0) - (counts.get(one.id) ?? 0) || one.id - other.id)
    .slice(0, 12);
  const known = ratings(shop, best);
  return page(
    context,
    storeName,
    <>
      <section class="hero">
        <h1>Good things for home, work and the way between</h1>
        <p>Parcels leave our loft in Port Alder on the day of your order.</p>
      </section>
      <ul class="tiles">
        {childrenOf(shop, null).map((category) => (
          <li>
            <a href={categoryUrl(category)}>
              <Picture name={category.picture} seed={category.id} size={72} />
              {category.name}
            </a>
          </li>
        ))}
      </ul>
      <h2>Product Showcases</h2>
      <ol class="products-grid wide">
        {best.map((product) => (
          <li>
            <Tile shop={shop} product={product} rating={known.get(product.id)} />
          </li>
        ))}
      </ol>
    </>,
  );
});

function categoryPage(context: ShopContext, category: Category) {
  const to = rangeRedirect(context);
  if (to) return context.redirect(to);
  const { shop } = context.env;
  const line = lineOf(shop, category);
  const own = inCategory(shop, category);
  const children = childrenOf(shop, category.id).map((child) => ({
    url: categoryUrl(child),
    name: child.name,
    count: own.filter(({ categories }) => categories.includes(child.id)).length,
  }));
  const title = [...line].reverse().map(({ name }) => name);
  return page(
    context,
    title.join(" - "),
    <>
      <Breadcrumbs line={line.slice(0, -1)} last={category.name} />
      <h1 class="category">
        <Picture name={category.picture} seed={category.id} size={44} /> {category.name}
      </h1>
      <ListPage context={context} request={listRequest(context, "position")} all={own} categories={children} />
    </>,
  );
}

catalogPages.get("/:path{.+\\.html}", (context) => {
  const path = context.req.path.slice(1, -".html".length);
  const { shop } = context.env;
  const category = shop.categories.find((one) => one.path === path);
  if (category) return categoryPage(context, category);
  const product = shop.products.find(({ urlKey, parent }) => urlKey === path && parent === null);
  return product?.isEnabled ? productPage(context, product) : notFound(context);
});

catalogPages.get("/catalogsearch/result/:index?", (context) => {
  const to = rangeRedirect(context);
  if (to) return context.redirect(to);
  const query = context.req.query("q")?.trim() ?? "";
  if (query === "") return redirect(context, "/");
  const all = found(context.env.shop, query);
  return page(
    context,
    `Search results for: '${query}'`,
    <>
      <h1>Search results for: '{query}'</h1>
      {all.length === 0 ? (
        <p class="message notice">Your search returned no results.</p>
      ) : (
        <ListPage context={context} request={listRequest(context, "relevance")} all={all} />
      )}
    </>,
  );
});

const advancedFields = [
  ["name", "Product Name"],
  ["sku", "SKU"],
  ["description", "Description"],
  ["price_low", "Price from"],
  ["price_high", "Price to"],
] as const;

catalogPages.get("/catalogsearch/advanced", (context) =>
  page(
    context,
    "Advanced Search",
    <>
      <h1>Advanced Search</h1>
      <form class="fields" action="/catalogsearch/advanced/result/">
        {advancedFields.map(([name, label]) => (
          <p>
            <label for={name}>{label}</label>
            <input id={name} name={name} value={context.req.query(name) ?? ""} />
          </p>
        ))}
        <button type="submit">Search</button>
      </form>
    </>,
  ),
);

catalogPages.get("/catalogsearch/advanced/result", (context) => {
  const { name = "", sku = "", description = "", price_low: low = "", price_high: high = "" } = context.req.query();
  if (![name, sku, description, low, high].some((text) => text.trim() !== ""))
    return redirect(context, "/catalogsearch/advanced/", "Enter a search term and try again.", "error");
  const has = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase());
  const fits = (product: Product) =>
    has(product.name, name) &&
    has(product.sku, sku) &&
    has(`${product.summary} ${product.description}`, description) &&
    finalPrice(product) >= (centsOf(low) ?? 0) &&
    finalPrice(product) <= (centsOf(high) ?? Number.POSITIVE_INFINITY);
  const all = shown(context.env.shop).filter(fits);
  return page(
    context,
    "Advanced Search Results",
    <>
      <h1>Catalog Advanced Search</h1>
      <p>
        {all.length} {all.length === 1 ? "item was" : "items were"} found.{" "}
        <a href={`/catalogsearch/advanced/?${new URLSearchParams(context.req.query())}`}>Modify your search</a>
      </p>
      <ListPage context={context} request={listRequest(context, "position")} all={all} />
    </>,
  );
});

catalogPages.get("/search/term/popular", (context) =>
  page(
    context,
    "Popular Search Terms",
    <>
      <h1>Popular Search Terms</h1>
      <ul class="terms">
        {[...context.env.shop.terms]
          .sort((one, other) => (one.query < other.query ? -1 : 1))
          .map(({ query }) => (
            <li>
              <a href={`/catalogsearch/result/?${new URLSearchParams({ q: query })}`}>{query}</a>
            </li>
          ))}
      </ul>
    </>,
  ),
);

catalogPages.post("/catalog/product_compare/add", async (context) => {
  const { product: text } = await fieldsOf(context);
  const { shop } = context.env;
  const product = shop.products.get(Number(text));
  if (!product) return notFound(context);
  const session = sessionOf(context);
  const isKnown = shop.comparisons.find((one) => one.session === session.id && one.product === product.id);
  if (!isKnown) shop.comparisons.insert({ session: session.id, product: product.id });
  return redirect(context, "/catalog/product_compare/", `You added product ${product.name} to the comparison list.`);
});

catalogPages.post("/catalog/product_compare/remove", async (context) => {
  const { product: text } = await fieldsOf(context);
  const { shop, session } = visitorOf(context);
  const known = shop.comparisons.find((one) => one.session === session?.id && one.product === Number(text));
  if (known) shop.comparisons.remove(known.id);
  return redirect(context, "/catalog/product_compare/", "You removed the product from the comparison list.");
});

catalogPages.get("/catalog/product_compare/:index?", (context) => {
  const { shop, session } = visitorOf(context);
  const products = shop.comparisons
    .filter((one) => one.session === session?.id)
    .flatMap(({ product }) => shop.products.get(product) ?? []);
  const labels = [...new Set(products.flatMap(({ attributes }) => attributes.map(({ label }) => label)))];
  const value = (product: Product, label: string) => product.attributes.find((one) => one.label === label)?.value;
  return page(
    context,
    "Products Comparison List",
    <>
      <h1>Compare Products</h1>
      {products.length === 0 ? (
        <p class="message notice">You have no items to compare.</p>
      ) : (
        <table class="compare">
          <tr>
            <th scope="row">Product</th>
            {products.map((product) => (
              <td>
                <a href={productUrl(product)}>{product.name}</a>
                <p class="price">{money(finalPrice(product))}</p>
                <form method="post" action="/catalog/product_compare/remove/">
                  <input type="hidden" name="product" value={`${product.id}`} />
                  <button type="submit" class="plain">
                    Remove Product
                  </button>
                </form>
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">SKU</th>
            {products.map(({ sku }) => (
              <td>{sku}</td>
            ))}
          </tr>
          {labels.map((label) => (
            <tr>
              <th scope="row">{label}</th>
              {products.map((product) => (
                <td>{value(product, label) ?? "N/A"}</td>
              ))}
            </tr>
          ))}
        </table>
      )}
    </>,
  );
});
