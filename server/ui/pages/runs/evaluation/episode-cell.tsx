/** The parts of a task's row: its name, and each episode as a coloured sign, which leads to its transcript. */
import { Inline } from "../../../parts/text.js";
import type { EpisodeRow } from "./episode-source.js";
import { outcomeOf, outcomeText, signs } from "./matrix.js";

interface Props {
  row: EpisodeRow | undefined;
  /** Name of the episode. */
  name: string;
  href: (row: EpisodeRow) => string;
}

export function EpisodeCell({ row, name, href }: Props) {
  if (!row) {
    return (
      <span class="cell none" title={`${name}: not played`}>
        ·
      </span>
    );
  }
  const outcome = outcomeOf(row);
  const label = `${name}: ${outcomeText(row)}`;
  return (
    <a class={`cell ${outcome}`} href={href(row)} aria-label={label} title={label}>
      {signs[outcome]}
    </a>
  );
}

/** The name of a task at the start of its row, with its family. */
export function TaskName({ name, family }: { name: string; family: string | undefined }) {
  return (
    <span class="task-name">
      <b>
        <Inline text={name} most={80} />
      </b>{" "}
      {family !== undefined && (
        <span class="quiet">
          <Inline text={family} most={60} />
        </span>
      )}
    </span>
  );
}
