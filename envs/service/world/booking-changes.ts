/** Changes of bookings of the railway. */
import { type ChangeKind, expected } from "./change.js";
import { type Booking, type Customer, type Database, rowOf, type Trip } from "./database.js";
import { wrongMethod } from "./return-changes.js";

export const changeFee = 15;
export const voucher = "voucher";
export const seats = ["aisle", "window"];
/** Causes of a delay that are not the company's fault. */
export const excused = "weather";

export function bookingOf(database: Database, id: string): Booking {
  return database.bookings[id] as Booking;
}

export function tripOf(database: Database, { trip }: Pick<Booking, "trip">): Trip {
  return database.trips[trip] as Trip;
}

/** Returns the compensation that the policy grants for a booking. */
export function compensationOf(database: Database, booking: Booking): number {
  const { late, cause } = tripOf(database, booking);
  if (booking.status !== "travelled" || cause === excused || late < 60) return 0;
  return late < 120 ? booking.price / 4 : booking.price / 2;
}

function wrongBooking({ bookings }: Database, id = ""): string | undefined {
  return rowOf(bookings, id) ? undefined : expected("the id of a booking, such as B310,", id);
}

function wrongSeat(seat = ""): string | undefined {
  return seats.includes(seat) ? undefined : expected("the seat aisle or window", seat);
}

function methodsOf(database: Database, booking: string): string[] {
  return (rowOf(database.customers, bookingOf(database, booking).customer) as Customer).methods;
}

/** Returns the reason why a booking can no longer be changed, or undefined. */
function closed(database: Database, id: string): string | undefined {
  const booking = bookingOf(database, id);
  if (booking.status !== "booked") return `booking ${id} is ${booking.status}`;
  if (tripOf(database, booking).day <= database.today) return `booking ${id} departs today`;
  return undefined;
}

function ofSaver(database: Database, id: string, what: string): string | undefined {
  return bookingOf(database, id).fare === "saver"
    ? `booking ${id} has a saver fare, which cannot be ${what}`
    : undefined;
}

function moveSeat(database: Database, booking: Booking, trip: Trip, to: Booking["class"]): void {
  tripOf(database, booking).free[booking.class] += 1;
  trip.free[to] -= 1;
}

function unfitTrip(database: Database, id: string, trip: Trip): string | undefined {
  const booking = bookingOf(database, id);
  const old = tripOf(database, booking);
  if (trip.from !== old.from || trip.to !== old.to) return `${trip.id} has another route`;
  if (trip.day <= database.today) return `${trip.id} departs too soon`;
  return trip.free[booking.class] === 0 ? `${trip.id} is full` : undefined;
}

const owner: ChangeKind["owner"] = (database, [booking = ""]) => bookingOf(database, booking).customer;

function tripPrice(database: Database, [id = "", trip = ""]: readonly string[]): number {
  const booking = bookingOf(database, id);
  const more = Math.max(0, (database.trips[trip] as Trip).prices[booking.class] - booking.price);
  return more + (booking.fare === "flex" ? 0 : changeFee);
}

function upgradePrice(database: Database, [id = ""]: readonly string[]): number {
  const { prices } = tripOf(database, bookingOf(database, id));
  return Math.max(0, prices.comfort - prices.standard);
}

function cancelLoss(database: Database, [id = ""]: readonly string[]): number {
  const { fare, price } = bookingOf(database, id);
  return fare === "flex" ? 0 : price / 2;
}

export const bookingChanges: Readonly<Record<string, ChangeKind>> = {
  change_trip: {
    parameters: ["booking", "trip", "seat"],
    wrong: (database, [booking, trip = "", seat]) =>
      wrongBooking(database, booking) ??
      (rowOf(database.trips, trip) ? wrongSeat(seat) : expected("the id of a trip, such as T310,", trip)),
    forbidden: (database, [booking = "", trip = ""]) =>
      closed(database, booking) ??
      ofSaver(database, booking, "changed") ??
      unfitTrip(database, booking, database.trips[trip] as Trip),
    cost: tripPrice,
    perform(database, args) {
      const [id = "", to = "", seat = ""] = args;
      const [booking, trip] = [bookingOf(database, id), database.trips[to] as Trip];
      const cost = tripPrice(database, args);
      moveSeat(database, booking, trip, booking.class);
      booking.fees += cost;
      booking.trip = to;
      booking.seat = seat;
      return `${id} is now for ${to} with the seat ${seat}${cost > 0 ? `, for $${cost}` : ""}.`;
    },
    owner,
  },
  upgrade_booking: {
    parameters: ["booking", "seat"],
    wrong: (database, [booking, seat]) => wrongBooking(database, booking) ?? wrongSeat(seat),
    forbidden(database, [id = ""]) {
      const booking = bookingOf(database, id);
      if (booking.class === "comfort") return `booking ${id} is in comfort class already`;
      const isFull = tripOf(database, booking).free.comfort === 0;
      return closed(database, id) ?? (isFull ? `comfort class of ${booking.trip} is full` : undefined);
    },
    cost: upgradePrice,
    perform(database, args) {
      const [id = "", seat = ""] = args;
      const booking = bookingOf(database, id);
      const cost = upgradePrice(database, args);
      moveSeat(database, booking, tripOf(database, booking), "comfort");
      booking.class = "comfort";
      booking.seat = seat;
      booking.fees += cost;
      return `${id} is now in comfort class with the seat ${seat}, for $${cost}.`;
    },
    owner,
  },
  cancel_booking: {
    parameters: ["booking", "method"],
    wrong: (database, [booking = "", method]) =>
      wrongBooking(database, booking) ?? wrongMethod(methodsOf(database, booking), method),
    forbidden: (database, [booking = ""]) => closed(database, booking) ?? ofSaver(database, booking, "cancelled"),
    cost: cancelLoss,
    perform(database, args) {
      const [id = "", method = ""] = args;
      const booking = bookingOf(database, id);
      const amount = booking.price - cancelLoss(database, args);
      tripOf(database, booking).free[booking.class] += 1;
      booking.status = "cancelled";
      booking.refunds.push({ amount, method });
      return `${id} is cancelled. $${amount} goes to ${method}.`;
    },
    owner,
  },
  compensate: {
    parameters: ["booking", "amount", "method"],
    wrong: (database, [booking = "", amount = "", method]) =>
      wrongBooking(database, booking) ??
      (/^\d{1,6}$/.test(amount)
        ? wrongMethod([...methodsOf(database, booking), voucher], method)
        : expected("a whole number of dollars", amount)),
    forbidden(database, [id = "", amount]) {
      const due = compensationOf(database, bookingOf(database, id));
      if (due === 0) return `the policy grants no compensation for ${id}`;
      return Number(amount) === due ? undefined : `the policy grants $${due} for ${id}`;
    },
    cost: () => 0,
    perform(database, [id = "", amount, method = ""]) {
      bookingOf(database, id).refunds.push({ amount: Number(amount), method });
      return `$${Number(amount)} for ${id} goes to ${method}.`;
    },
    owner,
  },
};
