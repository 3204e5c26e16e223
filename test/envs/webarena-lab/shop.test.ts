/** The shop's catalogue, search, reviews, wish list and account, without a browser. */
import { beforeEach, describe, expect, test } from "vitest";
import { shop } from "#palestra/envs/webarena-lab/sites/index.js";
import { app } from "#palestra/envs/webarena-lab/sites/shop/app.js";
import { finalPrice } from "#palestra/envs/webarena-lab/sites/shop/catalogue/catalog.js";
import { openWorld, takeChanges, type World } from "#palestra/envs/webarena-lab/world.js";
import { Client, plain } from "./shop-client.js";

let world: World;
let emma: Client;

beforeEach(() => {
  world = openWorld();
  emma = new Client(shop, world);
});

const hostile = `<script>alert(1)</script> '"&`;

function productWith(fits: (axes: number) => boolean) {
  const found = world.shop.products.find(({ parent, axes, qty }) => parent === null && fits(axes.length) && qty >= 0);
  if (!found) throw new Error("expected a product, but received none");
  return found;
}

describe("the catalogue", () => {
  test("has the records that tasks need", () => {
    const { categories, products, reviews, orders, customers } = world.shop;
    const emmas = orders.filter(({ customer }) => customer === 27);
    expect([...categories].length).toBeGreaterThanOrEqual(60);
    expect(products.filter(({ parent }) => parent === null).length).toBeGreaterThanOrEqual(1500);
    expect([[...reviews].length, [...orders].length, [...customers].length, emmas.length]).toEqual([
      4000, 1200, 301, 35,
    ]);
  });

  test("names and addresses of products differ", () => {
    const shown = world.shop.products.filter(({ parent }) => parent === null);
    expect(new Set(shown.map(({ urlKey }) => urlKey)).size).toBe(shown.length);
    expect(new Set([...world.shop.products].map(({ sku }) => sku)).size).toBe([...world.shop.products].length);
  });

  test("a category is filtered by price, sorted and paged", async () => {
    const own = "/electronics/headphones.html?price=20-100&product_list_order=price&product_list_dir=desc";
    const { text } = await emma.get(own);
    const prices = [...text.matchAll(/<span class="price">\$([\d.]+)<\/span>/g)].map(([, price]) => Number(price));
    expect(prices.length).toBeGreaterThan(5);
    expect(prices).toEqual([...prices].sort((one, other) => other - one));
    expect(Math.max(...prices)).toBeLessThan(100);
    const second = await emma.get("/electronics/headphones.html?p=2");
    expect(plain(second.text)).toContain("Items 13-24 of 29");
  });

  test("the price form redirects to the address of the range", async () => {
    const { path } = await emma.get("/electronics/headphones.html?price_from=20&price_to=50&product_list_order=name");
    expect(path).toBe("/electronics/headphones.html?product_list_order=name&price=20-50");
  });

  test("a search finds products by their words, or reports that it found none", async () => {
    const { text } = await emma.get("/catalogsearch/result/?q=yoga+mat");
    expect(plain(text)).toMatch(/Yoga Mat/);
    const none = await emma.get("/catalogsearch/result/?q=zeppelin");
    expect(plain(none.text)).toContain("Your search returned no results.");
  });

  test("a hostile search is shown as text", async () => {
    const { text } = await emma.get(`/catalogsearch/result/?${new URLSearchParams({ q: hostile })}`);
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;");
  });

  test("the advanced search finds a product by its SKU", async () => {
    const product = productWith(() => true);
    const { text } = await emma.get(`/catalogsearch/advanced/result/?sku=${product.sku}`);
    expect(plain(text)).toContain("1 item was found.");
  });

  test("an unknown address gives status 404", async () => {
    for (const path of ["/nothing.html", "/nothing", "/sales/order/view/order_id/x/y", "/customer/address/edit/id/1/"])
      expect((await emma.get(path)).status, path).toBe(404);
  });

  test("pages take a few milliseconds", async () => {
    const paths = ["/electronics.html", "/catalogsearch/result/?q=lamp", "/sales/order/history/", "/wishlist/"];
    for (const path of paths) await emma.get(path);
    // Processor time depends little on other work on the machine. The limit leaves room for that.
    const start = process.cpuUsage();
    for (let round = 0; round < 10; round++) for (const path of paths) await emma.get(path);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000 / 40).toBeLessThan(20);
  });
});

describe("reviews", () => {
  test("a review waits for approval, and evaluators see it", async () => {
    const product = productWith(() => true);
    const fields = { "ratings[4]": "4", nickname: "Emma", title: hostile, detail: "Fine." };
    const { text } = await emma.post(`/review/product/post/id/${product.id}/`, fields);
    expect(text).toContain("You submitted your review for moderation.");
    expect(text).not.toContain("&lt;script&gt;");
    const own = await emma.get("/review/customer/");
    expect(own.text).toContain("&lt;script&gt;");
    const ask = async (path: string, init: RequestInit) =>
      (await app.request(`http://shop.test/rest/${path}`, init, world)).json();
    const body = JSON.stringify({ username: "admin", password: "admin1234" });
    const token = await ask("default/V1/integration/admin/token", { method: "POST", body });
    const reviews = (await ask(`V1/products/${product.sku}/reviews`, {
      headers: { authorization: `Bearer ${token}` },
    })) as { nickname: string; ratings: { percent: number }[] }[];
    expect(reviews.at(-1)).toMatchObject({ nickname: "Emma", ratings: [{ percent: 80 }] });
  });

  test("a review without a rating or a text is refused", async () => {
    const product = productWith(() => true);
    const { text } = await emma.post(`/review/product/post/id/${product.id}/`, { nickname: "Emma" });
    expect(text).toContain("Please select one of each of the ratings above.");
    expect(takeChanges(world)).toEqual([]);
  });

  test("REST refuses calls without the administrator's token", async () => {
    const body = JSON.stringify({ username: "admin", password: "wrong" });
    const token = await app.request("/rest/V1/integration/admin/token", { method: "POST", body }, world);
    const orders = await app.request("/rest/V1/orders", {}, world);
    expect([token.status, orders.status]).toEqual([401, 401]);
  });
});

