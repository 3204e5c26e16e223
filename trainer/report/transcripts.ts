/**
 * The transcripts on the page of a benchmark run. They are embedded as JSON and rendered when opened, so a page with
 * thousands of transcripts loads quickly; the search covers the whole text. Texts of policies and environments are only
 * inserted as text nodes.
 */
import type { Diagnosis, WorstEpisode } from "../evaluation/diagnosis.js";
import type { EpisodeRecord, TurnRecord } from "../evaluation/record.js";
import { escapeHtml } from "./escape.js";
import { decimal, percent } from "./evaluation-text.js";

/** A transcript as the page's script expects it. */
export interface Transcript {
  readonly name: string;
  readonly kind: "solved" | "unsolved" | "failed";
  readonly facts: string;
  /** Failure that ended the episode. */
  readonly lost?: string;
  readonly opening: string;
  readonly turns: readonly { readonly wrote: string; readonly aside: string; readonly seen: string }[];
}

const kinds = ["all", "solved", "unsolved", "failed"];

/** Returns the section of transcripts as HTML. @param k number of samples of each task */
export function transcriptSection(records: readonly EpisodeRecord[], k: number, prompt: string | undefined): string {
  const instructions =
    prompt === undefined
      ? ""
      : `<details class="episode"><summary>Instructions, the same for each</summary><pre class="seen">${escapeHtml(prompt)}</pre></details>`;
  const choices = kinds.map(
    (kind) =>
      `<label><input type="radio" name="kind" value="${kind}"${kind === "all" ? " checked" : ""}> ${kind}</label>`,
  );
  return `<h2>Transcripts</h2>
${instructions}
<div id="filter"><input id="query" type="search" placeholder="Search: each word has to occur" aria-label="Search transcripts" autocomplete="off">
${choices.join("\n")}<span id="count" aria-live="polite"></span></div>
<div id="list"></div>
<button id="more" type="button" hidden>Show more</button>
<noscript><p>Transcripts are shown by a script; episodes.jsonl beside this page has them too.</p></noscript>
<script type="application/json" id="transcripts">${embedded(records.map((record) => transcript(record, k)))}</script>`;
}

/** Returns buttons that show the transcripts of the worst episodes; empty without unsolved episodes. */
export function worstEpisodes({ worst }: Diagnosis, records: readonly EpisodeRecord[], k: number): string {
  const buttons = worst.flatMap((episode) => {
    const at = records.findIndex(({ played, sample }) => played.index === episode.index && sample === episode.sample);
    const record = records[at];
    if (!record) return [];
    const text = `${nameOf(record, k)}: ${stuck(episode)}`;
    return [`<li><button type="button" data-episode="${at}">${escapeHtml(text)}</button></li>`];
  });
  return buttons.length === 0
    ? ""
    : `<p>Unsolved episodes that stood still for the most rounds:</p><ul id="worst">${buttons.join("")}</ul>`;
}

function stuck({ diagnosis }: WorstEpisode): string {
  const { stalledRounds, rounds, repeatedActions, unchangedObservations, unreadReplies } = diagnosis;
  const unread = unreadReplies > 0 ? [`${unreadReplies} replies unread`] : [];
  const parts = [
    `${stalledRounds} of ${rounds} rounds without progress`,
    `${percent(repeatedActions)} of actions repeated`,
    `${percent(unchangedObservations)} of observations unchanged`,
    ...unread,
  ];
  return parts.join(", ");
}

/**
 * Returns JSON for a script element, which ends at the first "</script". The JSON is escaped so that it never contains
 * this text.
 */
function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function transcript(record: EpisodeRecord, k: number): Transcript {
  const { family, status, failure, score, solved, turns, opening } = record;
  const steps = `${turns.length} ${turns.length === 1 ? "step" : "steps"}`;
  const facts = [family, status, `score ${decimal(score)}`, steps].filter((fact) => fact !== undefined);
  return {
    name: nameOf(record, k),
    kind: failure ? "failed" : solved ? "solved" : "unsolved",
    facts: facts.join(" · "),
    ...(failure && { lost: `${failure.code} (${failure.class}): ${failure.message}` }),
    opening,
    turns: turns.map(turn),
  };
}

