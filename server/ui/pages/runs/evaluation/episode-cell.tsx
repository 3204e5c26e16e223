/** An episode of an evaluation as a coloured sign, which leads to its transcript. */
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
