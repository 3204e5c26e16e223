/** Lists of products with filters, sorting and paging, used by the pages of categories and of searches. */
import type { FC } from "hono/jsx";
import { centsOf, money } from "../format.js";
import { Pager } from "../layout.js";
import type { Product } from "../records.js";
import type { ShopTables } from "../tables.js";
import type { ShopContext } from "../visitor.js";
import {
  finalPrice,
  type ListRequest,
  listed,
  type Order,
  type ProductList,
  priceRanges,
  productUrl,
  type Rating,
  ratings,
} from "./catalog.js";
import { Picture } from "./picture.js";

const limits = [12, 24, 36];
const orderNames: Readonly<Record<Order, string>> = {
  position: "Position",
  relevance: "Relevance",
  name: "Product Name",
  price: "Price",
};

/**
 * Reads the sort order, filters and page from an address.
 *
 * @param first default sort order
 */
export function listRequest(context: ShopContext, first: "position" | "relevance"): ListRequest {
  const { p, product_list_order: order, product_list_dir: dir, product_list_limit: limit } = context.req.query();
  const isKnown = order === "name" || order === "price";
  return {
    price: priceRange(context.req.query("price")),
    order: isKnown ? order : first,
    isDescending: dir === "desc",
    page: Math.max(1, Math.min(1000, Math.floor(Number(p)) || 1)),
    limit: limits.find((one) => `${one}` === limit) ?? 12,
  };
}

function priceRange(text: string | undefined): ListRequest["price"] {
  const [, from = "", to = ""] = /^([\d.]*)-([\d.]*)$/.exec(text ?? "") ?? [];
  const [low, high] = [centsOf(from) ?? 0, centsOf(to) ?? Number.POSITIVE_INFINITY];
  return from === "" && to === "" ? undefined : { from: low, to: high };
}

/** Returns the redirect for a submitted price form, or undefined for other requests. */
export function rangeRedirect(context: ShopContext): string | undefined {
  const { price_from: from, price_to: to, ...rest } = context.req.query();
  if (from === undefined && to === undefined) return undefined;
  const dollars = (text: string | undefined) => {
    const cents = centsOf(text ?? "");
    return cents === undefined ? "" : `${cents / 100}`;
  };
  const range = `${dollars(from)}-${dollars(to)}`;
  const { price: _, ...others } = rest;
  return `${new URL(context.req.url).pathname}?${new URLSearchParams(range === "-" ? others : { ...others, price: range })}`;
}

