/**
 * Calls of the gym's API. The page is at `ui/` below the gym's URL, so a path prefix or a token in the path (`/t/<token>/ui/`)
 * applies to the calls, too.
 */
import { signal } from "@preact/signals";
import createClient, { defaultPathSerializer } from "openapi-fetch";
import type { components, paths } from "../../openapi/gym.js";

type Schemas = components["schemas"];
export type Environment = Schemas["Environment"];
export type Episode = Schemas["Episode"];
export type EpisodePage = Schemas["EpisodePage"];
export type EpisodeSummary = Schemas["EpisodeSummary"];
export type Judgment = Schemas["Judgment"];
export type Now = Schemas["Now"];
export type Opening = Schemas["Opening"];
export type Part = Schemas["ObservationPart"];
export type ReplayLine = Schemas["ReplayLine"];
export type Step = Schemas["TranscriptStep"];
export type StepReply = Schemas["StepReply"];
export type Tool = Schemas["Tool"];

/** Properties that listed episodes must have, and what is told of each. */
export type EpisodeFilter = NonNullable<paths["/v1/episodes"]["get"]["parameters"]["query"]>;

export type Run = Schemas["Run"];
export type Finding = Extract<Run, { kind: "training" }>["health"][number];
export type RunRow = Schemas["RunList"]["runs"][number];
export type TrainStepGroups = Schemas["TrainStepGroups"];
export type LoggedRollout = Schemas["LoggedRollout"];

export const gymUrl = new URL("..", new URL(".", location.href)).href;

/** Refusal of the page's token, or of a page without one, by the gym's newest such reply. Null if the gym has refused none. */
export const tokenRefusal = signal<CallError | null>(null);

/** An error that the gym answered, or a gym that cannot be reached. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const client = createClient<paths>({
  baseUrl: gymUrl.replace(/\/$/, ""),
  pathSerializer(path, parameters) {
    // A browser resolves the names `.` and `..` in a path, so a link to the page could make it call other paths.
    const name = Object.values(parameters).find((value) => /^\.{0,2}$/.test(String(value)));
    if (name !== undefined) throw new CallError("NAME_INVALID", `“${name}” is no name.`);
    return defaultPathSerializer(path, wellFormed(parameters));
  },
});

/** Returns the parameters without halves of characters, which no URL can have. */
function wellFormed(parameters: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(parameters);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  );
}

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** @throws {CallError} */
async function resultOf<T>(call: Promise<Reply<T>>): Promise<T> {
  let reply: Reply<T>;
  try {
    reply = await call;
  } catch (error) {
    throw error instanceof CallError ? error : new CallError("UNREACHABLE", "The gym does not answer.");
  }
  if (reply.data !== undefined) return reply.data;
  const { error } = (reply.error ?? {}) as { error?: { code?: string; message?: string } };
  const { status } = reply.response;
  const refusal = new CallError(error?.code ?? "UNKNOWN", error?.message ?? `The gym answered with status ${status}.`);
  if (status === 401) tokenRefusal.value = refusal;
  throw refusal;
}

