/** The list of products, and the form for one product. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../clock.js";
import { amount, centsOf, idOf, money, slug } from "../shop/format.js";
import type { Category, Product } from "../shop/records.js";
import type { ShopTables } from "../shop/tables.js";
import { fieldsOf, redirect, type ShopContext } from "../shop/visitor.js";
import type { SiteEnv } from "../site.js";
import { adminPage, Choice, Field, HeadRow, missing } from "./frame.js";
import { type Column, Grid } from "./grid.js";

export const productAdmin = new Hono<SiteEnv>({ strict: false });

const kindOf = ({ axes }: Product) => (axes.length > 0 ? "Configurable Product" : "Simple Product");
const statusOf = ({ isEnabled }: Product) => (isEnabled ? "Enabled" : "Disabled");

const columns: readonly Column<Product>[] = [
  { key: "id", label: "ID", text: ({ id }) => `${id}`, order: ({ id }) => id, filter: "range" },
  { key: "name", label: "Name", text: ({ name }) => name, filter: "text" },
  { key: "type", label: "Type", text: kindOf, filter: ["Simple Product", "Configurable Product"] },
  { key: "sku", label: "SKU", text: ({ sku }) => sku, filter: "text" },
  {
    key: "price",
    label: "Price",
    text: ({ price }) => money(price),
    order: ({ price }) => price / 100,
    filter: "range",
  },
  { key: "qty", label: "Quantity", text: ({ qty }) => `${qty}`, order: ({ qty }) => qty, filter: "range" },
  { key: "status", label: "Status", text: statusOf, filter: ["Enabled", "Disabled"] },
];

productAdmin.get("/catalog/product", (context) =>
  adminPage(
    context,
    "Products",
    <>
      <a class="button primary" href="/admin/catalog/product/new/">
        Add Product
      </a>
      <Grid
        context={context}
        rows={[...context.env.shop.products]}
        columns={columns}
        first={{ key: "id", isDescending: false }}
        keyword={({ name, sku }) => `${name}\n${sku}`}
        action={{ label: "Edit", url: ({ id }) => `/admin/catalog/product/edit/id/${id}/` }}
      />
    </>,
  ),
);

const yesNo = [
  ["1", "Enabled"],
  ["2", "Disabled"],
] as const;

const stock = [
  ["1", "In Stock"],
  ["0", "Out of Stock"],
] as const;

const fullName = (shop: ShopTables, { name, parent }: Category): string => {
  const above = parent === null ? undefined : shop.categories.get(parent);
  return above ? `${fullName(shop, above)} / ${name}` : name;
};

const ProductForm: FC<{ shop: ShopTables; product?: Product; action: string }> = ({ shop, product, action }) => {
  const categories = [...shop.categories].map((one) => [`${one.id}`, fullName(shop, one)] as const);
  return (
    <form class="fields" method="post" action={action}>
      <Choice
        name="product[status]"
        label="Enable Product"
        value={product?.isEnabled === false ? "2" : "1"}
        choices={yesNo}
      />
      <p>
        Attribute Set <span data-role="selected-option">Default</span>
      </p>
      <Field name="product[name]" label="Product Name" value={product?.name ?? ""} />
      <Field name="product[sku]" label="SKU" value={product?.sku ?? ""} />
      <Field name="product[price]" label="Price" value={product ? amount(product.price) : ""} />
      <Field
        name="product[special_price]"
        label="Special Price"
        value={product?.specialPrice ? amount(product.specialPrice) : ""}
      />
      <Field name="product[quantity_and_stock_status][qty]" label="Quantity" value={product ? `${product.qty}` : ""} />
      <Choice
        name="product[quantity_and_stock_status][is_in_stock]"
        label="Stock Status"
        value={product?.isInStock === false ? "0" : "1"}
        choices={stock}
      />
      <div data-index="category_ids">
        <Choice
          name="product[category_ids]"
          label="Categories"
          value={`${product?.categories.at(-1) ?? ""}`}
          choices={[["", "Select..."], ...categories]}
        />
      </div>
      <p>
        <label for="description">Description</label>
        <textarea id="description" name="product[description]" rows={5}>
          {product?.description}
        </textarea>
      </p>
      <p>
        <label for="short_description">Short Description</label>
        <textarea id="short_description" name="product[short_description]" rows={2}>
          {product?.summary}
        </textarea>
      </p>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  );
};

const Variants: FC<{ shop: ShopTables; product: Product }> = ({ shop, product }) => {
  const variants = shop.products.filter(({ parent }) => parent === product.id);
  if (variants.length === 0) return null;
  return (
    <section data-index="configurable">
      <h2>Configurations</h2>
      <table class="data-grid">
        <thead>
          <HeadRow cells={["Name", "SKU", "Price", "Quantity", "Action"]} />
        </thead>
        <tbody>
          {variants.map(({ id, name, sku, price, qty }) => (
            <tr>
              <td>{name}</td>
              <td>{sku}</td>
              <td>{money(price)}</td>
              <td>{qty}</td>
              <td>
                <a href={`/admin/catalog/product/edit/id/${id}/`}>Edit</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const productOf = (context: ShopContext) => context.env.shop.products.get(idOf(context.req.param("id")) ?? 0);

productAdmin.on("GET", ["/catalog/product/edit/id/:id", "/catalog/product/edit/id/:id/*"], (context) => {
  const product = productOf(context);
  if (!product) return missing(context, "product");
  const { shop } = context.env;
  return adminPage(
    context,
    product.name,
    <>
      <p>
        <a href="/admin/catalog/product/">Back</a>{" "}
        {product.parent === null && <a href={`/${product.urlKey}.html`}>View in the shop</a>}
      </p>
      <ProductForm shop={shop} product={product} action={`/admin/catalog/product/save/id/${product.id}/`} />
      <Variants shop={shop} product={product} />
    </>,
  );
});

productAdmin.on("GET", ["/catalog/product/new", "/catalog/product/new/*"], (context) =>
  adminPage(context, "New Product", <ProductForm shop={context.env.shop} action="/admin/catalog/product/save/" />),
);

type Read = Pick<
  Product,
  "name" | "sku" | "price" | "specialPrice" | "qty" | "isInStock" | "isEnabled" | "description" | "summary"
> & { category: number | undefined };

/** Reads the fields of a product form. Returns an error sentence if a field is invalid. */
function read(fields: Readonly<Record<string, string>>): Read | string {
  const own = (name: string) => fields[`product[${name}]`] ?? "";
  const [name, sku, price] = [own("name"), own("sku"), centsOf(own("price"))];
  const special = own("special_price") === "" ? null : centsOf(own("special_price"));
  const qty = own("quantity_and_stock_status][qty") === "" ? 0 : Number(own("quantity_and_stock_status][qty"));
  if (name === "" || sku === "") return "Product Name and SKU are required fields.";
  if (price === undefined || special === undefined) return "Please enter a number 0 or greater as the price.";
  if (!Number.isInteger(qty) || qty < 0) return "Please enter a valid number as the quantity.";
  return {
    name,
    sku,
    price,
    specialPrice: special,
    qty,
    isInStock: own("quantity_and_stock_status][is_in_stock") === "1",
    isEnabled: own("status") !== "2",
    description: own("description"),
    summary: own("short_description"),
    category: idOf(own("category_ids")),
  };
}

