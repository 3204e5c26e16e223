import { dateOf, dayIn } from "./calendar.js";
import { type Kind, type Reading, wrongFor } from "./kind.js";

const pattern = /\bwhich date is (\d{1,5}) days? (after|before) (\d{1,2} \w{3,9} \d{4})/gi;
/** Errors of a wrong answer, in days. */
const slips = [1, -1, 2, -2, 7, -7, 30, -31];

export const dates: Kind = {
  ask({ draw, isEasy }) {
    const days = draw.number(3, isEasy ? 40 : 300);
    const start = dateOf(draw.number(18_262, 21_914));
    return { text: `Which date is ${days} days ${draw.one(["after", "before"])} ${start}?` };
  },
  read: (request) =>
    [...request.matchAll(pattern)].map(([, days = "", direction = "", start = ""]) => read(days, direction, start)),
};

function read(days: string, direction: string, start: string): Reading {
  const day = dayIn(start);
  if (day === null) return { missing: "a date such as 3 March 2024" };
  const end = day + (direction.toLowerCase() === "after" ? 1 : -1) * Number(days);
  const answer = dateOf(end);
  const wrong = wrongFor(
    answer,
    slips.map((slip) => dateOf(end + slip)),
  );
  return { problem: { subjects: [start.toLowerCase(), days], answer, wrong } };
}