/** Returns the current address with some parameters changed. Blank parameters are omitted. */
function linkWith(context: ShopContext, change: Readonly<Record<string, string>>): string {
  const entries = Object.entries({ ...context.req.query(), ...change }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(entries).toString();
  return query === "" ? new URL(context.req.url).pathname : `${new URL(context.req.url).pathname}?${query}`;
}

interface ListProps {
  context: ShopContext;
  request: ListRequest;
  /** Products in order of position or relevance. */
  all: readonly Product[];
  /** Links to subcategories. */
  categories?: readonly { url: string; name: string; count: number }[];
}

export const ListPage: FC<ListProps> = ({ context, request, all, categories = [] }) => {
  const list = listed(all, request);
  return (
    <div class="columns">
      <aside>
        <Filters context={context} request={request} all={all} categories={categories} />
      </aside>
      <div class="list">
        {list.total === 0 ? (
          <p class="message notice">We can't find products matching the selection.</p>
        ) : (
          <>
            <Toolbar context={context} request={request} total={list.total} />
            <Grid shop={context.env.shop} list={list} />
            <div class="toolbar">
              <Pager
                page={request.page}
                pages={Math.ceil(list.total / request.limit)}
                link={(page) => linkWith(context, { p: `${page}` })}
              />
              <p class="limiter">
                Show{" "}
                {limits.map((limit) =>
                  limit === request.limit ? (
                    <strong>{limit}</strong>
                  ) : (
                    <a href={linkWith(context, { product_list_limit: `${limit}`, p: "" })}>{limit}</a>
                  ),
                )}{" "}
                per page
              </p>
            </div>
          </>
        )}
      </div>
    </div>
  );
};

const rangeText = ({ from, to }: { from: number; to: number }) =>
  to === Number.POSITIVE_INFINITY ? `${money(from)} and above` : `${money(from)} - ${money(to - 1)}`;

const Filters: FC<Required<ListProps>> = ({ context, request: { price }, all, categories }) => {
  const { q, product_list_order: order, product_list_dir: dir, product_list_limit: limit } = context.req.query();
  const kept = { q, product_list_order: order, product_list_dir: dir, product_list_limit: limit };
  return (
    <>
      <h2>Shop By</h2>
      {price && (
        <p class="current">
          <b>Price</b> {rangeText(price)} <a href={linkWith(context, { price: "", p: "" })}>Remove This Item</a>
        </p>
      )}
      {categories.length > 0 && (
        <>
          <h3>Category</h3>
          <ul>
            {categories.map(({ url, name, count }) => (
              <li>
                <a href={url}>{name}</a> <small>({count} items)</small>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Price</h3>
      {!price && (
        <ul>
          {priceRanges(all).map((range) => (
            <li>
              <a href={linkWith(context, { price: `${range.from / 100}-${range.to / 100}`, p: "" })}>
                {rangeText(range)}
              </a>{" "}
              <small>({range.count} items)</small>
            </li>
          ))}
        </ul>
      )}
      <form class="range">
        {Object.entries(kept).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
        <input name="price_from" aria-label="Lowest price" placeholder="from" size={5} />
        <input name="price_to" aria-label="Highest price" placeholder="to" size={5} />
        <button type="submit">Filter</button>
      </form>
    </>
  );
};

const Toolbar: FC<{ context: ShopContext; request: ListRequest; total: number }> = ({ context, request, total }) => {
  const { order, isDescending, page, limit } = request;
  const first = (page - 1) * limit + 1;
  const base: Order = context.req.query("q") === undefined ? "position" : "relevance";
  const kept = Object.entries(context.req.query()).filter(([name]) => name !== "product_list_order" && name !== "p");
  return (
    <div class="toolbar">
      <p>
        {total <= limit ? (
          `${total} ${total === 1 ? "Item" : "Items"}`
        ) : (
          <>
            Items {first}-{Math.min(total, first + limit - 1)} of {total}
          </>
        )}
      </p>
      <form class="sorter">
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label for="sorter">Sort By</label>
        <select id="sorter" name="product_list_order">
          {([base, "name", "price"] as const).map((one) => (
            <option value={one} selected={one === order}>
              {orderNames[one]}
            </option>
          ))}
        </select>
        <button type="submit">Apply</button>
        <a class="direction" href={linkWith(context, { product_list_dir: isDescending ? "asc" : "desc", p: "" })}>
          {isDescending ? "Set Ascending Direction" : "Set Descending Direction"}
        </a>
      </form>
    </div>
  );
};

const Grid: FC<{ shop: ShopTables; list: ProductList }> = ({ shop, list }) => {
  const known = ratings(shop, list.products);
  return (
    <ol class="products-grid">
      {list.products.map((product) => (
        <li>
          <Tile shop={shop} product={product} rating={known.get(product.id)} />
        </li>
      ))}
    </ol>
  );
};

export const Tile: FC<{ shop: ShopTables; product: Product; rating: Rating | undefined }> = ({
  shop,
  product,
  rating,
}) => (
  <>
    <Picture name={shop.categories.get(product.categories.at(-1) as number)?.picture ?? ""} seed={product.id} />
    <a class="name" href={productUrl(product)}>
      {product.name}
    </a>
    {rating && <Stars rating={rating} url={productUrl(product)} />}
    <Price product={product} />
    <div class="actions">
      {product.isInStock ? (
        <form method="post" action="/checkout/cart/add/">
          <input type="hidden" name="product" value={`${product.id}`} />
          <input type="hidden" name="qty" value="1" />
          <button type="submit">Add to Cart</button>
        </form>
      ) : (
        <span class="unavailable">Out of stock</span>
      )}
      <ListForms product={product} />
    </div>
  </>
);

/** Buttons that add a product to the wish list or to the comparison. */
export const ListForms: FC<{ product: Product }> = ({ product }) => (
  <>
    <form method="post" action="/wishlist/index/add/">
      <input type="hidden" name="product" value={`${product.id}`} />
      <button type="submit" class="plain">
        Add to Wish List
      </button>
    </form>
    <form method="post" action="/catalog/product_compare/add/">
      <input type="hidden" name="product" value={`${product.id}`} />
      <button type="submit" class="plain">
        Add to Compare
      </button>
    </form>
  </>
);

export const Stars: FC<{ rating: Rating; url: string }> = ({ rating: { count, percent }, url }) => (
  <p class="rating">
    <span class="stars" role="img" aria-label={`Rating: ${percent}%`}>
      <span style={`width:${percent}%`} />
    </span>{" "}
    <a href={`${url}#reviews`}>
      {count} {count === 1 ? "Review" : "Reviews"}
    </a>
  </p>
);

export const Price: FC<{ product: Product }> = ({ product }) => (
  <p class="price-box">
    {product.specialPrice === null ? (
      <span class="price">{money(product.price)}</span>
    ) : (
      <>
        <span class="special">
          Special Price <span class="price">{money(finalPrice(product))}</span>
        </span>{" "}
        <span class="old">
          Regular Price <s>{money(product.price)}</s>
        </span>
      </>
    )}
  </p>
);
