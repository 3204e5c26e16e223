/** How many episodes failed in which way, with links to them. */
import { failureKinds, failureMeanings, failureNames } from "../../../../formats/outcomes/failure.js";
import { countText } from "../../../numbers.js";
import { Scroll } from "../../../parts/scroll.js";
import { linkTo } from "../../../route.js";
import "./evaluation.css";
import type { EpisodeRow } from "./episode-source.js";

interface Props {
  rows: readonly EpisodeRow[];
  /** Path of the page with the episodes. */
  episodesPath: readonly string[];
}

export function FailureCounts({ rows, episodesPath }: Props) {
  const counts = failureKinds
    .map((kind) => ({ kind, count: rows.filter(({ failureKind }) => failureKind === kind).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return null;
  return (
    <>
      <h2>Kinds of failure</h2>
      <Scroll label="Kinds of failure" class="card failure-counts">
        <table>
          <tbody>
            {counts.map(({ kind, count }) => (
              <tr key={kind}>
                <th scope="row">
                  <a href={linkTo(episodesPath, { failure: kind })}>{failureNames[kind]}</a>
                </th>
                <td class="number">{countText(count)}</td>
                <td class="quiet">{failureMeanings[kind]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