export const api = {
  runs: () => resultOf(client.GET("/v1/runs")),
  run: (run: string) => resultOf(client.GET("/v1/runs/{run}", { params: { path: { run } } })),
  runMetrics: (run: string, query: { from: number; mark?: string }) =>
    resultOf(client.GET("/v1/runs/{run}/metrics", { params: { path: { run }, query } })),
  runGroups: (run: string, step: number | undefined) =>
    resultOf(
      client.GET("/v1/runs/{run}/groups", { params: { path: { run }, query: step === undefined ? {} : { step } } }),
    ),
  runRollout: (run: string, step: number, group: string, index: number) =>
    resultOf(
      client.GET("/v1/runs/{run}/groups/{group}/rollouts/{index}", {
        params: { path: { run, group, index }, query: { step } },
      }),
    ),
  runEpisodes: (
    run: string,
    query: { from: number; limit?: number; status?: string; family?: string; failure?: string },
    signal?: AbortSignal,
  ) =>
    resultOf(
      client.GET("/v1/runs/{run}/episodes", {
        params: { path: { run }, query: query as { from: number } },
        ...(signal && { signal }),
      }),
    ),
  searchRun: (run: string, query: { q: string; from: number; status?: string }, signal?: AbortSignal) =>
    resultOf(
      client.GET("/v1/runs/{run}/search", {
        params: { path: { run }, query: query as { q: string; from: number } },
        ...(signal && { signal }),
      }),
    ),
  runEpisode: (run: string, index: number) =>
    resultOf(client.GET("/v1/runs/{run}/episodes/{index}", { params: { path: { run, index } } })),
  environments: () => resultOf(client.GET("/v1/environments")),
  environment: (environment: string) =>
    resultOf(client.GET("/v1/environments/{environment}", { params: { path: { environment } } })),
  tasks: (environment: string, query: { split?: string; from?: number; limit?: number; text?: string }) =>
    resultOf(client.GET("/v1/environments/{environment}/tasks", { params: { path: { environment }, query } })),
  episodes: (query: EpisodeFilter) => resultOf(client.GET("/v1/episodes", { params: { query } })),
  create: (body: Schemas["CreateRequest"]) => resultOf(client.POST("/v1/episodes", { body })),
  episode: (episodeId: string) => resultOf(client.GET("/v1/episodes/{episodeId}", { params: { path: { episodeId } } })),
  opening: (episodeId: string) =>
    resultOf(client.GET("/v1/episodes/{episodeId}/opening", { params: { path: { episodeId } } })),
  steps: (episodeId: string, from: number, limit: number) =>
    resultOf(
      client.GET("/v1/episodes/{episodeId}/transcript", { params: { path: { episodeId }, query: { from, limit } } }),
    ),
  step: (episodeId: string, index: number, action: string) =>
    resultOf(
      client.POST("/v1/episodes/{episodeId}/step", { params: { path: { episodeId } }, body: { index, action } }),
    ),
  fork: (episodeId: string, index: number) =>
    resultOf(client.POST("/v1/episodes/{episodeId}/fork", { params: { path: { episodeId } }, body: { index } })),
  note: (episodeId: string, body: { step: number; text: string; tags: string[] }) =>
    resultOf(client.POST("/v1/episodes/{episodeId}/notes", { params: { path: { episodeId } }, body })),
  expert: (episodeId: string) =>
    resultOf(client.GET("/v1/episodes/{episodeId}/expert", { params: { path: { episodeId } } })),
  query: (episodeId: string, query: string) =>
    resultOf(client.GET("/v1/episodes/{episodeId}/queries/{query}", { params: { path: { episodeId, query } } })),
  picture: (episodeId: string) =>
    resultOf(client.GET("/v1/episodes/{episodeId}/render", { params: { path: { episodeId } } })),
  nextPair: (query: { rater: string; environment?: string }) =>
    resultOf(client.GET("/v1/judgments/next", { params: { query } })),
  judge: (body: Schemas["JudgmentRequest"]) => resultOf(client.POST("/v1/judgments", { body })),
  agreement: () => resultOf(client.GET("/v1/judgments/agreement")),
  now: () => resultOf(client.GET("/v1/now")),
  usage: () => resultOf(client.GET("/v1/usage")),
};

/**
 * Plays an episode again and yields the lines of the outcome, as many at a time as have arrived.
 *
 * @param signal ends the replay when it aborts
 * @throws {CallError}
 */
export async function* replayLines(episodeId: string, signal: AbortSignal): AsyncGenerator<ReplayLine[]> {
  const url = `${gymUrl}v1/episodes/${encodeURIComponent(episodeId)}/replay`;
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", signal });
  } catch {
    throw new CallError("UNREACHABLE", "The gym does not answer.");
  }
  if (!response.ok || !response.body) {
    const { error } = await response.json();
    throw new CallError(error.code, error.message);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() as string;
    yield lines.map((line) => JSON.parse(line) as ReplayLine);
  }
}
