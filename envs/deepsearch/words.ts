import { type PageWindow, type Passage, windowCharacters } from "../shared/retrieval/source.js";

export const prompt = `Answer the question by searching and reading pages. Think first, then take one action in each reply:

<search>words</search> shows the passages that fit the words best, each with the id of its page.
<open>page id</open> shows the page's text, ${windowCharacters} characters at a time, and its links; <open>page id from 4000</open> goes on at that character.
<answer>the answer, in as few words as it takes</answer><cite>page id, page id</cite> ends the task. Cite the pages that prove the answer.

Pages may be out of date and contradict each other: check which of them is right.`;

export const invalid =
  "The reply holds no action. Take one of <search>words</search>, <open>page id</open> and <answer>answer</answer><cite>page ids</cite>.";
export const answered = "The answer was taken.";

const mostLinks = 40;

export function opening(question: string): string {
  return `Question: ${question.trim()}`;
}

export function results(query: string, passages: readonly Passage[]): string {
  if (passages.length === 0) return `<information>\nNothing was found for ${JSON.stringify(query)}.\n</information>`;
  const list = passages.map(({ id, title, text }, at) => `[${at + 1}] ${title} (page ${id})\n${text}`);
  return `<information>\n${list.join("\n\n")}\n</information>`;
}

export function page(id: string, window: PageWindow | null): string {
  if (!window) return `<information>\nThere is no page ${JSON.stringify(id)}.\n</information>`;
  const { title, text, offset, length, links } = window;
  const end = offset + text.length;
  const place = `characters ${offset} to ${end} of ${length}`;
  const more = end < length ? `\n\nIt goes on: <open>${window.id} from ${end}</open>` : "";
  return `<information>\n${title} (page ${window.id}, ${place})\n\n${text}${more}${linkLines(links)}\n</information>`;
}

function linkLines(links: PageWindow["links"]): string {
  if (links.length === 0) return "";
  const more = links.length > mostLinks ? `; and ${links.length - mostLinks} more` : "";
  const shown = links.slice(0, mostLinks).map(({ id, title }) => `${title} (${id})`);
  return `\n\nLinks: ${shown.join("; ")}${more}`;
}
