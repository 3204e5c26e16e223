/** The start of a case's database: the customer, other customers, and ids of records. */
import type { Draw } from "../../shared/rng/draw.js";
import { type Customer, type Database, emptyDatabase } from "../world/database.js";
import { dayOf } from "../world/days.js";
import { type Half, people } from "./pools.js";

export class World {
  readonly database: Database;
  readonly customer: Customer;
  private readonly names: string[];

  constructor(
    readonly draw: Draw,
    readonly half: Half,
    readonly isNamesake: boolean,
  ) {
    this.database = emptyDatabase(dayOf(2024, draw.number(4, 10), draw.number(1, 28)));
    const { first, last } = people()[half];
    const [names, surnames] = [draw.some(first, 4), draw.some(last, 4)];
    this.names = names.map((name, at) => `${name} ${surnames[at]}`);
    this.customer = this.addCustomer(this.names[0] as string);
    for (const name of this.names.slice(1, 3)) this.addCustomer(name);
    if (isNamesake) this.addCustomer(this.customer.name);
  }

  get today(): number {
    return this.database.today;
  }

  get others(): Customer[] {
    return Object.values(this.database.customers).filter(({ id }) => id !== this.customer.id);
  }

  /** Returns a new id such as `A310`. */
  id(letter: string, digits = 3): string {
    const tables = [this.database.customers, this.database.orders, this.database.bookings, this.database.trips];
    for (;;) {
      const id = `${letter}${this.draw.number(10 ** (digits - 1), 10 ** digits - 1)}`;
      if (!tables.some((table) => Object.hasOwn(table, id))) return id;
    }
  }

  address(): string {
    const { streets, cities } = people()[this.half];
    return `${this.draw.number(1, 90)} ${this.draw.one(streets)}, ${this.draw.one(cities)}`;
  }

  postcode(): string {
    return String(this.draw.number(10_000, 98_999));
  }

  private email(name: string): string {
    const taken = Object.values(this.database.customers).map(({ email }) => email);
    for (;;) {
      const email = `${name.toLowerCase().replace(/[^a-z]+/g, ".")}${this.draw.number(10, 99)}@mail.example`;
      if (!taken.includes(email)) return email;
    }
  }

  private addCustomer(name: string): Customer {
    const { draw } = this;
    const customer: Customer = {
      id: this.id("C", 2),
      name,
      email: this.email(name),
      postcode: this.postcode(),
      addresses: { home: this.address() },
      methods: [`card-${draw.number(1_000, 9_999)}`, `gift-${draw.number(1_000, 9_999)}`],
      tier: "basic",
      notes: [],
    };
    this.database.customers[customer.id] = customer;
    return customer;
  }
}
