/** The last failures, also of episodes that could not be started. */
import type { Now } from "../../api.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { PlayerName } from "./playing.js";

export function LastFailures({ failures }: { failures: Now["failures"] }) {
  return (
    <ul class="last-failures" aria-label="Last failures">
      {failures.map(({ at, player, environment, atReset, episodeId, code, message }, i) => (
        <li key={`${at} ${i}`}>
          <p>
            <code class="bad">{code}</code> in{" "}
            <a href={linkTo(["environments", environment])}>
              <Inline text={environment} most={120} />
            </a>{" "}
            {atReset && <span class="badge bad">did not start</span>}
            {episodeId !== null && (
              <a class="id" href={linkTo(["episodes", episodeId])}>
                {episodeId}
              </a>
            )}{" "}
            <PlayerName player={player} /> <time dateTime={at}>{new Date(at).toLocaleString()}</time>
          </p>
          {message !== null && (
            <p class="quiet">
              <Inline text={message} most={500} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
