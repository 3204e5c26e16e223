/** An episode's task, seed, phase and parent. */
import type { ComponentChildren } from "preact";
import type { Episode } from "../../api.js";
import { shortNumber } from "../../numbers.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";

interface Props {
  episode: Episode;
  total: number;
  /** Further facts. */
  children: ComponentChildren;
}

export function EpisodeHeader({ episode, total, children }: Props) {
  const { episodeId, environment, task, seed, phase, index, maxSteps, parent, options, expertUsed, failure } = episode;
  const chosen = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return (
    <>
      <h1>
        <a href={linkTo(["environments", environment], { split: task.split })}>
          <Inline text={environment} most={120} />
        </a>{" "}
        <Inline text={task.split} most={200} /> {task.index}
      </h1>
      <p class="facts quiet">
        <span class={phase === "failed" ? "badge bad" : "badge"}>{phase}</span>
        {children}
        <span>
          return <b>{shortNumber(total)}</b>
        </span>
        <span>
          {index} of {maxSteps} steps
        </span>
        <span>seed {seed}</span>
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
      {failure && (
        <p class="failure">
          <code>{failure.code}</code> <Inline text={failure.message} />
        </p>
      )}
    </>
  );
}
