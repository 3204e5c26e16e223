/** The texts in which the agent sees the records. */
import {
  type Booking,
  type Customer,
  type Database,
  itemOf,
  type Order,
  type Product,
  rowOf,
  type Trip,
} from "./database.js";
import { dateOf } from "./days.js";

/** Returns the text of the record with this id, or undefined. */
export function recordText(database: Database, id: string): string | undefined {
  const { customers, orders, bookings, trips, products } = database;
  const customer = rowOf(customers, id);
  if (customer) return customerText(database, customer);
  const order = rowOf(orders, id);
  if (order) return orderText(order);
  const booking = rowOf(bookings, id);
  if (booking) return bookingText(database, booking);
  const trip = rowOf(trips, id);
  if (trip) return tripText(trip);
  const product = rowOf(products, id) ?? itemOf(database, id)?.product;
  return product && productText(product);
}

/** Returns the customers with this name, e-mail or id. */
export function foundCustomers({ customers }: Database, text: string): Customer[] {
  const wanted = text.trim().toLowerCase();
  return Object.values(customers).filter(({ id, name, email }) =>
    [id, name, email].some((each) => each.toLowerCase() === wanted),
  );
}

export function customerText(database: Database, customer: Customer): string {
  const { id, name, email, addresses, methods, tier, notes } = customer;
  const places = Object.entries(addresses).map(([key, address]) => `${key}: ${address}`);
  const own = <T extends { customer: string }>(table: Record<string, T>) =>
    Object.values(table).filter((row) => row.customer === id);
  const lines = [
    `${id} ${name}, ${email}${tier === "gold" ? ", gold" : ""}`,
    ...places,
    `pays by ${methods.join(", ")}`,
    ...notes.map((note) => `note: ${note}`),
    ...own(database.orders).map(
      ({ id, status, lines, refunds }) =>
        `${id} ${status}: ${lines.map(({ item }) => item).join(", ")}${refundsText(refunds)}`,
    ),
    ...own(database.bookings).map((booking) => shortBooking(database, booking)),
  ];
  return lines.join("\n");
}

function orderText({ id, customer, placed, status, arrives, address, paid, lines, refunds }: Order): string {
  const goods = lines.map(({ item, price, state }) => `${item} $${price}${state === "sold" ? "" : ` ${state}`}`);
  const arrival =
    status === "cancelled" ? "" : `, ${status === "delivered" ? "delivered" : "arrives"} ${dateOf(arrives)}`;
  return [
    `${id} of ${customer}, ${status}, ordered ${dateOf(placed)}${arrival}`,
    `${goods.join(", ")}; paid by ${paid}${refundsText(refunds)}`,
    `to ${address}`,
  ].join("\n");
}

function refundsText(refunds: Order["refunds"]): string {
  return refunds.map(({ amount, method }) => `, $${amount} refunded to ${method}`).join("");
}

function shortBooking(database: Database, { id, trip, status, seat, refunds }: Booking): string {
  const { from, to, day, time } = database.trips[trip] as Trip;
  return `${id} ${status}: ${from} to ${to}, ${dateOf(day)} ${time}, ${seat}${refundsText(refunds)}`;
}

function bookingText(database: Database, booking: Booking): string {
  const { id, customer, fare, class: inClass, seat, price, paid, status, refunds } = booking;
  const trip = database.trips[booking.trip] as Trip;
  const others = Object.values(database.trips).filter(
    (each) => each.from === trip.from && each.to === trip.to && each !== trip && each.day > database.today,
  );
  return [
    `${id} of ${customer}, ${status}, ${fare} fare, ${inClass} class, ${seat}, $${price}, paid by ${paid}${refundsText(refunds)}`,
    tripText(trip),
    ...(status === "booked" ? others.map((each) => `other: ${tripText(each)}`) : []),
  ].join("\n");
}

function tripText({ id, from, to, day, time, prices, free, late, cause }: Trip): string {
  const delay = late > 0 ? `, arrived ${late} min late (${cause})` : "";
  const price = (of: "standard" | "comfort") => `${of} $${prices[of]}${free[of] === 0 ? " full" : ""}`;
  return `${id} ${from} to ${to}, ${dateOf(day)} ${time}, ${price("standard")}, ${price("comfort")}${delay}`;
}

function productText({ id, group, variants }: Product): string {
  const list = Object.entries(variants).map(
    ([name, { price, stock }]) => `${id}-${name} $${price}${stock === 0 ? " sold out" : ""}`,
  );
  return `${id} (${group}): ${list.join(", ")}`;
}
