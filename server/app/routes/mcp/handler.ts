/** What an endpoint of the Model Context Protocol offers, and how results and errors are written for its clients. */
import type { CallToolResult, ContentBlock, ReadResourceResult, Resource, Tool } from "@modelcontextprotocol/server";
import { MoveError } from "../../../adapter/moves.js";
import type { EpisodeResult } from "../../../episodes/episode/results.js";
import type { Gym } from "../../../episodes/gym.js";
import { GymError, shown } from "../../../errors.js";
import { transcriptOf } from "./transcript.js";

export interface ToolHandler {
  /** Instructions for the model that uses the endpoint. */
  readonly instructions: string;
  tools(): Tool[];
  call(name: string, given: Record<string, unknown>): Promise<CallToolResult>;
  resources(): Resource[];
  /** @throws {GymError} */
  read(uri: string): Promise<ReadResourceResult>;
}

/** Tells the log and the metrics about an error, and returns it as an error of the table. */
export type Told = (error: Error) => GymError;

export function text(content: string): ContentBlock {
  return { type: "text", text: content };
}

export function observationBlocks({ observation, parts = [], terminated, truncated }: EpisodeResult): ContentBlock[] {
  const others = parts.map((part): ContentBlock => {
    if (part.type === "json") return text(JSON.stringify(part.data));
    return { type: "image", data: part.data, mimeType: part.mediaType };
  });
  const end = terminated ? "The task has ended." : "The limit of steps is reached, and the task has ended.";
  return [text(observation), ...others, ...(terminated || truncated ? [text(end)] : [])];
}

/** Returns the result of a call that failed. The model reads it, and may call again. */
export function failedResult(error: Error, told: Told): CallToolResult {
  const message = error instanceof MoveError ? error.message : messageOf(told(error));
  return { isError: true, content: [text(message)] };
}

function messageOf({ code, message }: GymError): string {
  return `${code}: ${message}`;
}

const uriPattern = /^palestra:\/\/episodes\/([^/]{1,64})\/(transcript|render)$/;

/** Returns the id of the episode in the address of a resource, or undefined if it names none. */
export function episodeIn(uri: string): string | undefined {
  return uriPattern.exec(uri)?.[1];
}

export function resourcesOf(episodeId: string, isDrawn: boolean): Resource[] {
  const base = `palestra://episodes/${episodeId}`;
  const transcript = { uri: `${base}/transcript`, name: "transcript", mimeType: "text/markdown" };
  return [transcript, ...(isDrawn ? [{ uri: `${base}/render`, name: "picture" }] : [])];
}

/**
 * Reads a resource of an episode.
 *
 * @param only id of the only episode whose resources may be read, or undefined
 * @throws {GymError}
 */
export async function readResource(gym: Gym, owner: string, uri: string, only?: string): Promise<ReadResourceResult> {
  const [, id = "", kind] = uriPattern.exec(uri) ?? [];
  if (!kind || (only !== undefined && id !== only)) {
    const expected = "a resource such as palestra://episodes/<episodeId>/transcript";
    throw new GymError("REQUEST_INVALID", only === undefined ? expected : `${expected} of this episode`, shown(uri));
  }
  const episode = await gym.find(owner, id);
  // A client whose connection broke during a call reads here whether the call was a step.
  await episode.settled();
  if (kind === "transcript")
    return { contents: [{ uri, mimeType: "text/markdown", text: await transcriptOf(gym, episode) }] };
  const { picture } = await gym.render(owner, episode.row.id);
  const { mediaType, data } = JSON.parse(picture) as { mediaType: string; data: string };
  return { contents: [{ uri, mimeType: mediaType, blob: data }] };
}