/** Returns the ids of a category and its ancestors, starting at the top of the tree. */
function lineOf(shop: ShopTables, id: number | null | undefined): number[] {
  const category = id === null || id === undefined ? undefined : shop.categories.get(id);
  return category ? [...lineOf(shop, category.parent), category.id] : [];
}

productAdmin.post("/catalog/product/save/id/:id", async (context) => {
  const product = productOf(context);
  if (!product) return missing(context, "product");
  const { shop } = context.env;
  const back = `/admin/catalog/product/edit/id/${product.id}/`;
  const form = read(await fieldsOf(context));
  if (typeof form === "string") return redirect(context, back, form, "error");
  if (shop.products.find(({ id, sku }) => id !== product.id && sku === form.sku))
    return redirect(
      context,
      back,
      "The value specified in the SKU field would make a SKU that exists already.",
      "error",
    );
  const { category, ...own } = form;
  shop.products.update(product.id, { ...own, categories: lineOf(shop, category) });
  return redirect(context, back, "You saved the product.");
});

productAdmin.post("/catalog/product/save", async (context) => {
  const { shop } = context.env;
  const form = read(await fieldsOf(context));
  if (typeof form === "string") return redirect(context, "/admin/catalog/product/new/", form, "error");
  if (shop.products.find(({ sku, urlKey }) => sku === form.sku || urlKey === slug(form.name)))
    return redirect(context, "/admin/catalog/product/new/", "A product with this SKU or name exists already.", "error");
  const { category, ...own } = form;
  const product = shop.products.insert({
    ...own,
    urlKey: slug(own.name),
    brand: "",
    categories: lineOf(shop, category),
    parent: null,
    axes: [],
    chosen: [],
    attributes: [],
    createdAt: now,
  });
  return redirect(context, `/admin/catalog/product/edit/id/${product.id}/`, "You saved the product.");
});