function nameOf({ played, sample }: EpisodeRecord, k: number): string {
  return `${played.split}:${played.index}${k > 1 ? ` sample ${sample + 1} of ${k}` : ""}`;
}

function turn({ reply, action, observation, reward }: TurnRecord): Transcript["turns"][number] {
  const sent = action === undefined ? "nothing was sent" : action === reply ? "" : `sent: ${action}`;
  const aside = [sent, reward === 0 ? "" : `reward ${decimal(reward, 3)}`].filter((text) => text !== "").join(" · ");
  return { wrote: reply, aside, seen: observation };
}

/** Script of the page, which runs in the browser. */
export const transcriptScript = `
"use strict";
const pageSize = 100;
const byId = (id) => document.getElementById(id);
const transcripts = JSON.parse(byId("transcripts").textContent);
const [query, list, more, count] = ["query", "list", "more", "count"].map(byId);
const texts = [];
let kind = "all", words = [], found = [], shown = 0;

function textOf(at) {
  if (texts[at] === undefined) {
    const { name, facts, lost = "", opening, turns } = transcripts[at];
    const parts = turns.flatMap(({ wrote, aside, seen }) => [wrote, aside, seen]);
    texts[at] = [name, facts, lost, opening, ...parts].join("\\n");
  }
  return texts[at];
}

function search() {
  words = query.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
  found = [];
  for (let at = 0; at < transcripts.length; at++) {
    if (kind !== "all" && transcripts[at].kind !== kind) continue;
    const text = words.length === 0 ? "" : textOf(at).toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(at);
  }
  shown = 0;
  list.replaceChildren();
  count.textContent = found.length + " of " + transcripts.length;
  showMore();
}

function showMore() {
  const page = found.slice(shown, shown + pageSize);
  shown += page.length;
  list.append(...page.map(episode));
  more.hidden = shown >= found.length;
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Returns the text with the words of the search marked. */
function marked(text) {
  if (words.length === 0) return [text];
  const lower = text.toLowerCase();
  // If the lower-case text has a different length, its positions cannot be used.
  if (lower.length !== text.length) return [text];
  const parts = [];
  let from = 0;
  for (;;) {
    let start = -1, end = -1;
    for (const word of words) {
      const at = lower.indexOf(word, from);
      if (at >= 0 && (start < 0 || at < start)) [start, end] = [at, at + word.length];
    }
    if (start < 0) return [...parts, text.slice(from)];
    parts.push(text.slice(from, start), element("mark", "", text.slice(start, end)));
    from = end;
  }
}

/** Returns an excerpt around the first match. */
function snippet(at) {
  if (words.length === 0) return [];
  const { name, facts } = transcripts[at];
  const text = textOf(at).slice(name.length + facts.length + 2);
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return [];
  const start = Math.max(0, Math.min(...places) - 40);
  const near = text.slice(start, start + 160).replace(/\\s+/g, " ");
  return [element("span", "snippet", start > 0 ? "…" : "", ...marked(near), "…")];
}

function episode(at) {
  const { name, kind: own, facts, lost, opening, turns } = transcripts[at];
  const summary = element("summary", "", element("b", "", ...marked(name)), " ", ...marked(facts), ...snippet(at));
  const details = element("details", "episode " + own, summary);
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    details.append(element("pre", "seen", ...marked(opening)), ...turns.map(turn));
    if (lost !== undefined) details.append(element("p", "lost", ...marked(lost)));
  });
  return details;
}

function turn({ wrote, aside, seen }, index) {
  const made = element("div", "turn", element("h3", "", String(index + 1)), element("pre", "wrote", ...marked(wrote)));
  if (aside !== "") made.append(element("p", "aside", ...marked(aside)));
  made.append(element("pre", "seen", ...marked(seen)));
  return made;
}

let timer;
query.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, 150);
});
byId("filter").addEventListener("change", ({ target }) => {
  if (target.name !== "kind") return;
  kind = target.value;
  search();
});
more.addEventListener("click", showMore);
byId("worst")?.addEventListener("click", ({ target }) => {
  const at = Number(target.dataset.episode ?? Number.NaN);
  if (!(at in transcripts)) return;
  found = [at];
  shown = 0;
  list.replaceChildren();
  count.textContent = "1 of " + transcripts.length;
  showMore();
  const [details] = list.children;
  details.open = true;
  details.scrollIntoView();
});
search();
`;
