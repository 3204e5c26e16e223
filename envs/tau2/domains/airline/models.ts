/** Models of the airline's database. */
import { dictOf, float, int, list, literal, model, optional, text, union } from "../../python/model.js";
import { Model } from "../../python/value.js";

export const cabins = ["business", "economy", "basic_economy"] as const;
const cabin = literal(...cabins);
export const flightTypes = ["round_trip", "one_way"] as const;
export const insurances = ["yes", "no"] as const;
/** A number for each cabin. */
const perCabin = dictOf(int);

const name = model("Name", { first_name: text, last_name: text });
const address = model("Address", {
  address1: text,
  address2: optional(text),
  city: text,
  country: text,
  state: text,
  zip: text,
});

export const payment = model("Payment", { payment_id: text, amount: int });
export const passenger = model("Passenger", { first_name: text, last_name: text, dob: text });
export const flightInfo = model("FlightInfo", { flight_number: text, date: text });

const creditCard = model("CreditCard", { source: literal("credit_card"), id: text, brand: text, last_four: text });
const giftCard = model("GiftCard", { source: literal("gift_card"), id: text, amount: float });
export const certificate = model("Certificate", { source: literal("certificate"), id: text, amount: float });

const available = model("FlightDateStatusAvailable", {
  status: literal("available"),
  available_seats: perCabin,
  prices: perCabin,
});
const landed = model("FlightDateStatusLanded", {
  status: literal("landed"),
  actual_departure_time_est: text,
  actual_arrival_time_est: text,
});
const cancelled = model("FlightDateStatusCancelled", { status: literal("cancelled") });
const delayed = model("FlightDateStatusDelayed", {
  status: literal("delayed"),
  estimated_departure_time_est: text,
  estimated_arrival_time_est: text,
});
const flying = model("FlightDataStatusFlying", {
  status: literal("flying"),
  actual_departure_time_est: text,
  estimated_arrival_time_est: text,
});
const onTime = model("FlightDataStatusOnTime", {
  status: literal("on time"),
  estimated_departure_time_est: text,
  estimated_arrival_time_est: text,
});
const onDate = union([available, landed, cancelled, delayed, flying, onTime].map(({ type }) => type));

/** Whether seats of a flight on a date can be sold. */
export function isAvailable(status: unknown): status is Model {
  return status instanceof Model && status.model === available.name;
}

const flight = model("Flight", {
  flight_number: text,
  origin: text,
  destination: text,
  scheduled_departure_time_est: text,
  scheduled_arrival_time_est: text,
  dates: dictOf(onDate),
});

export const directFlight = model("DirectFlight", {
  flight_number: text,
  origin: text,
  destination: text,
  status: literal("available"),
  scheduled_departure_time_est: text,
  scheduled_arrival_time_est: text,
  date: optional(text),
  available_seats: perCabin,
  prices: perCabin,
});

export const reservationFlight = model("ReservationFlight", {
  flight_number: text,
  origin: text,
  destination: text,
  date: text,
  price: int,
});

const user = model("User", {
  user_id: text,
  name: name.type,
  address: address.type,
  email: text,
  dob: text,
  payment_methods: dictOf(union([creditCard, giftCard, certificate].map(({ type }) => type))),
  saved_passengers: list(passenger.type),
  membership: literal("gold", "silver", "regular"),
  reservations: list(text),
});

export const reservation = model("Reservation", {
  reservation_id: text,
  user_id: text,
  origin: text,
  destination: text,
  flight_type: literal(...flightTypes),
  cabin,
  flights: list(reservationFlight.type),
  passengers: list(passenger.type),
  payment_history: list(payment.type),
  created_at: text,
  total_baggages: int,
  nonfree_baggages: int,
  insurance: literal(...insurances),
  status: optional(literal("cancelled")),
});

export const flightDatabase = model("FlightDB", {
  flights: dictOf(flight.type),
  users: dictOf(user.type),
  reservations: dictOf(reservation.type),
});
