import { type PageWindow, type Passage, windowCharacters } from "../shared/retrieval/source.js";
import type { Task } from "./tasks.js";
import { dateOf, longDateOf } from "./world/dates.js";
import type { Session } from "./world/history.js";

export const prompt = `You are the assistant of one user, and have talked with that user in many sessions. Answer the user's question from what was said in them. Think first, then take one action in each reply:

<search>words</search> shows the passages of the sessions that fit the words best, each with the id and the date of its session.
<open>session id</open> shows the session's text, ${windowCharacters} characters at a time; <open>session id from 4000</open> goes on at that character.
<answer>the answer, in as few words as possible</answer> ends the task.

What the user says changes over time, and is corrected at times: unless the question names a date, what counts is how things stand today. Plans that came to nothing do not count, and neither does what holds for somebody else. If the sessions do not tell, answer unknown.`;

export const invalid =
  "The reply holds no action. Take one of <search>words</search>, <open>session id</open> and <answer>answer</answer>.";
export const answered = "The answer was taken.";

export function opening({ question, history: { user, sessions, today } }: Task): string {
  const [first, last] = [sessions[0], sessions.at(-1)] as [Session, Session];
  const span = `${sessions.length} sessions (${first.id} to ${last.id}) from ${dateOf(first.day)} to ${dateOf(last.day)}`;
  return `Today is ${longDateOf(today)}. The user is ${user}. There are ${span}.\n\nQuestion: ${question}`;
}

/** Returns the title of a session in search results. */
export function titleOf({ day }: Session): string {
  return longDateOf(day);
}

/** Returns the text of a session for searches and for `open`. */
export function textOf({ turns }: Session): string {
  return turns.map(({ speaker, text }) => `${speaker === "user" ? "User" : "Assistant"}: ${text}`).join("\n");
}

export function results(query: string, passages: readonly Passage[]): string {
  if (passages.length === 0) return `<information>\nNothing was found for ${quoted(query)}.\n</information>`;
  const list = passages.map(({ id, title, text }, at) => `[${at + 1}] ${id}, ${title}\n${text}`);
  return `<information>\n${list.join("\n\n")}\n</information>`;
}

export function session(id: string, window: PageWindow | null): string {
  if (!window) return `<information>\nThere is no session ${quoted(id)}: ids are like session-7.\n</information>`;
  const { title, text, offset, length } = window;
  const end = offset + text.length;
  const more = end < length ? `\n\nIt goes on: <open>${window.id} from ${end}</open>` : "";
  return `<information>\n${window.id}, ${title} (characters ${offset} to ${end} of ${length})\n\n${text}${more}\n</information>`;
}

/** Quotes a text of the model in an observation, shortened if it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
