/**
 * Episodes as trajectories in the Agent Trajectory Interchange Format of Harbor, version 1.7
 * (https://harborframework.com/docs/trajectory-format). A step of the format is the prompt, the first observation, or an
 * action with the observation that follows it.
 */
import type { ObservationPart } from "../../../envs/env.js";
import { parseResult } from "../../episodes/episode/results.js";
import { version } from "../../version.js";
import type { ExportedEpisode, ExportedStep } from "./episode.js";
import { functionOf, json } from "./json-text.js";

export async function* atifOf(episode: ExportedEpisode): AsyncGenerator<string> {
  const { facts, solvedReward } = episode;
  const { episodeId, tools, prompt, createdAt } = facts;
  const agent = {
    // The gym does not know who plays.
    name: "unknown",
    version: "unknown",
    ...(tools.length > 0 && { tool_definitions: tools.map(functionOf) }),
    extra: { gym: "palestra", gymVersion: version },
  };
  yield `{"schema_version":"ATIF-v1.7","session_id":${json(episodeId)},"trajectory_id":${json(episodeId)},`;
  yield `"agent":${json(agent)},"extra":${json(factsOf(episode))},"steps":[`;
  const opening = parseResult(episode.opening);
  let number = 1;
  if (prompt !== "") yield `${json({ step_id: number++, timestamp: createdAt, source: "system", message: prompt })},`;
  const message = contentOf(opening.observation, opening.parts);
  yield json({ step_id: number++, timestamp: createdAt, source: "user", message, extra: { info: opening.info } });
  let sum = 0;
  for await (const step of episode.steps()) {
    sum += step.reward;
    yield `,${json(agentStep(number++, step))}`;
  }
  const extra = { return: sum, solved: episode.isEnded && sum >= solvedReward };
  yield `],"final_metrics":${json({ total_steps: number - 1, extra })}}`;
}

function agentStep(number: number, { action, atMs, observation, parts, ...outcome }: ExportedStep) {
  const { reward, terminated, truncated, info } = outcome;
  return {
    step_id: number,
    ...(atMs !== null && { timestamp: new Date(atMs).toISOString() }),
    source: "agent",
    message: action,
    observation: { results: [{ content: contentOf(observation, parts) }] },
    extra: { reward, terminated, truncated, info, ...others(parts) },
  };
}

type Content = string | object[];

/** The format has no SVG, so that a picture of this type is in the step's `extra`. */
function contentOf(text: string, parts: readonly ObservationPart[] = []): Content {
  const pictures = parts.flatMap((part) =>
    part.type === "image" && part.mediaType === "image/png"
      ? [{ type: "image", source: { media_type: part.mediaType, path: `data:image/png;base64,${part.data}` } }]
      : [],
  );
  return pictures.length === 0 ? text : [{ type: "text", text }, ...pictures];
}

function others(parts: readonly ObservationPart[] = []) {
  const rest = parts.filter((part) => part.type !== "image" || part.mediaType !== "image/png");
  return rest.length === 0 ? {} : { parts: rest };
}

function factsOf({ facts }: ExportedEpisode) {
  const { environment, task, seed, options, phase, terminated, truncated, expertUsed, parent, maxSteps } = facts;
  return { environment, task, seed, options, phase, terminated, truncated, expertUsed, parent, maxSteps };
}
