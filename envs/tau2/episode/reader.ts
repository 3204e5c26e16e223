/** Reads the parts of a JSON value, with errors that name the place. */
import { jsonText } from "../python/text.js";
import { type Dict, Model, type Value } from "../python/value.js";

const mostShown = 80;

export class Reader {
  constructor(
    readonly value: Value,
    private readonly place: string,
  ) {}

  /** Returns a part of a dict. @throws {Error} it is absent */
  get(name: string): Reader {
    const found = this.optional(name);
    if (found) return found;
    throw this.unlike(`the field ${name}`);
  }

  /** Returns a part of a dict, or undefined if it is absent or null. @throws {Error} the value is no dict */
  optional(name: string): Reader | undefined {
    const value = this.dict().get(name);
    return value === undefined || value === null ? undefined : new Reader(value, `${this.place}.${name}`);
  }

  list(): Reader[] {
    if (!Array.isArray(this.value)) throw this.unlike("a list");
    return this.value.map((each, at) => new Reader(each, `${this.place}[${at}]`));
  }

  text(): string {
    if (typeof this.value !== "string") throw this.unlike("a text");
    return this.value;
  }

  texts(): string[] {
    return this.list().map((each) => each.text());
  }

  dict(): Dict {
    if (!(this.value instanceof Map) || this.value instanceof Model) throw this.unlike("an object");
    return this.value;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    const found = values.find((each) => each === this.value);
    if (found === undefined) throw this.unlike(`one of ${values.join(", ")}`);
    return found;
  }

  private unlike(expected: string): Error {
    const text = jsonText(this.value);
    const received = text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
    return new Error(`expected ${expected} in ${this.place}, but received ${received}`);
  }
}
