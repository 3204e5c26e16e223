/** The tools that change a reservation or a user. */
import { elements, isEqual, isLess, lengthOf, subtract, times } from "../../python/operations.js";
import { attribute, copyOf, type Model, ToolFailed, type Value } from "../../python/value.js";
import { dictField, field, listField, modelsField } from "../records.js";
import type { Database } from "../table.js";
import { type Arguments, filled } from "../toolkit.js";
import { instances, pricedFlight } from "./booking.js";
import { flightOf, flightOn, reservationOf, userOf } from "./lookups.js";
import { certificate, flightInfo, passenger, payment } from "./models.js";
import { charge } from "./payment.js";

const baggagePrice = 50n;
/** Ids of new certificates. A task needs no more. */
const certificateIds = ["certificate_3221322", "certificate_3221323", "certificate_3221324"];

export function cancelReservation(database: Database, { reservation_id }: Arguments): Value {
  const reservation = reservationOf(database, reservation_id as Value);
  const refunds = modelsField(reservation, "payment_history").map((paid) =>
    payment.make(
      new Map([
        ["payment_id", field(paid, "payment_id")],
        ["amount", -(field(paid, "amount") as bigint)],
      ]),
    ),
  );
  listField(reservation, "payment_history").push(...refunds);
  reservation.set("status", "cancelled");
  return reservation;
}

export function updateBaggages(database: Database, args: Arguments): Value {
  const { reservation_id, total_baggages, nonfree_baggages, payment_id } = args;
  const reservation = reservationOf(database, reservation_id as Value);
  const user = userOf(database, field(reservation, "user_id"));
  const more = subtract(nonfree_baggages as Value, field(reservation, "nonfree_baggages"));
  charge(reservation, user, payment_id as Value, times(baggagePrice, isLess(0n, more) ? more : 0n));
  reservation.set("total_baggages", total_baggages as Value);
  reservation.set("nonfree_baggages", nonfree_baggages as Value);
  return reservation;
}

export function updateFlights(database: Database, args: Arguments): Value {
  const { reservation_id, cabin, payment_id } = args as Record<string, Value>;
  const flights = instances(flightInfo, args.flights as Value);
  const reservation = reservationOf(database, reservation_id as Value);
  const user = userOf(database, field(reservation, "user_id"));
  const count = BigInt(lengthOf(field(reservation, "passengers")));
  const before = modelsField(reservation, "flights");
  const after = elements(flights).map((info) => {
    const [number, date] = [attribute(info, "flight_number"), attribute(info, "date")];
    return (
      keptFlight(reservation, before, number, date, cabin as Value) ??
      newFlight(database, number, date, cabin as Value, count)
    );
  });
  charge(reservation, user, payment_id as Value, (pricesOf(after) - pricesOf(before)) * count);
  reservation.set("flights", after);
  reservation.set("cabin", cabin as Value);
  return reservation;
}

/** Returns the flight that the reservation has in the same cabin, for which nothing is charged. */
function keptFlight(reservation: Model, before: readonly Model[], number: Value, date: Value, cabin: Value) {
  if (!isEqual(cabin, field(reservation, "cabin"))) return undefined;
  return before.find((each) => field(each, "flight_number") === number && field(each, "date") === date);
}

function newFlight(database: Database, number: Value, date: Value, cabin: Value, count: bigint): Model {
  const flight = flightOf(database, number);
  return pricedFlight(flight, flightOn(flight, number, date), number, date, cabin, count);
}

function pricesOf(flights: readonly Model[]): bigint {
  return flights.reduce((sum, each) => sum + (field(each, "price") as bigint), 0n);
}

export function updatePassengers(database: Database, args: Arguments): Value {
  const passengers = instances(passenger, args.passengers as Value);
  const reservation = reservationOf(database, args.reservation_id as Value);
  if (lengthOf(passengers) !== lengthOf(field(reservation, "passengers")))
    throw new ToolFailed("Number of passengers does not match");
  reservation.set("passengers", copyOf(passengers));
  return reservation;
}

export function sendCertificate(database: Database, { user_id, amount }: Arguments): Value {
  const user = userOf(database, user_id as Value);
  const methods = dictField(user, "payment_methods");
  const id = certificateIds.find((each) => !methods.has(each));
  if (id === undefined) throw new ToolFailed("Too many certificates");
  const fields: [string, Value][] = [
    ["id", id],
    ["amount", amount as Value],
    ["source", "certificate"],
  ];
  methods.set(id, certificate.make(new Map(fields)));
  // The message has the amount as the agent gave it, not as the database keeps it.
  return filled`Certificate ${id} added to user ${user_id as Value} with amount ${amount as Value}.`;
}
