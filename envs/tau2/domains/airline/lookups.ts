/** Look-ups in the airline's database, with the errors of tau2-bench. */
import { lookUp } from "../../python/operations.js";
import { type Dict, type Model, ToolFailed, type Value } from "../../python/value.js";
import { dictField, field, textField } from "../records.js";
import type { Database, Table } from "../table.js";
import { filled } from "../toolkit.js";
import { directFlight, isAvailable } from "./models.js";

export function userOf(database: Database, id: Value): Model {
  return found(database.table("users"), id, filled`User ${id} not found`);
}

export function reservationOf(database: Database, id: Value): Model {
  return found(database.table("reservations"), id, filled`Reservation ${id} not found`);
}

/** Returns a flight for reading. */
export function flightOf(database: Database, number: Value): Model {
  const flight = lookUp({ get: (id) => database.table("flights")?.look(id) }, number);
  if (flight) return flight;
  throw new ToolFailed(filled`Flight ${number} not found`);
}

/** Returns a flight's state on a date. */
export function flightOn(flight: Model, number: Value, date: Value): Model {
  const status = lookUp(dictField(flight, "dates"), date);
  if (status) return status as Model;
  throw new ToolFailed(filled`Flight ${number} not found on date ${date}`);
}

function found(table: Table | undefined, id: Value, message: string): Model {
  const record = table && lookUp(table, id);
  if (record) return record;
  throw new ToolFailed(message);
}

interface Sought {
  date: Value;
  origin: Value;
  destination: Value;
  /** Earliest time of departure. */
  after?: string;
}

/** Returns the flights on a date that have free seats. A place that is null stands for any. */
export function directFlights(database: Database, { date, origin, destination, after }: Sought): Model[] {
  const results: Model[] = [];
  for (const [, flight] of database.table("flights")?.all() ?? []) {
    if (origin !== null && field(flight, "origin") !== origin) continue;
    if (destination !== null && field(flight, "destination") !== destination) continue;
    const status = lookUp(dictField(flight, "dates"), date);
    if (!isAvailable(status)) continue;
    if (after !== undefined && textField(flight, "scheduled_departure_time_est") < after) continue;
    results.push(directFlight.make(new Map([...flight, ...status] as [string, Value][])));
  }
  return results;
}

/** Returns the pairs of flights with one stop, the second of which leaves after the first has arrived. */
export function oneStopFlights(database: Database, origin: Value, destination: Value, date: Value): Value[] {
  return directFlights(database, { date, origin, destination: null }).flatMap((first) => {
    first.set("date", date);
    const arrival = textField(first, "scheduled_arrival_time_est");
    const secondDate = arrival.includes("+1") ? dayAfter(date as string) : date;
    const sought = { date: secondDate, origin: field(first, "destination"), destination, after: arrival };
    return directFlights(database, sought).map((second): Value => {
      second.set("date", secondDate);
      return [first, second] as Dict[];
    });
  });
}

/** Returns the next day in the month of the data, without leading zeros, as tau2-bench does. */
function dayAfter(date: string): string {
  return `2024-05-${Number(date.slice(-2)) + 1}`;
}