describe("the account", () => {
  test("a visitor logs in with the benchmark's account and comes back to the page", async () => {
    const guest = new Client(shop, world, false);
    const login = await guest.get("/wishlist/");
    expect(login.path).toBe("/customer/account/login/?referer=%2Fwishlist%2F");
    const fields = { email: "Emma.Lopez@gmail.com", password: "Password.123", referer: "/wishlist/" };
    const { path, text } = await guest.post("/customer/account/loginPost/", fields);
    expect(path).toBe("/wishlist/");
    expect(text).toContain("Welcome, Emma Lopez!");
    expect((await guest.get("/customer/account/logout/")).text).toContain("Sign In");
  });

  test("a wrong password and an external address are refused", async () => {
    const guest = new Client(shop, world, false);
    const wrong = await guest.post("/customer/account/loginPost/", { email: "emma.lopez@gmail.com", password: "x" });
    expect(wrong.text).toContain("The account sign-in was incorrect");
    const fields = { email: "emma.lopez@gmail.com", password: "Password.123", referer: "//evil.test/" };
    expect((await guest.post("/customer/account/loginPost/", fields)).path).toBe("/customer/account/");
  });

  test("an address is saved, and one that lacks a field is refused", async () => {
    const fields = {
      firstname: "Emma",
      lastname: "Lopez",
      telephone: "1",
      "street[0]": hostile,
      city: "Venn",
      region: "South Shore",
      postcode: "HD23 1",
      default_shipping: "1",
    };
    const { text } = await emma.post("/customer/address/formPost/", fields);
    expect(text).toContain("You saved the address.");
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script>");
    const refused = await emma.post("/customer/address/formPost/", { ...fields, city: " " });
    expect(refused.text).toContain("City: this is a required field.");
  });

  test("the newsletter can be subscribed and unsubscribed", async () => {
    await emma.post("/newsletter/manage/save/", { is_subscribed: "1" });
    expect((await emma.get("/newsletter/manage/")).text).toMatch(/title="General Subscription"[^>]*checked/);
    await emma.post("/newsletter/manage/save/");
    expect((await emma.get("/newsletter/manage/")).text).not.toMatch(/title="General Subscription"[^>]*checked/);
  });

  test("a name is changed without the password, but the email address only with it", async () => {
    const fields = { firstname: "Emma", lastname: "Vance", email: "emma.lopez@gmail.com" };
    expect((await emma.post("/customer/account/editPost/", fields)).text).toContain("Emma Vance");
    const moved = { ...fields, email: "new@haldane.net" };
    expect((await emma.post("/customer/account/editPost/", moved)).text).toContain("doesn&#39;t match this account");
  });

  test("a product is on the wish list once and can be removed", async () => {
    const product = productWith((axes) => axes === 0);
    const { text, path } = await emma.post("/wishlist/index/add/", { product: `${product.id}` });
    expect(path).toBe("/wishlist/");
    expect(text).toContain("has been added to your Wish List.");
    const wish = world.shop.wishes.find((one) => one.product === product.id);
    await emma.post(`/wishlist/index/item/id/${wish?.id}/`, { do: "remove" });
    expect(world.shop.wishes.find((one) => one.product === product.id)).toBeUndefined();
  });

  test("a message without a text is refused", async () => {
    const { text } = await emma.post("/contact/index/post/", { name: "Emma", email: "e@x.hd", comment: "" });
    expect(text).toContain("Enter the comment and try again.");
    expect(takeChanges(world)).toEqual([]);
  });

  test("a customer cannot see the order of another one", async () => {
    const foreign = world.shop.orders.find(({ customer }) => customer !== 27);
    const { path } = await emma.get(`/sales/order/view/order_id/${foreign?.id}/`);
    expect(path).toBe("/sales/order/history/");
  });
});

test("equal visits give equal bytes, and worlds are isolated", async () => {
  const visit = async () => {
    const own = openWorld();
    const client = new Client(shop, own);
    const product = own.shop.products.get(5);
    const pages = [
      await client.post("/wishlist/index/add/", { product: "5" }),
      await client.get(`/${product?.urlKey}.html`),
      await client.get("/customer/account/"),
    ];
    return JSON.stringify(pages);
  };
  expect(await visit()).toBe(await visit());
  expect((await emma.get("/wishlist/")).text).toContain("(3 items)");
  expect(world.shop.products.filter((one) => finalPrice(one) > one.price)).toEqual([]);
});
