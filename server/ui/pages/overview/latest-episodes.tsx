/** The caller's newest episodes. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { api, type EpisodeSummary } from "../../api.js";
import { changes } from "../../live.js";
import { dateText } from "../../numbers.js";
import { Failure } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { Sample } from "./sample.js";

const count = 8;

export function LatestEpisodes() {
  const rows = useSignal<readonly EpisodeSummary[] | null>(null);
  const error = useSignal<unknown>(null);
  useSignalEffect(() => {
    // Nothing is loaded before the page is connected.
    if (changes.value === 0) return;
    api.episodes({ limit: count }).then(
      ({ episodes }) => {
        rows.value = episodes;
        error.value = null;
      },
      (reason) => {
        error.value = reason;
      },
    );
  });
  // The page says that the connection is lost, and loads the episodes again afterwards.
  if (rows.value === null)
    return error.value === null ? <p class="quiet">Loading…</p> : <Failure error={error.value} />;
  if (rows.value.length === 0) return <Sample />;
  return (
    <>
      <table class="latest">
        <thead>
          <tr>
            <th scope="col">episode</th>
            <th scope="col">environment</th>
            <th scope="col">task</th>
            <th scope="col">created</th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map(({ episodeId, environment, task, createdAt }) => (
            <tr key={episodeId}>
              <td>
                <a class="id" href={linkTo(["episodes", episodeId])}>
                  {episodeId}
                </a>
              </td>
              <td>
                <Inline text={environment} most={120} />
              </td>
              <td>
                <Inline text={task.split} most={120} /> {task.index}
              </td>
              <td>
                <time dateTime={createdAt}>{dateText(createdAt)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={linkTo(["episodes"])}>All episodes</a>
      </p>
    </>
  );
}
