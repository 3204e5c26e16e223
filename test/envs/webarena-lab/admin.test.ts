/** The shop's administration, without a browser. */
import { beforeEach, describe, expect, test } from "vitest";
import { admin } from "#palestra/envs/webarena-lab/sites/index.js";
import { money, number9 } from "#palestra/envs/webarena-lab/sites/shop/format.js";
import type { Order, OrderStatus } from "#palestra/envs/webarena-lab/sites/shop/records.js";
import { openWorld, takeChanges, type World } from "#palestra/envs/webarena-lab/world.js";
import { Client, plain } from "./shop-client.js";

let world: World;
let boss: Client;

beforeEach(() => {
  world = openWorld();
  boss = new Client(admin, world);
});

const hostile = `<script>alert(1)</script> '"&`;
const orderWith = (status: OrderStatus) => world.shop.orders.find((order) => order.status === status) as Order;

describe("the login", () => {
  test("every page except the login requires it, and the benchmark's account passes it", async () => {
    const guest = new Client(admin, world, false);
    for (const path of ["/admin", "/admin/sales/order/", "/admin/catalog/product/edit/id/1/"])
      expect((await guest.get(path)).text, path).toContain('placeholder="user name"');
    const refused = await guest.post("/admin/auth/login/", { username: "admin", password: "x" });
    expect(refused.text).toContain("The account sign-in was incorrect");
    const { path, text } = await guest.post("/admin/auth/login/", { username: "admin", password: "admin1234" });
    expect(path).toBe("/admin/dashboard");
    expect(text).toContain("Dashboard");
    expect((await guest.get("/admin/auth/logout/")).text).toContain("Sign in");
  });

  test("a guest cannot change anything", async () => {
    const guest = new Client(admin, world, false);
    await guest.post(`/admin/sales/order/cancel/order_id/${orderWith("pending").id}/`);
    await guest.post("/admin/review/product/delete/id/1/");
    expect(takeChanges(world)).toEqual([]);
  });
});

describe("lists", () => {
  test("orders are filtered by status and total, sorted and paged", async () => {
    const { text } = await boss.get(
      "/admin/sales/order/?status=Complete&total_from=100&total_to=200&sort=total&dir=asc",
    );
    const totals = [...text.matchAll(/<td>\$([\d.]+)<\/td>/g)].map(([, total]) => Number(total));
    expect(totals.length).toBe(20);
    expect(totals).toEqual([...totals].sort((one, other) => one - other));
    expect(Math.min(...totals)).toBeGreaterThanOrEqual(100);
    expect(plain(text)).toContain("Status: Complete");
    expect(plain(text)).toContain("Grand Total: 100 - 200");
  });

  test("a keyword finds a record, and a hostile one is shown as text", async () => {
    const { text } = await boss.get(`/admin/sales/order/?keyword=${number9(123)}`);
    expect(plain(text)).toContain("1 records found");
    const odd = await boss.get(`/admin/customer/index/?${new URLSearchParams({ keyword: hostile })}`);
    expect(odd.text).not.toContain("<script>");
    expect(plain(odd.text)).toContain("We couldn't find any records.".replace("'", "&#39;"));
  });

  test("unknown records and invalid numbers give status 404", async () => {
    const paths = ["sales/order/view/order_id/99999", "catalog/product/edit/id/x", "customer/index/edit/id/0", "what"];
    for (const path of paths) expect((await boss.get(`/admin/${path}/`)).status, path).toBe(404);
    expect((await boss.get("/admin/review/product/edit/id/99999/")).text).toContain("Rating isn");
  });
});

describe("orders", () => {
  test("a pending order can be canceled, and a canceled one cannot", async () => {
    const { id } = orderWith("pending");
    const { text } = await boss.post(`/admin/sales/order/cancel/order_id/${id}/`);
    expect(text).toContain('<span id="order_status">Canceled</span>');
    expect((await boss.post(`/admin/sales/order/cancel/order_id/${id}/`)).text).toContain("You cannot cancel");
  });

  test("the newest comment comes first and says whether the customer was notified", async () => {
    const { id } = orderWith("complete");
    const { text } = await boss.post(`/admin/sales/order/addComment/order_id/${id}/`, {
      comment: hostile,
      notify: "1",
    });
    const list = text.slice(text.indexOf('class="note-list"'));
    expect(plain(list.slice(0, list.indexOf("</li>")))).toContain("Customer Notified &lt;script&gt;");
    expect((await boss.post(`/admin/sales/order/addComment/order_id/${id}/`)).text).toContain("comment is missing");
  });

  test("an order is invoiced and shipped with a tracking number, which completes it", async () => {
    const { id } = orderWith("pending");
    await boss.post(`/admin/sales/order/invoice/order_id/${id}/`);
    expect(world.shop.orders.need(id).status).toBe("processing");
    const fields = { carrier: "Federal Express", number: "8974568499" };
    await boss.post(`/admin/admin/order_shipment/save/order_id/${id}/`, fields);
    expect(world.shop.orders.need(id).status).toBe("complete");
    const { text } = await boss.get(`/admin/sales/order/commentsHistory/order_id/${id}/active_tab/order_shipments/`);
    expect(plain(text)).toContain("Tracking number 8974568499 for Federal Express assigned");
  });

  test("the address of an order is changed", async () => {
    const { id } = orderWith("complete");
    const fields = {
      firstname: "Jo",
      lastname: "Doe",
      telephone: "1",
      "street[0]": "4 Elm Grove",
      city: "Venn",
      region: "South Shore",
      postcode: "HD23 1",
    };
    const { text } = await boss.post(`/admin/sales/order/address/order_id/${id}/kind/shipping/`, fields);
    expect(plain(text)).toContain("Venn, South Shore, HD23 1");
  });
});

