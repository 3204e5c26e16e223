import type { Part } from "./job/job.js";
import { dayIn } from "./kinds/calendar.js";

const longestAnswer = 2_000;

/** Whether an answer is right. Case, spaces, quotes, a final point and the common forms of dates and numbers do not matter. */
export function isRight({ kind, problem: { answer } }: Pick<Part, "kind" | "problem">, given: string): boolean {
  if (given.length > longestAnswer) return false;
  const [wanted, received] = [plain(answer), plain(given)];
  if (wanted === received) return true;
  if (kind === "dates") return dayIn(plain(answer)) === dayIn(received.replace(/^\w+day,? /, ""));
  if (kind === "sorting") return wanted.replaceAll(", ", " ") === received.replaceAll(",", " ").replace(/\s+/g, " ");
  const isNumber = /^-?\d+$/.test(wanted);
  return isNumber && /^-?\d{1,3}(,\d{3})+$/.test(received) && received.replaceAll(",", "") === wanted;
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/^["'`]+|["'`.]+$/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}
