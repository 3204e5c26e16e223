/** The cart, the checkout and orders, without a browser. */
import { beforeEach, describe, expect, test } from "vitest";
import { shop } from "#palestra/envs/webarena-lab/sites/index.js";
import { money } from "#palestra/envs/webarena-lab/sites/shop/format.js";
import type { Product } from "#palestra/envs/webarena-lab/sites/shop/records.js";
import { openWorld, type World } from "#palestra/envs/webarena-lab/world.js";
import { Client, plain } from "./shop-client.js";

let world: World;
let emma: Client;
let simple: Product;

beforeEach(() => {
  world = openWorld();
  emma = new Client(shop, world);
  const fits = ({ parent, axes, qty }: Product) => parent === null && axes.length === 0 && qty > 10;
  simple = world.shop.products.find((one) => fits(one) && one.specialPrice === null) as Product;
});

const add = (client: Client, { id }: Product, qty = 1) =>
  client.post("/checkout/cart/add/", { product: `${id}`, qty: `${qty}` });

describe("the cart", () => {
  test("a product is added, its quantity changed, and removed", async () => {
    expect((await add(emma, simple, 2)).text).toContain("to your shopping cart.");
    const changed = await emma.post("/checkout/cart/updatePost/", { [`cart[${simple.id}][qty]`]: "3" });
    expect(plain(changed.text)).toContain(money(simple.price * 3));
    const removed = await emma.post("/checkout/cart/delete/", { id: `${simple.id}` });
    expect(removed.text).toContain("You have no items in your shopping cart.");
  });

  test("a quantity above the stock, an empty one and words are refused", async () => {
    expect((await add(emma, simple, simple.qty + 1)).text).toContain("The requested qty is not available");
    for (const qty of ["0", "-1", "two", "1.5"])
      expect((await emma.post("/checkout/cart/add/", { product: `${simple.id}`, qty })).text, qty).toContain(
        "Please enter a quantity greater than 0.",
      );
    expect((await emma.post("/checkout/cart/add/", { product: "x", qty: "1" })).status).toBe(404);
  });

  test("a configurable product needs its options and becomes its variant", async () => {
    const product = world.shop.products.find(({ axes, isInStock }) => axes.length === 1 && isInStock) as Product;
    expect((await add(emma, product)).text).toContain("You need to choose options for your item.");
    const variant = world.shop.products.find(({ parent, qty }) => parent === product.id && qty > 0) as Product;
    const fields = { product: `${product.id}`, qty: "1", "super_attribute[0]": variant.chosen[0]?.value ?? "" };
    await emma.post("/checkout/cart/add/", fields);
    const { text } = await emma.get("/checkout/cart/");
    expect(plain(text)).toContain(`${variant.chosen[0]?.label}: ${variant.chosen[0]?.value}`);
  });

  test("a coupon gives its discount, and an unknown one is refused", async () => {
    await add(emma, simple);
    const { text } = await emma.post("/checkout/cart/couponPost/", { coupon_code: "harbor10" });
    expect(plain(text)).toContain(`Discount (HARBOR10) ${money(-Math.round(simple.price / 10))}`);
    const refused = await emma.post("/checkout/cart/couponPost/", { remove: "1" });
    expect(refused.text).toContain("You canceled the coupon code.");
    expect((await emma.post("/checkout/cart/couponPost/", { coupon_code: "NONE" })).text).toContain("is not valid.");
  });

  test("a guest's cart is moved into the account", async () => {
    const guest = new Client(shop, world, false);
    await add(guest, simple);
    await guest.post("/customer/account/loginPost/", { email: "emma.lopez@gmail.com", password: "Password.123" });
    expect((await guest.get("/checkout/cart/")).text).toContain(simple.sku.slice(0, 0) + simple.name.split(" ")[0]);
    expect(world.shop.carts.find(({ customer }) => customer === 27)?.lines).toEqual([{ product: simple.id, qty: 1 }]);
  });
});

describe("the checkout", () => {
  test("an order is placed, and the stock goes down", async () => {
    await add(emma, simple, 2);
    expect((await emma.get("/checkout/")).text).toContain("Ship to");
    const address = `${world.shop.customers.need(27).shipping}`;
    await emma.post("/checkout/shipping/", { address, method: "express_nextday" });
    const { text, path } = await emma.post("/checkout/placeOrder/", { payment: "Cash On Delivery" });
    expect(path).toBe("/checkout/onepage/success/?order=1201");
    expect(text).toContain("000001201");
    const page = plain((await emma.get("/sales/order/view/order_id/1201/")).text);
    expect(page).toContain("Ordered: 2");
    expect(page).toContain("Express - Next Day");
    expect(world.shop.products.need(simple.id).qty).toBe(simple.qty - 2);
    expect((await emma.get("/checkout/cart/")).text).toContain("You have no items");
  });

  test("a checkout continues only with an address and a shipping method", async () => {
    await add(emma, simple);
    expect((await emma.post("/checkout/shipping/", { address: "new" })).text).toContain("required fields");
    const address = `${world.shop.customers.need(27).shipping}`;
    expect((await emma.post("/checkout/shipping/", { address })).text).toContain("The shipping method is missing.");
    expect((await emma.post("/checkout/placeOrder/", { payment: "Cash On Delivery" })).path).toBe("/checkout/");
    expect([...world.shop.orders].length).toBe(1200);
  });

  test("a guest orders with an email address and finds the order again", async () => {
    const guest = new Client(shop, world, false);
    await add(guest, simple);
    const place = {
      firstname: "Ida",
      lastname: "Quimby",
      telephone: "1",
      "street[0]": "1 Mill Lane",
      city: "Venn",
      region: "South Shore",
      postcode: "HD23 1",
      method: "flatrate_flatrate",
    };
    expect((await guest.post("/checkout/shipping/", place)).text).toContain("valid email address");
    await guest.post("/checkout/shipping/", { ...place, email: "ida@outmail.com" });
    await guest.post("/checkout/placeOrder/", { payment: "Cash On Delivery" });
    const key = { oar_order_id: "000001201", oar_billing_lastname: "quimby", oar_email: "ida@outmail.com" };
    expect((await guest.post("/sales/guest/view/", key)).text).toContain("Order # 000001201");
    const wrong = { ...key, oar_billing_lastname: "Lopez" };
    expect((await guest.post("/sales/guest/view/", wrong)).text).toContain("You entered incorrect data.");
  });

  test("an order is placed again with its available items", async () => {
    const order = world.shop.orders.find(
      ({ customer, items }) =>
        customer === 27 && items.every(({ product, qty }) => world.shop.products.need(product).qty >= qty),
    );
    const { path, text } = await emma.post(`/sales/order/reorder/order_id/${order?.id}/`);
    expect(path).toBe("/checkout/cart/");
    expect(plain(text)).toContain("Proceed to Checkout");
    expect((await emma.post("/sales/order/reorder/order_id/999999/")).status).toBe(404);
  });
});