describe("the catalogue and customers", () => {
  test("a changed product shows in the shop", async () => {
    const product = world.shop.products.need(7);
    const fields = {
      "product[name]": product.name,
      "product[sku]": product.sku,
      "product[price]": "27",
      "product[status]": "1",
      "product[quantity_and_stock_status][qty]": "5",
      "product[quantity_and_stock_status][is_in_stock]": "1",
      "product[category_ids]": `${product.categories.at(-1)}`,
    };
    const { text } = await boss.post("/admin/catalog/product/save/id/7/", fields);
    expect(text).toContain('value="27.00"');
    expect((await boss.get(`/${product.urlKey}.html`)).text).toContain("$27.00");
    for (const price of ["", "-3", "cheap"])
      expect(
        (await boss.post("/admin/catalog/product/save/id/7/", { ...fields, "product[price]": price })).text,
      ).toContain("Please enter a number 0 or greater");
    await boss.post("/admin/catalog/product/save/id/7/", { ...fields, "product[status]": "2" });
    expect((await boss.get(`/${product.urlKey}.html`)).status).toBe(404);
  });

  test("a product is added with a unique SKU", async () => {
    const fields = { "product[name]": "Energy Shirt", "product[sku]": "ES-1", "product[price]": "60" };
    const { path } = await boss.post("/admin/catalog/product/save/", fields);
    expect(path).toMatch(/^\/admin\/catalog\/product\/edit\/id\/\d+\/$/);
    expect((await boss.post("/admin/catalog/product/save/", fields)).text).toContain("exists already");
  });

  test("a review is approved and deleted", async () => {
    const review = world.shop.reviews.find(({ status }) => status === 2);
    const { nickname = "", title = "", text: detail = "", id } = review ?? {};
    await boss.post(`/admin/review/product/save/id/${id}/`, { status_id: "1", nickname, title, detail });
    expect(world.shop.reviews.need(id as number).status).toBe(1);
    await boss.post(`/admin/review/product/delete/id/${id}/`);
    expect((await boss.get(`/admin/review/product/edit/id/${id}/`)).text).toContain("Rating isn");
  });

  test("a rule needs a website and a group, and its coupon works in the shop", async () => {
    const fields = { name: "Spring sale", simple_action: "by_percent", discount_amount: "20", is_active: "1" };
    expect((await boss.post("/admin/sales_rule/promo_quote/save/", fields)).text).toContain("required fields");
    const whole = { ...fields, website_ids: "1", customer_group_ids: "1", coupon_code: "SPRING" };
    expect((await boss.post("/admin/sales_rule/promo_quote/save/", whole)).text).toContain("You saved the rule.");
    expect(world.shop.rules.find(({ coupon }) => coupon === "SPRING")).toMatchObject({ amount: 20, groups: [1] });
  });

  test("the title of a page and the group of a customer are changed, and an empty title is refused", async () => {
    await boss.post("/admin/cms/page/save/page_id/5/", { title: "Who we are", content: "x", is_active: "1" });
    expect((await boss.get("/about-us")).text).toContain("<h1>Who we are</h1>");
    expect((await boss.post("/admin/cms/page/save/page_id/5/", { title: "" })).text).toContain("required field");
    const { firstName, lastName, email } = world.shop.customers.need(3);
    const own = { "customer[firstname]": firstName, "customer[lastname]": lastName, "customer[email]": email };
    await boss.post("/admin/customer/index/save/id/3/", { ...own, "customer[group_id]": "3" });
    expect(world.shop.customers.need(3).group).toBe(3);
  });
});

describe("reports", () => {
  test("the total of the orders report is the sum of the orders", async () => {
    const { text } = await boss.get("/admin/reports/report_sales/sales/?period_type=month&from=1/1/2023&to=3/31/23");
    const [from, to] = [Date.UTC(2023, 0, 1), Date.UTC(2023, 3, 1)];
    const sold = world.shop.orders.filter(({ at, status }) => at >= from && at < to && status !== "canceled");
    expect(plain(text)).toContain(money(sold.reduce((sum, { total }) => sum + total, 0)));
    expect(text.match(/<td>[A-Z][a-z]+ 2023<\/td>/g)?.length).toBe(3);
    expect(text).toContain('id="sales_report_from" name="from" value="1/1/2023"');
  });

  test("a report without a time range shows the date format", async () => {
    const { text } = await boss.get("/admin/reports/report_sales/tax/?period_type=day&from=soon&to=");
    expect(text).toContain("enter dates such as 3/15/2024");
  });
});
