/** The airline's tools. */
import { dict, type Value } from "../../python/value.js";
import { field } from "../records.js";
import { intParameter, objectsParameter, textParameter } from "../schemas.js";
import { calculator, transfer } from "../shared-tools.js";
import type { DomainTool, Toolkit } from "../toolkit.js";
import { bookReservation } from "./booking.js";
import { cancelReservation, sendCertificate, updateBaggages, updateFlights, updatePassengers } from "./changes.js";
import { directFlights, flightOf, flightOn, oneStopFlights, reservationOf, userOf } from "./lookups.js";
import { cabins, flightTypes, insurances } from "./models.js";

const userId = { user_id: textParameter("Id of the user, such as first_last_1234.") };
const reservationId = { reservation_id: textParameter("Id of the reservation, such as AB12CD.") };
const paymentId = { payment_id: textParameter("Id of a payment method in the user's profile.") };
const cabin = { cabin: textParameter("Cabin of all flights.", cabins) };
const flights = {
  flights: objectsParameter("All flights, also unchanged ones.", { flight_number: "string", date: "string" }),
};
const passengers = {
  passengers: objectsParameter("All passengers. Dates are written as in 2024-05-01.", {
    first_name: "string",
    last_name: "string",
    dob: "string",
  }),
};
const baggages = {
  total_baggages: intParameter("Number of bags."),
  nonfree_baggages: intParameter("Number of bags that are paid for."),
};
const route = {
  origin: textParameter("Airport of departure, such as JFK."),
  destination: textParameter("Airport of arrival, such as LAX."),
};
const date = { date: textParameter("Date, as in 2024-05-01.") };

const cities: Readonly<Record<string, string>> = {
  SFO: "San Francisco",
  JFK: "New York",
  LAX: "Los Angeles",
  ORD: "Chicago",
  DFW: "Dallas",
  DEN: "Denver",
  SEA: "Seattle",
  ATL: "Atlanta",
  MIA: "Miami",
  BOS: "Boston",
  PHX: "Phoenix",
  IAH: "Houston",
  LAS: "Las Vegas",
  MCO: "Orlando",
  EWR: "Newark",
  CLT: "Charlotte",
  MSP: "Minneapolis",
  DTW: "Detroit",
  PHL: "Philadelphia",
  LGA: "LaGuardia",
};

const reading: Readonly<Record<string, DomainTool>> = {
  get_reservation_details: {
    kind: "read",
    description: "Shows a reservation.",
    parameters: reservationId,
    run: (database, args) => reservationOf(database, args.reservation_id as Value),
  },
  get_user_details: {
    kind: "read",
    description: "Shows a user, with payment methods and reservations.",
    parameters: userId,
    run: (database, args) => userOf(database, args.user_id as Value),
  },
  list_all_airports: {
    kind: "read",
    description: "Lists the airports and their cities.",
    parameters: {},
    run: () => Object.entries(cities).map(([iata, city]) => dict({ iata, city })),
  },
  search_direct_flight: {
    kind: "read",
    description: "Lists the flights between two airports on a date that have free seats.",
    parameters: { ...route, ...date },
    run: (database, args) => directFlights(database, args as { origin: Value; destination: Value; date: Value }),
  },
  search_onestop_flight: {
    kind: "read",
    description: "Lists the pairs of flights that lead from one airport to another with one stop.",
    parameters: { ...route, ...date },
    run: (database, { origin, destination, date }) =>
      oneStopFlights(database, origin as Value, destination as Value, date as Value),
  },
  get_flight_status: {
    kind: "read",
    description: "Shows the status of a flight on a date.",
    parameters: { flight_number: textParameter("Number of the flight, such as HAT001."), ...date },
    run: (database, args) => {
      const number = args.flight_number as Value;
      return field(flightOn(flightOf(database, number), number, args.date as Value), "status");
    },
  },
};

const writing: Readonly<Record<string, DomainTool>> = {
  book_reservation: {
    kind: "write",
    description: "Books flights for a user, and charges the payment methods.",
    parameters: {
      ...userId,
      ...route,
      flight_type: textParameter("Whether the trip leads back.", flightTypes),
      ...cabin,
      ...flights,
      ...passengers,
      payment_methods: objectsParameter("Payments in dollars, which add up to the price.", {
        payment_id: "string",
        amount: "integer",
      }),
      ...baggages,
      insurance: textParameter("Whether the trip is insured.", insurances),
    },
    run: bookReservation,
  },
  cancel_reservation: {
    kind: "write",
    description: "Cancels a whole reservation, and pays it back.",
    parameters: reservationId,
    run: cancelReservation,
  },
  send_certificate: {
    kind: "write",
    description: "Gives a user a certificate.",
    parameters: { ...userId, amount: intParameter("Amount in dollars.") },
    run: sendCertificate,
  },
  update_reservation_baggages: {
    kind: "write",
    description: "Changes the bags of a reservation, and charges for more of them.",
    parameters: { ...reservationId, ...baggages, ...paymentId },
    run: updateBaggages,
  },
  update_reservation_flights: {
    kind: "write",
    description: "Changes the flights or the cabin of a reservation, and charges or refunds the difference.",
    parameters: { ...reservationId, ...cabin, ...flights, ...paymentId },
    run: updateFlights,
  },
  update_reservation_passengers: {
    kind: "write",
    description: "Changes the data of a reservation's passengers. Their number stays the same.",
    parameters: { ...reservationId, ...passengers },
    run: updatePassengers,
  },
};

export const airlineTools: Toolkit = {
  className: "AirlineTools",
  tools: { ...reading, ...writing, calculate: calculator, transfer_to_human_agents: transfer },
  functions: {},
};
