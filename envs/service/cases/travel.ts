/** Trips and bookings of a railway. */
import type { Booking, Fare, Trip } from "../world/database.js";
import { dateOf, datesOf } from "../world/days.js";
import type { Slot } from "./case.js";
import { type Source, slotOf } from "./plot.js";
import { people } from "./pools.js";
import { worded } from "./wordings.js";
import type { World } from "./world.js";

/** A booking, as the customer means it. */
export interface Journey {
  booking: Booking;
  trip: Trip;
  /** Phrase for the booking, such as `my train to Graz` or `booking B310`. */
  thing: string;
  slots: { record: Slot };
  /** Other trips of the route in the future. */
  others: Trip[];
}

export interface JourneyRequest {
  fare: Fare;
  status: "booked" | "travelled";
  seat: string;
  /** Seat of another booking of the route. */
  rivalSeat: string;
  /** Seats of two past journeys, and their departure if it was always the same. */
  past: { seats: readonly string[]; time?: string | undefined };
  late?: number;
  cause?: string;
}

const times = [
  "06:12",
  "07:25",
  "08:40",
  "09:55",
  "10:35",
  "12:15",
  "13:50",
  "14:05",
  "15:20",
  "16:45",
  "18:10",
  "19:30",
];

/** Draws departures in the past or the future, of which no two have the same day or time. */
class Departures {
  private readonly times: string[];
  private readonly days: number[];

  constructor(private readonly world: World) {
    const { draw } = world;
    this.times = draw.some(times, times.length);
    this.days = draw.some([...Array(24).keys()], 24);
  }

  next(isPast: boolean): Pick<Trip, "day" | "time"> {
    const days = 3 + (this.days.pop() as number);
    return { day: this.world.today + (isPast ? -days : days), time: this.time() };
  }

  time(): string {
    return this.times.pop() as string;
  }
}

export function addTrip(
  world: World,
  { from, to }: Pick<Trip, "from" | "to">,
  at: Pick<Trip, "day" | "time">,
  price: number,
): Trip {
  const { draw, database } = world;
  const [standard, comfort] = [price, price + 2 * draw.number(6, 18)];
  const free = { standard: draw.number(3, 60), comfort: draw.number(3, 20) };
  const trip = { id: world.id("T"), from, to, ...at, prices: { standard, comfort }, free, late: 0, cause: "" };
  database.trips[trip.id] = trip;
  return trip;
}

export function addBooking(
  world: World,
  trip: Trip,
  { fare, status, seat }: Pick<JourneyRequest, "fare" | "status" | "seat">,
  customer = world.customer,
): Booking {
  const booking: Booking = {
    id: world.id("B"),
    customer: customer.id,
    trip: trip.id,
    fare,
    class: "standard",
    seat,
    price: trip.prices.standard,
    paid: customer.methods[0] as string,
    status,
    refunds: [],
    fees: 0,
  };
  world.database.bookings[booking.id] = booking;
  return booking;
}

/** Adds the booking that the customer means, other trips and bookings of the route, and a booking of another customer. */
export function journey(world: World, request: JourneyRequest): Journey {
  const { draw } = world;
  const [from, to, elsewhere] = draw.some(people()[world.half].cities, 3) as [string, string, string];
  const route = { from, to };
  const departures = new Departures(world);
  const price = 4 * draw.number(8, 30);
  const isPast = request.status === "travelled";
  const trip = addTrip(world, route, departures.next(isPast), price);
  Object.assign(trip, { late: request.late ?? 0, cause: request.cause ?? "" });
  const booking = addBooking(world, trip, request);
  const known = drawReference(world);
  const hasRival = known === "told" || known === "asked" || draw.happens(1 / 2);
  const isRivalPast = known === "records" ? !isPast : isPast;
  const rival = hasRival && addRival(world, addTrip(world, route, departures.next(isRivalPast), price), request);
  const [first, second] = [departures.next(false), departures.next(false)];
  const dates = [first, { day: first.day, time: departures.time() }, second];
  const others = dates.map((at) => addTrip(world, route, at, price));
  addPast(world, request.past, to);
  const away = addTrip(world, { from, to: elsewhere }, departures.next(false), price);
  addBooking(
    world,
    draw.happens(1 / 2) ? trip : away,
    { fare: "basic", status: "booked", seat: "aisle" },
    world.others[0],
  );
  const record = recordSlot(world, known, booking, rival && known !== "records" ? rival : undefined);
  const thing = known === "told" ? `booking ${booking.id}` : `my train to ${to}`;
  return { booking, trip, thing, slots: { record }, others };
}

/** Of 10 bookings, 1 is named by its id, 3 are the only ones that can be meant, and 6 must be asked for. */
function drawReference({ draw }: World): Source {
  const at = draw.number(0, 9);
  return at < 1 ? "told" : at < 4 ? "records" : "asked";
}

/** Adds a booking that the customer could also mean. */
function addRival(world: World, trip: Trip, { fare, rivalSeat }: JourneyRequest): Booking {
  const isPast = trip.day < world.today;
  if (isPast) Object.assign(trip, { late: world.draw.number(3, 59), cause: "repair" });
  return addBooking(world, trip, { fare, status: isPast ? "travelled" : "booked", seat: rivalSeat });
}

function recordSlot(world: World, known: Source, booking: Booking, rival: Booking | undefined): Slot {
  const { draw, database } = world;
  const dayOf = ({ trip }: Booking) => (database.trips[trip] as Trip).day;
  const own = Object.values(database.bookings).filter(({ customer }) => customer === world.customer.id);
  return slotOf(known, booking.id, worded(draw, "whichTrain", { date: dateOf(dayOf(booking)) }), {
    is: [booking.id, booking.trip, ...datesOf(dayOf(booking))],
    not: rival ? [rival.id, rival.trip, ...datesOf(dayOf(rival))] : [],
    choices: own.map(({ id }) => id).sort(),
  });
}

/** Adds past journeys to other cities. */
function addPast(world: World, { seats, time }: JourneyRequest["past"], city: string): void {
  const { draw, today } = world;
  const cities = people()[world.half].cities.filter((each) => each !== city);
  for (const seat of seats) {
    const [from, to] = draw.some(cities, 2) as [string, string];
    const at = { day: today - draw.number(30, 120), time: time ?? draw.one(times) };
    const trip = addTrip(world, { from, to }, at, 4 * draw.number(8, 30));
    addBooking(world, trip, { fare: "basic", status: "travelled", seat });
  }
}
