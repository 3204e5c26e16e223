/** The tool `book_reservation`. */

import type { ModelType } from "../../python/model.js";
import { add, elements, isEqual, isLess, item, lengthOf, lookUp, subtract, times } from "../../python/operations.js";
import { attribute, copyOf, type Model, ToolFailed, type Value } from "../../python/value.js";
import { dictField, field, isDict, listField } from "../records.js";
import type { Database } from "../table.js";
import { type Arguments, filled } from "../toolkit.js";
import { flightOf, flightOn, userOf } from "./lookups.js";
import { flightInfo, isAvailable, passenger, payment, reservation, reservationFlight } from "./models.js";

/** Ids of new reservations. A task needs no more. */
const newIds = ["HATHAT", "HATHAU", "HATHAV"];
export const bookedAt = "2024-05-15T15:00:00";
const insurancePrice = 30n;
const baggagePrice = 50n;

/** Makes instances of a list of dicts. Any other list stays as it is. @throws {ToolFailed} */
export function instances(type: ModelType, values: Value): Value {
  const list = elements(values);
  return list.every((each) => isDict(each)) ? list.map((each) => type.make(each)) : values;
}

export function bookReservation(database: Database, args: Arguments): Value {
  const flights = instances(flightInfo, args.flights as Value);
  const passengers = instances(passenger, args.passengers as Value);
  const payments = instances(payment, args.payment_methods as Value);
  const user = userOf(database, args.user_id as Value);
  const id = newIds.find((each) => !database.table("reservations")?.has(each));
  if (id === undefined) throw new ToolFailed("Too many reservations");
  const booked = newReservation(id, args, passengers, payments);
  const count = BigInt(lengthOf(passengers));
  const cabin = args.cabin as string;
  const { price, seats } = takeFlights(database, booked, flights, cabin, count);
  const insured = args.insurance === "yes" ? insurancePrice * count : 0n;
  const total = add(add(price, insured), times(baggagePrice, args.nonfree_baggages as Value), "+=");
  pay(user, elements(payments), total);
  for (const each of seats) each.set(cabin, subtract(item(each, cabin), count));
  database.table("reservations")?.set(id, booked);
  listField(user, "reservations").push(id);
  return booked;
}

function newReservation(id: string, args: Arguments, passengers: Value, payments: Value): Model {
  const { user_id, origin, destination, flight_type, cabin, total_baggages, nonfree_baggages, insurance } = args;
  const fields = { reservation_id: id, user_id, origin, destination, flight_type, cabin, flights: [] };
  const more = { passengers: copyOf(passengers), payment_history: copyOf(payments), created_at: bookedAt };
  const rest = { total_baggages, nonfree_baggages, insurance };
  return reservation.make(new Map(Object.entries({ ...fields, ...more, ...rest } as Record<string, Value>)));
}

interface Taken {
  price: bigint;
  /** Free seats of each flight on its date, by cabin. */
  seats: Model[];
}

function takeFlights(database: Database, booked: Model, flights: Value, cabin: string, count: bigint): Taken {
  const seats: Model[] = [];
  let price = 0n;
  for (const info of elements(flights)) {
    const [number, date] = [attribute(info, "flight_number"), attribute(info, "date")];
    flightOf(database, number);
    // The number is known, so that the flight is copied for the change of its seats.
    const flight = database.table("flights")?.get(number as string) as Model;
    const status = flightOn(flight, number, date);
    const own = pricedFlight(flight, status, number, date, cabin, count);
    listField(booked, "flights").push(own);
    seats.push(dictField(status, "available_seats") as Model);
    price += (field(own, "price") as bigint) * count;
  }
  return { price, seats };
}

/** Returns a flight of a reservation at the price of a cabin. @throws {ToolFailed} the seats cannot be sold */
export function pricedFlight(
  flight: Model,
  status: Model,
  number: Value,
  date: Value,
  cabin: Value,
  count: bigint,
): Model {
  if (!isAvailable(status)) throw new ToolFailed(filled`Flight ${number} not available on date ${date}`);
  if (isLess(item(dictField(status, "available_seats"), cabin), count))
    throw new ToolFailed(filled`Not enough seats on flight ${number}`);
  const price = item(dictField(status, "prices"), cabin);
  const places = { origin: field(flight, "origin"), destination: field(flight, "destination") };
  return reservationFlight.make(new Map(Object.entries({ flight_number: number, date, price, ...places })));
}

function pay(user: Model, payments: readonly Value[], total: Value): void {
  const methods = dictField(user, "payment_methods");
  let paid: Value = 0n;
  for (const each of payments) {
    const id = attribute(each, "payment_id");
    const amount = attribute(each, "amount");
    const method = lookUp(methods, id) as Model | undefined;
    if (!method) throw new ToolFailed(filled`Payment method ${id} not found`);
    if (field(method, "source") !== "credit_card" && isLess(field(method, "amount"), amount))
      throw new ToolFailed(filled`Not enough balance in payment method ${id}`);
    paid = add(paid, amount);
  }
  if (!isEqual(paid, total))
    throw new ToolFailed(filled`Payment amount does not add up, total price is ${total}, but paid ${paid}`);
  for (const each of payments) {
    const id = attribute(each, "payment_id");
    const method = item(methods, id) as Model;
    const source = field(method, "source");
    if (source === "gift_card") method.set("amount", subtract(field(method, "amount"), attribute(each, "amount")));
    if (source === "certificate") methods.delete(id as string);
  }
}
