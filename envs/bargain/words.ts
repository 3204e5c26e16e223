/** Texts of a bargain. */
import { type Amounts, type Bargain, goods, type Seat, worth } from "./deal.js";

export const prompt = `Two players share some books, hats and balls. You know what a piece of each is worth to you, but not what it is worth to the other player. All goods together are worth ${worth} to each of you. You get what your share is worth to you, and nothing without a deal.

You take turns. Each turn is one of these actions:
say TEXT: talk to the other player.
keep 2 books, 1 hat: propose that you keep these goods and the other player gets the rest. \`keep nothing\` leaves everything.
accept: accept the other player's newest proposal.
walk away: end without a deal.`;

/** Returns a list of goods such as "2 books, 1 hat", or "nothing". */
export function listOf(amounts: Amounts): string {
  const named = amounts.flatMap((amount, at) => {
    const [one, several] = goods[at] as readonly [string, string];
    return amount > 0 ? [`${amount} ${amount === 1 ? one : several}`] : [];
  });
  return named.join(", ") || "nothing";
}

/** Returns what a piece of each good is worth to a seat, such as "book 1, hat 3, ball 2". */
export function valuesText(values: Amounts): string {
  return values.map((value, at) => `${goods[at]?.[0]} ${value}`).join(", ");
}

export function openingOf({ amounts, values }: Bargain, seat: Seat): string {
  return `Goods: ${listOf(amounts)}. Worth to you: ${valuesText(values[seat])}.`;
}
