/**
 * The inventory of the agent. Amounts of any size are exact, since an agent may get 10^40 strings. Items are in the
 * order of a Python dictionary: an item keeps its position until it is used up.
 */
import { displayName } from "./naming.js";

/** Amount of an item, a non-negative integer: a number up to the largest safe integer, a bigint above. */
export type Amount = number | bigint;

/** Maximum number of digits of an integer that a double always represents exactly. */
const safeDigits = 15;

/** Parses decimal digits. Leading zeros are ignored. */
export function parseAmount(digits: string): Amount {
  return digits.length <= safeDigits ? Number(digits) : normal(BigInt(digits));
}

export class Inventory {
  private readonly amounts: Map<string, Amount>;

  constructor(copied?: Inventory) {
    this.amounts = new Map(copied?.amounts);
  }

  /** Whether the inventory contains the item, possibly with amount 0, and the amount is at least `count`. */
  has(item: string, count: Amount): boolean {
    const amount = this.amounts.get(item);
    return amount !== undefined && amount >= count;
  }

  /** Returns the amount of an item as a number. The result is Infinity if the amount is too large for a double. */
  count(item: string): number {
    return Number(this.amounts.get(item) ?? 0);
  }

  add(item: string, count: Amount): void {
    this.amounts.set(item, sum(this.amounts.get(item) ?? 0, count));
  }

  /** Removes an amount. The inventory must contain the amount: check this with `has` first. */
  remove(item: string, count: Amount): void {
    const left = difference(this.amounts.get(item) ?? 0, count);
    if (left === 0) this.amounts.delete(item);
    else this.amounts.set(item, left);
  }

  /**
   * Returns the text of the inventory, such as "[oak planks] (4) [stick] (2) " (with the final space), or a sentence if
   * it is empty.
   *
   * @param shown returns the agent's name of an item
   */
  describe(shown: (item: string) => string): string {
    if (this.amounts.size === 0) return "You are not carrying anything.";
    let text = "";
    for (const [item, amount] of this.amounts) text += `[${displayName(shown(item))}] (${amount}) `;
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
