/** An episode's goal, verdict and task, and what else identifies it. */
import type { ComponentChildren } from "preact";
import type { Episode, Step } from "../../api.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { VerdictLine } from "./verdict.js";

interface Props {
  episode: Episode;
  steps: readonly Step[];
  /** Further facts. */
  children: ComponentChildren;
}

export function EpisodeHeader({ episode, steps, children }: Props) {
  const { environment, task, goal } = episode;
  return (
    <>
      <h1>
        {goal ? (
          <Inline text={goal} most={400} />
        ) : (
          <>
            <Inline text={environment} most={120} /> <Inline text={task.split} most={200} /> {task.index}
          </>
        )}
      </h1>
      <VerdictLine episode={episode} steps={steps} />
      <Facts episode={episode}>{children}</Facts>
    </>
  );
}

function Facts({ episode, children }: { episode: Episode; children: ComponentChildren }) {
  const { episodeId, environment, task, seed, index, maxSteps, parent, options, run, policy, expertUsed } = episode;
  const chosen = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return (
    <p class="facts quiet">
      <a href={linkTo(["environments", environment], { split: task.split })}>
        <Inline text={environment} most={120} /> <Inline text={task.split} most={200} /> {task.index}
      </a>
      {children}
      <span>
        {index} of {maxSteps} steps
      </span>
      <span>seed {seed}</span>
      {policy && <Inline text={`policy ${policy}`} most={200} />}
      {run && (
        <a href={linkTo(["runs", run])}>
          run <Inline text={run} most={200} />
        </a>
      )}
      {chosen.length > 0 && <Inline text={chosen.join(", ")} most={600} />}
      {expertUsed && <span class="badge">expert used</span>}
      {parent !== null && (
        <span>
          forked from{" "}
          <a class="id" href={linkTo(["episodes", parent])}>
            {parent}
          </a>
        </span>
      )}
      <span class="id">{episodeId}</span>
    </p>
  );
}
