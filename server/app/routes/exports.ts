/** `GET /v1/episodes/:episodeId/export` and `POST /v1/export`: episodes as files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Client, lasting } from "../../episodes/episode/client.js";
import type { Caller } from "../../episodes/gym.js";
import type { ErrorCode } from "../../errors.js";
import type { Download, EpisodeFormat } from "../../operations/exports/formats.js";
import { ExportPlaces } from "../../operations/exports/places.js";
import type { Selection } from "../../operations/exports/selection.js";
import type { Source } from "../../operations/exports/source.js";
import type { TrainingRequest } from "../../operations/exports/training-data.js";
import { callOf, type Served } from "../../operations/operation.js";
import { operations } from "../../operations/operations.js";
import { runsRefused } from "../../operations/run-operations.js";
import { EpisodeId } from "../../operations/schemas/episode.js";
import {
  ExportBody,
  ExportFormat,
  ExportQuery,
  mostEpisodes,
  RunExportQuery,
  TrainingFormat,
} from "../../operations/schemas/export.js";
import { RunName } from "../../operations/schemas/runs.js";
import { clientOf } from "../plugins/http-client.js";
import { commonErrors, errorResponses } from "./v1.js";

const headers = {
  "cache-control": "no-store",
  // A file has untrusted texts. A browser that shows it all the same gives it no access to this server.
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const readErrors: ErrorCode[] = [
  "EPISODE_UNKNOWN",
  "EPISODE_ELSEWHERE",
  "ENVIRONMENT_UNKNOWN",
  "LOG_FAILED",
  "LOG_CORRUPT",
  "LIMIT_EXPORTS",
];

/** Limits on the exports that are being sent. */
const most = { perOwner: 4, inAll: 16 };
/** Limits on the exports of training data, whose rows are whole episodes in memory. */
const mostOfData = { perOwner: 1, inAll: 2 };

const runErrors: ErrorCode[] = [
  "RIGHT_MISSING",
  "RUN_UNKNOWN",
  "RUN_PART_UNKNOWN",
  "RUN_DAMAGED",
  "RUNS_FAILED",
  "LIMIT_EXPORTS",
];

const runPath = z.object({ run: RunName });
const episodePath = z.object({ episodeId: EpisodeId });

export function registerExports(app: FastifyInstance, served: Served): void {
  const { runs } = served;
  const exports = new Exports(served);
  const run = documented(
    "exportRun",
    "Returns a run as a file. A caller with a token needs the right `runs`.",
    runErrors,
  );
  app.get(
    "/v1/runs/:run/export",
    { schema: { ...run, params: runPath, querystring: RunExportQuery } },
    (request, reply) => {
      const { run } = request.params as z.output<typeof runPath>;
      const { format } = request.query as z.output<typeof RunExportQuery>;
      if (!request.caller.mayReadRuns) throw runsRefused();
      return exports.send(request, reply, fileNameOf(run), async () => {
        const { ExportedRun } = await import("../../operations/exports/run.js");
        return (await ExportedRun.read(runs, run)).download(format);
      });
    },
  );
  const one = documented("exportEpisode", "Returns an episode as a file.", readErrors);
  app.get(
    "/v1/episodes/:episodeId/export",
    { schema: { ...one, params: episodePath, querystring: ExportQuery } },
    (request, reply) => {
      const { episodeId } = request.params as z.output<typeof episodePath>;
      const { format } = request.query as z.output<typeof ExportQuery>;
      return exports.send(request, reply, episodeId, () => exports.episode(request.caller, episodeId, format));
    },
  );
  registerSeveral(app, exports);
}

/** Registers the exports of several episodes, as files or as training data. */
function registerSeveral(app: FastifyInstance, exports: Exports): void {
  const places = new ExportPlaces(mostOfData);
  const data = (request: FastifyRequest, reply: FastifyReply, asked: TrainingRequest) => {
    const open = () => exports.trainingData(request.caller, clientOf(reply), asked);
    return exports.send(request, reply, "episodes", open, places);
  };
  const several = documented("exportEpisodes", "Returns several episodes as a file.", readErrors);
  app.post("/v1/export", { schema: { ...several, body: ExportBody } }, (request, reply) => {
    const { format, pairs, ...selection } = request.body as z.output<typeof ExportBody>;
    const file = ExportFormat.safeParse(format);
    if (!file.success) return data(request, reply, { format: TrainingFormat.parse(format), pairs, ...selection });
    return exports.send(request, reply, "episodes", () => exports.episodes(request.caller, selection, file.data));
  });
  const judged = documented(
    "exportJudgments",
    "Returns the pairs that people judged as preference pairs, in JSON lines.",
    [...readErrors, "JUDGMENTS_FAILED"],
  );
  app.get("/v1/judgments/export", { schema: judged }, (request, reply) =>
    data(request, reply, { format: "preferences", pairs: "judged", limit: mostEpisodes }),
  );
}

/** Returns a name without the signs that a header or a file system could misread. */
function fileNameOf(run: string): string {
  return run.replace(/[^A-Za-z0-9._-]+/g, "-").slice(-80);
}

/** Makes the files. The modules that write them are loaded on first use. */
class Exports {
  private readonly places = new ExportPlaces(most);

  constructor(private readonly served: Served) {}

  /** Refuses a missing episode before the file begins. */
  async episode(caller: Caller, id: string, format: EpisodeFormat): Promise<Download> {
    const [{ downloadOf }, { ExportedEpisode }] = await loadWriters();
    return downloadOf(format, await ExportedEpisode.read(this.sourceOf(caller), id));
  }

  async episodes(caller: Caller, selection: Selection, format: EpisodeFormat): Promise<Download> {
    const [{ archiveOf }, { ExportedEpisode }] = await loadWriters();
    const { selectedEpisodes } = await import("../../operations/exports/selection.js");
    const source = this.sourceOf(caller);
    const ids = await selectedEpisodes(source, selection);
    return archiveOf(format, ids, (id) => ExportedEpisode.read(source, id));
  }

  private sourceOf(caller: Caller): Source {
    const { served } = this;
    const call = callOf(served, caller, lasting);
    const ask: Source["ask"] = (name, params) => served.router.run(name, operations[name], call, params);
    return { gym: served.gym, judgments: served.judgments, caller, owner: caller.owner, ask };
  }

  async trainingData(caller: Caller, client: Client, asked: TrainingRequest): Promise<Download> {
    const { trainingData } = await import("../../operations/exports/training-data.js");
    return trainingData(asked, this.sourceOf(caller), () => client.isGone);
  }

  /** Sends a file, and holds a place until the file is sent or the client disconnects. */
  async send(
    { caller }: FastifyRequest,
    reply: FastifyReply,
    name: string,
    open: () => Promise<Download>,
    places = this.places,
  ): Promise<FastifyReply> {
    const leave = places.take(caller.owner);
    try {
      const { stream, mediaType, suffix } = await open();
      stream.once("close", leave);
      reply.headers(headers).type(mediaType);
      reply.header("content-disposition", `attachment; filename="palestra-${name}.${suffix}"`);
      return reply.send(stream);
    } catch (error) {
      leave();
      throw error;
    }
  }
}

function loadWriters() {
  return Promise.all([import("../../operations/exports/formats.js"), import("../../operations/exports/episode.js")]);
}

function documented(operationId: string, summary: string, errors: ErrorCode[]) {
  return {
    tags: ["exports"],
    operationId,
    summary,
    response: {
      200: { description: "The file.", content: { "application/octet-stream": { schema: z.string() } } },
      ...errorResponses([...commonErrors, ...errors]),
    },
  };
}
