/** Components for user texts, times and counts. */
import type { FC } from "hono/jsx";
import { day, now } from "../../../clock.js";

/** Renders user markup: paragraphs, line breaks, dash lists, quotes, bold words and links. */
export const Prose: FC<{ text: string }> = ({ text }) => (
  <>
    {text
      .split(/\n{2,}/)
      .filter((block) => block.trim() !== "")
      .map((block) => {
        const lines = block.split("\n");
        if (lines.every((line) => line.startsWith("- ")))
          return (
            <ul>
              {lines.map((line) => (
                <li>
                  <Words text={line.slice(2)} />
                </li>
              ))}
            </ul>
          );
        const isQuote = lines.every((line) => line.startsWith(">"));
        const shown = lines.map((line) => (isQuote ? line.replace(/^> ?/, "") : line));
        const paragraph = (
          <p>
            {shown.map((line, at) => (
              <>
                {at > 0 && <br />}
                <Words text={line} />
              </>
            ))}
          </p>
        );
        return isQuote ? <blockquote>{paragraph}</blockquote> : paragraph;
      })}
  </>
);

const Words: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(/(\*\*[^*]+\*\*|https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part) => {
      if (/^https?:\/\//.test(part))
        return (
          <a href={part} rel="nofollow">
            {part}
          </a>
        );
      return part.startsWith("**") && part.length > 4 ? <strong>{part.slice(2, -2)}</strong> : part;
    })}
  </>
);

const units: readonly (readonly [string, number])[] = [
  ["year", 365 * day],
  ["month", 30 * day],
  ["week", 7 * day],
  ["day", day],
  ["hour", day / 24],
  ["minute", day / 1440],
];

export function plural(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}

/** Formats a time as `3 days ago`. */
export function sinceThen(time: number): string {
  for (const [name, length] of units) {
    const count = Math.floor((now - time) / length);
    if (count >= 1) return `${plural(count, name)} ago`;
  }
  return "just now";
}

const months = "January February March April May June July August September October November December".split(" ");

/** Formats a time as `March 5, 2024`. */
export function dateOf(time: number): string {
  const date = new Date(time);
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

function clockOf(time: number): string {
  const date = new Date(time);
  const hours = date.getUTCHours();
  return `${hours % 12 || 12}:${`${date.getUTCMinutes()}`.padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
}

/** @param isFull whether the date is shown as text. If false, only the tooltip shows the date. */
export const Time: FC<{ at: number; isFull?: boolean }> = ({ at, isFull = false }) => {
  const full = `${dateOf(at)} at ${clockOf(at)}`;
  return (
    <time datetime={new Date(at).toISOString()} title={full}>
      {isFull ? `${sinceThen(at)} (${full})` : sinceThen(at)}
    </time>
  );
};
