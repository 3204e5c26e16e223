/** What an episode is: its task, seed, phase and parent. */
import type { Episode } from "../../api.js";
import { linkTo } from "../../route.js";

export function EpisodeHeader({ episode }: { episode: Episode }) {
  const { episodeId, environment, task, seed, phase, index, maxSteps, parent } = episode;
  return (
    <>
      <h1>
        {environment} {task.split} {task.index}
      </h1>
      <p class="quiet">
        <span class="id">{episodeId}</span> · seed {seed} · {phase} · {index} of at most {maxSteps} steps
        {parent !== null && (
          <>
            {" "}
            · forked from <a href={linkTo(["episodes", parent])}>{parent}</a>
          </>
        )}
      </p>
    </>
  );
}
