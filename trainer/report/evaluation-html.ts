/** A benchmark run as one HTML page that needs nothing else: the figures, and every transcript to be read. */
import type { Evaluation } from "../evaluate.js";
import type { EpisodeRecord, TurnRecord } from "../evaluation/record.js";
import { settings } from "./evaluation-markdown.js";
import { decimal, familyColumns, familyRow, figures, intervalNote } from "./evaluation-text.js";

export function evaluationHtml({ report, records, prompt }: Evaluation): string {
  const { environment, split, policy, summary, notes } = report;
  const title = `${environment}, ${split}: ${policy}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
<h1>${escaped(title)}</h1>
${report.complete ? "" : "<p><strong>Cut short: not every planned episode is in it.</strong></p>"}
${table([], figures(summary))}
<p>${escaped(intervalNote)}</p>
${summary.families.length > 0 ? `<h2>By family</h2>${table(familyColumns, summary.families.map(familyRow))}` : ""}
${summary.failures.length > 0 ? `<h2>Failures</h2>${failures(summary.failures)}` : ""}
<h2>Settings</h2>
${table([], settings(report))}
${notes.map((note) => `<p>${escaped(note)}</p>`).join("\n")}
<h2>Transcripts</h2>
${prompt === undefined ? "" : `<details><summary>Instructions, the same for each</summary><pre>${escaped(prompt)}</pre></details>`}
<p id="filter">${["all", "solved", "unsolved", "failed"].map(filter).join(" ")}</p>
${records.map(episode).join("\n")}
<script>${script}</script>
</html>
`;
}

function filter(kind: string): string {
  return `<label><input type="radio" name="kind" value="${kind}"${kind === "all" ? " checked" : ""}> ${kind}</label>`;
}

function episode(record: EpisodeRecord): string {
  const { played, sample, family, status, failure, score, solved, turns, opening } = record;
  const kind = failure ? "failed" : solved ? "solved" : "unsolved";
  const name = `${played.split}:${played.index}${sample > 0 ? ` sample ${sample}` : ""}`;
  const facts = [family, status, `score ${decimal(score)}`, `${turns.length} steps`].filter(
    (fact) => fact !== undefined,
  );
  const lost = failure ? `<p>${escaped(`${failure.code} (${failure.class}): ${failure.message}`)}</p>` : "";
  return `<details class="episode ${kind}"><summary><b>${escaped(name)}</b> ${escaped(facts.join(" · "))}</summary>
<pre class="seen">${escaped(opening)}</pre>
${turns.map(turn).join("\n")}${lost}</details>`;
}

function turn({ reply, action, observation, reward }: TurnRecord, at: number): string {
  const sent = action === undefined ? "nothing was sent" : action === reply ? "" : `sent: ${action}`;
  const aside = [sent, reward === 0 ? "" : `reward ${decimal(reward, 3)}`].filter((text) => text !== "").join(" · ");
  return `<div class="turn"><h3>${at + 1}</h3><pre class="wrote">${escaped(reply)}</pre>
${aside === "" ? "" : `<p class="aside">${escaped(aside)}</p>`}<pre class="seen">${escaped(observation)}</pre></div>`;
}

function failures(all: Evaluation["report"]["summary"]["failures"]): string {
  const rows = all.map(({ class: failureClass, code, count, example }) => [failureClass, code, `${count}`, example]);
  return table(["class", "code", "episodes", "for example"], rows);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.length > 0 ? `<tr>${columns.map((name) => `<th>${escaped(name)}</th>`).join("")}</tr>` : "";
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escaped(text)}</td>`).join("")}</tr>`).join("\n");
  return `<table>${head}${body}</table>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

const style = `
:root { color-scheme: light dark; --line: #8884; --wrote: #3b82f618; --solved: #16a34a; --unsolved: #d97706; --failed: #8888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { border-bottom: 1px solid var(--line); padding: .25rem 1rem .25rem 0; text-align: left }
pre { white-space: pre-wrap; font: 13px/1.45 ui-monospace, monospace; margin: .25rem 0; padding: .5rem .75rem; border-radius: 4px }
.wrote { background: var(--wrote) } .aside { margin: 0 .75rem; font-size: .85rem; opacity: .75 }
.episode { border-left: 4px solid var(--line); padding-left: .75rem; margin: .35rem 0 } summary { cursor: pointer }
.solved { border-color: var(--solved) } .unsolved { border-color: var(--unsolved) } .failed { border-color: var(--failed) }
.turn { display: grid; grid-template-columns: 2rem 1fr } .turn > * { grid-column: 2 } .turn > h3 { grid-column: 1; grid-row: 1; font-size: .8rem; opacity: .6 }
`;

const script = `
document.getElementById("filter").addEventListener("change", ({ target }) => {
  for (const episode of document.querySelectorAll(".episode"))
    episode.hidden = target.value !== "all" && !episode.classList.contains(target.value);
});
`;
