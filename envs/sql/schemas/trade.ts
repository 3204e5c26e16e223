/** Schemas about trade and transport. */
import { choice, date, integer, real, ref, type Schema, sometimes, table, text } from "./schema.js";

export const shop: Schema = {
  name: "shop",
  about: "An online shop: its products, customers, orders and reviews.",
  tables: [
    table(
      "category",
      [8, 12],
      [text("name", "{material} {ware}s"), choice("department", "home", "outdoor", "kitchen", "office")],
      "categories",
    ),
    table(
      "supplier",
      [12, 20],
      [text("name", "{last} {trade}"), text("country", "{country}"), sometimes(0.2, integer("rating", 1, 5))],
    ),
    table(
      "product",
      [80, 120],
      [
        text("name", "{adjective} {material} {ware}"),
        ref("category_id", "categories"),
        ref("supplier_id", "suppliers", 0.2),
        real("price", 2, 400),
        integer("stock", 0, 250, true),
        sometimes(0.15, real("weight", 0.1, 30, 1)),
        date("launch_date", "2020-01-01", "2024-12-31"),
      ],
    ),
    table(
      "customer",
      [90, 140],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        text("city", "{city}"),
        date("signup_date", "2021-01-01", "2024-12-31"),
        sometimes(0.3, text("phone", "+49 {digits}")),
        choice("tier", "basic", "silver", "gold"),
      ],
    ),
    table(
      "order",
      [350, 500],
      [
        ref("customer_id", "customers", 0.15),
        date("order_date", "2022-01-01", "2024-12-31"),
        choice("status", "delivered", "shipped", "cancelled", "returned"),
        sometimes(0.25, date("delivery_date", "2022-01-05", "2025-01-15")),
        real("shipping_fee", 0, 20),
      ],
    ),
    table(
      "order item",
      [700, 1000],
      [
        ref("order_id", "orders", 0.05),
        ref("product_id", "products", 0.1),
        integer("quantity", 1, 9, true),
        real("unit_price", 2, 400),
        sometimes(0.6, integer("discount", 5, 50)),
      ],
    ),
    table(
      "review",
      [200, 300],
      [
        ref("product_id", "products", 0.3),
        ref("customer_id", "customers", 0.3),
        integer("stars", 1, 5),
        date("review_date", "2022-02-01", "2024-12-31"),
        sometimes(0.4, text("comment", "{adjective} {ware}")),
      ],
    ),
  ],
};

export const logistics: Schema = {
  name: "logistics",
  about: "A carrier: its depots, drivers, trucks, clients and shipments.",
  tables: [
    table(
      "depot",
      [8, 14],
      [
        text("city", "{city}"),
        text("country", "{country}"),
        integer("capacity", 50, 900),
        date("opening_date", "1998-01-01", "2022-12-31"),
      ],
    ),
    table(
      "driver",
      [40, 60],
      [
        text("first_name", "{first}"),
        text("last_name", "{last}"),
        ref("depot_id", "depots"),
        date("hire_date", "2008-01-01", "2024-06-30"),
        integer("salary", 24000, 52000),
        sometimes(0.3, choice("licence", "C", "CE", "D")),
      ],
    ),
    table(
      "truck",
      [30, 50],
      [
        text("plate", "{letter}{letter}-{digits}"),
        ref("depot_id", "depots", 0.2),
        choice("fuel", "diesel", "electric", "gas"),
        integer("payload", 3000, 26000),
        sometimes(0.2, date("inspection_date", "2023-01-01", "2024-12-31")),
      ],
    ),
    table(
      "client",
      [50, 80],
      [
        text("name", "{last} {trade}"),
        text("city", "{city}"),
        choice("size", "small", "medium", "large"),
        date("contract_date", "2015-01-01", "2024-06-30"),
      ],
    ),
    table(
      "trip",
      [250, 350],
      [
        ref("driver_id", "drivers", 0.15),
        ref("truck_id", "trucks", 0.15),
        date("trip_date", "2023-01-01", "2024-12-31"),
        integer("distance", 20, 1900, true),
        sometimes(0.25, real("fuel_cost", 10, 900)),
      ],
    ),
    table(
      "shipment",
      [500, 800],
      [
        ref("trip_id", "trips", 0.1),
        ref("client_id", "clients", 0.15),
        text("content", "{cargo}"),
        real("weight", 0.5, 4000, 1),
        real("fee", 15, 2500),
        choice("status", "delivered", "in transit", "damaged", "lost"),
        sometimes(0.2, date("arrival_date", "2023-01-02", "2025-01-10")),
      ],
    ),
  ],
};
