/**
 * What the agent carries. Amounts are exact at any size, since an agent may get 10^40 strings: a number while it is a
 * safe integer, a bigint beyond. The order is that of a Python dictionary: an item keeps its place until it is used up.
 */
import { displayName } from "./recipes.js";

/** A whole number from 0. Never a bigint where a number is exact. */
export type Amount = number | bigint;

/** Longest run of digits that a double holds exactly. */
const safeDigits = 15;

/** @param digits decimal digits, of which leading zeros do not count */
export function parseAmount(digits: string): Amount {
  return digits.length <= safeDigits ? Number(digits) : normal(BigInt(digits));
}

export class Inventory {
  private readonly amounts: Map<string, Amount>;

  constructor(copied?: Inventory) {
    this.amounts = new Map(copied?.amounts);
  }

  /** Whether it has the item at all, even 0 of it, and no less than `count`. */
  has(item: string, count: Amount): boolean {
    const amount = this.amounts.get(item);
    return amount !== undefined && amount >= count;
  }

  /** How many of the item, as a plain number: infinity where a number cannot hold it. */
  count(item: string): number {
    return Number(this.amounts.get(item) ?? 0);
  }

  add(item: string, count: Amount): void {
    this.amounts.set(item, sum(this.amounts.get(item) ?? 0, count));
  }

  /** Takes away what `has` has granted. */
  remove(item: string, count: Amount): void {
    const left = difference(this.amounts.get(item) ?? 0, count);
    if (left === 0) this.amounts.delete(item);
    else this.amounts.set(item, left);
  }

  /** "[oak planks] (4) [stick] (2) ", with the space at the end, or that there is nothing. */
  describe(): string {
    if (this.amounts.size === 0) return "You are not carrying anything.";
    let text = "";
    for (const [item, amount] of this.amounts) text += `[${displayName(item)}] (${amount}) `;
    return text;
  }
}

function sum(a: Amount, b: Amount): Amount {
  if (typeof a === "number" && typeof b === "number" && a + b <= Number.MAX_SAFE_INTEGER) return a + b;
  return normal(BigInt(a) + BigInt(b));
}

function difference(a: Amount, b: Amount): Amount {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return normal(BigInt(a) - BigInt(b));
}

function normal(amount: bigint): Amount {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : amount;
}
