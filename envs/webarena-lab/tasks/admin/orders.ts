/** Tasks in which the agent changes orders in the shop's administration. */
import { choose, click, type PlanStep, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { money, number9 } from "../../sites/shop/format.js";
import type { Order } from "../../sites/shop/records.js";
import { shopBase } from "../../sites/shop/tables.js";
import type { Problem, Template } from "../common/template.js";
import { openOrder, orders, sites, statusHook } from "./base.js";

const comments = [
  "Your parcel leaves our loft tomorrow morning.",
  "One item is late; the rest is on its way.",
  "Please tell us the number of your flat.",
  "We have added a small gift for the delay.",
  "The carrier will ring twice.",
];

const first = (part: string) =>
  `document.querySelector("#order_history_block").querySelector(".note-list").firstElementChild.querySelector("${part}").outerText`;

/** Draws a customer's newest order, so that the customer's name identifies it, and a different order. */
function newestOf(random: Random, fits: (order: Order) => boolean): [order: Order, other: Order] | undefined {
  const all = orders().reverse();
  const order = random.choice(all.filter(fits));
  const own = all.filter(({ name }) => name === order.name);
  const other = random.choice(all.filter((one) => fits(one) && one.id !== order.id));
  return own[0]?.id === order.id ? [order, other] : undefined;
}

function comment(random: Random): Problem | undefined {
  const drawn = newestOf(random, ({ status }) => status === "pending" || status === "processing");
  if (!drawn) return undefined;
  const [order, other] = drawn;
  const text = random.choice(comments);
  const write = (one: Order, isNotified: boolean): PlanStep[] => [
    ...openOrder(one),
    type("Comment", text),
    ...(isNotified ? [click("checkbox", "Notify Customer by Email")] : []),
  ];
  const submit = [click("button", "Submit Comment"), stop()];
  const url = `__SHOPPING_ADMIN__/sales/order/view/order_id/${order.id}/`;
  return {
    slots: { name: order.name, text },
    evaluation: {
      program_html: [
        { url, locator: first(".note-list-comment"), required_contents: { exact_match: text } },
        { url, locator: first(".note-list-customer"), required_contents: { exact_match: "Customer Notified" } },
      ],
    },
    plan: [...write(order, true), ...submit],
    nearMisses: {
      "nobody is notified": [...write(order, false), ...submit],
      "another order": [...write(other, true), ...submit],
      "not submitted": [...write(order, true), stop()],
    },
  };
}

function cancel(random: Random): Problem | undefined {
  const drawn = newestOf(random, ({ status }) => status === "pending");
  if (!drawn) return undefined;
  const [order, other] = drawn;
  const end = (action: string) => [click("button", action), stop()];
  return {
    slots: { name: order.name, total: money(order.total) },
    evaluation: {
      program_html: [
        {
          url: `__SHOPPING_ADMIN__/sales/order/view/order_id/${order.id}/`,
          locator: statusHook,
          required_contents: { exact_match: "Canceled" },
        },
      ],
    },
    plan: [...openOrder(order), ...end("Cancel")],
    nearMisses: {
      "put on hold": [...openOrder(order), ...end("Hold")],
      "another order": [...openOrder(other), ...end("Cancel")],
    },
  };
}

const carriers = ["DHL", "Federal Express", "United Parcel Service", "United States Postal Service"] as const;

function ship(random: Random): Problem | undefined {
  const [order, other] = random.sample(
    orders().filter(({ status }) => status === "processing"),
    2,
  );
  if (!order || !other) return undefined;
  const [carrier, wrong] = random.sample(carriers, 2) as [string, string];
  const number = `${random.between(1_000_000_000, 9_999_999_999)}`;
  const send = (one: Order, by: string): PlanStep[] => [
    ...openOrder(one),
    click("link", "Ship"),
    choose("Carrier", by),
    type("Number", number),
  ];
  const submit = [click("button", "Submit Shipment"), stop()];
  const url = `__SHOPPING_ADMIN__/sales/order/commentsHistory/order_id/${order.id}/active_tab/order_shipments/`;
  return {
    slots: { order: number9(order.id), carrier, number },
    evaluation: {
      program_html: [
        {
          url,
          locator: "",
          required_contents: { must_include: [`Tracking number ${number} for ${carrier} assigned`] },
        },
        {
          url: `__SHOPPING_ADMIN__/sales/order/view/order_id/${order.id}/`,
          locator: statusHook,
          required_contents: { exact_match: "Complete" },
        },
      ],
    },
    plan: [...send(order, carrier), ...submit],
    nearMisses: {
      "another carrier": [...send(order, wrong), ...submit],
      "another order": [...send(other, carrier), ...submit],
      "not submitted": [...send(order, carrier), stop()],
    },
  };
}

function tracking(random: Random): Problem | undefined {
  const shipments = [...shopBase().shipments.values()].filter(({ tracks }) => tracks.length === 0);
  const [shipment, other] = random.sample(shipments, 2);
  if (!shipment || !other) return undefined;
  const orderOf = (id: number) => shopBase().orders.get(id) as Order;
  const carrier = random.choice(carriers);
  const number = `${random.between(1_000_000_000, 9_999_999_999)}`;
  const add = (one: typeof shipment, digits: string): PlanStep[] => [
    ...openOrder(orderOf(one.order)),
    click("link", `Shipment #${number9(one.id)}`),
    choose("Carrier", carrier),
    type("Number", digits),
  ];
  const save = [click("button", "Add"), stop()];
  const url = `__SHOPPING_ADMIN__/sales/order/commentsHistory/order_id/${shipment.order}/active_tab/order_shipments/`;
  return {
    slots: { order: shipment.order, carrier, number },
    evaluation: {
      program_html: [
        {
          url,
          locator: "",
          required_contents: { must_include: [`Tracking number ${number} for ${carrier} assigned`] },
        },
      ],
    },
    plan: [...add(shipment, number), ...save],
    nearMisses: {
      "a digit is missing": [...add(shipment, number.slice(0, -1)), ...save],
      "another order": [...add(other, number), ...save],
      "not added": [...add(shipment, number), stop()],
    },
  };
}

export const adminOrderTemplates: readonly Template[] = [
  {
    name: "admin-comment",
    sites,
    kind: "change",
    draw: comment,
    intent: 'Notify {{name}} by email, in a comment on their newest order: "{{text}}"',
  },
  {
    name: "admin-cancel",
    sites,
    kind: "change",
    draw: cancel,
    intent: "Cancel the pending order of {{name}} over {{total}}.",
  },
  {
    name: "admin-ship",
    sites,
    kind: "change",
    draw: ship,
    intent: "Ship order {{order}} by {{carrier}} with the tracking number {{number}}.",
  },
  {
    name: "admin-tracking",
    sites,
    kind: "change",
    draw: tracking,
    intent: "Add the {{carrier}} tracking number {{number}} to the shipment of order #{{order}}.",
  },
];
