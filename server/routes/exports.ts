/** `GET /v1/episodes/:episodeId/export` and `POST /v1/export`: episodes as files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { lasting } from "../episodes/client.js";
import type { Caller } from "../episodes/gym.js";
import { type ErrorCode, GymError } from "../errors.js";
import type { Download, EpisodeFormat } from "../exports/formats.js";
import { ExportPlaces } from "../exports/places.js";
import type { Selection } from "../exports/selection.js";
import type { Source } from "../exports/source.js";
import type { TrainingRequest } from "../exports/training-data.js";
import type { Served } from "../operation.js";
import { operations } from "../operations.js";
import { clientOf } from "../plugins/http-client.js";
import { runsRefused } from "../run-operations.js";
import { EpisodeId } from "../schemas/episode.js";
import { ExportBody, ExportFormat, ExportQuery, mostEpisodes, RunExportQuery } from "../schemas/export.js";
import { RunName } from "../schemas/runs.js";
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

/** Limits on the programs that write training data. */
const mostPrograms = { perOwner: 1, inAll: 2 };

const programErrors: ErrorCode[] = ["EXPORT_FAILED", "LIMIT_EXPORTS"];

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

/** @param dataDir data directory, which has the token of the user who runs the gym */
export function registerExports(app: FastifyInstance, served: Served, dataDir: string): void {
  const { runs } = served;
  const exports = new Exports(served, () => urlOf(app), dataDir);
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
        const { ExportedRun } = await import("../exports/run.js");
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
  const several = documented("exportEpisodes", "Returns several episodes as a file.", [...readErrors, "EXPORT_FAILED"]);
  app.post("/v1/export", { schema: { ...several, body: ExportBody } }, (request, reply) => {
    const { format, pairs, ...selection } = request.body as z.output<typeof ExportBody>;
    const file = ExportFormat.safeParse(format);
    if (!file.success) return exports.sendTrainingData(request, reply, { format, pairs, ...selection });
    return exports.send(request, reply, "episodes", () => exports.episodes(request.caller, selection, file.data));
  });
  const judged = documented(
    "exportJudgments",
    "Returns the pairs that people judged as preference pairs, in JSON lines.",
    programErrors,
  );
  app.get("/v1/judgments/export", { schema: judged }, (request, reply) =>
    exports.sendTrainingData(request, reply, { format: "preferences", pairs: "judged", limit: mostEpisodes }),
  );
}

/** Returns a name without the signs that a header or a file system could misread. */
function fileNameOf(run: string): string {
  return run.replace(/[^A-Za-z0-9._-]+/g, "-").slice(-80);
}

/** Returns the address at which programs of this machine reach the gym. */
function urlOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string") {
    throw GymError.ofState("EXPORT_FAILED", "The gym does not listen, so no program can read its episodes.");
  }
  const { address: host, family, port } = address;
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

/** Makes the files. The modules that write them are loaded on first use. */
class Exports {
  private readonly places = new ExportPlaces(most);
  private readonly programs = new ExportPlaces(mostPrograms);

  constructor(
    private readonly served: Served,
    private readonly url: () => string,
    private readonly dataDir: string,
  ) {}

  /** Refuses a missing episode before the file begins. */
  async episode(caller: Caller, id: string, format: EpisodeFormat): Promise<Download> {
    const [{ downloadOf }, { ExportedEpisode }] = await loadWriters();
    return downloadOf(format, await ExportedEpisode.read(this.sourceOf(caller), id));
  }

  async episodes(caller: Caller, selection: Selection, format: EpisodeFormat): Promise<Download> {
    const [{ archiveOf }, { ExportedEpisode }] = await loadWriters();
    const { selectedEpisodes } = await import("../exports/selection.js");
    const source = this.sourceOf(caller);
    const ids = await selectedEpisodes(source, selection);
    return archiveOf(format, ids, (id) => ExportedEpisode.read(source, id));
  }

  private sourceOf(caller: Caller): Source {
    const { served } = this;
    const call = { ...served, caller, client: lasting };
    const ask: Source["ask"] = (name, params) => served.router.run(name, operations[name], call, params);
    return { gym: served.gym, owner: caller.owner, ask };
  }

  /** Sends a file, and holds a place until the file is sent or the client disconnects. */
  async send(
    { caller }: FastifyRequest,
    reply: FastifyReply,
    name: string,
    open: () => Promise<Download>,
  ): Promise<FastifyReply> {
    return this.sendFrom(this.places.take(caller.owner), reply, name, open);
  }

  /** Sends training data. Its program runs until the data is sent or the client disconnects. */
  async sendTrainingData(
    { caller, headers: { authorization } }: FastifyRequest,
    reply: FastifyReply,
    asked: TrainingRequest,
  ): Promise<FastifyReply> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return this.sendFrom(this.programs.take(caller.owner), reply, "episodes", async () => {
      const { expectEpisode } = await import("../exports/source.js");
      const { trainingData } = await import("../exports/training-data.js");
      // The program could only say in words that an episode is unknown.
      for (const id of asked.episodeIds ?? []) await expectEpisode(this.sourceOf(caller), id);
      const access = { url: this.url(), token, dataDir: this.dataDir };
      return trainingData(asked, access, (listener) => clientOf(reply).onGone(listener));
    });
  }

  private async sendFrom(
    leave: () => void,
    reply: FastifyReply,
    name: string,
    open: () => Promise<Download>,
  ): Promise<FastifyReply> {
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
  return Promise.all([import("../exports/formats.js"), import("../exports/episode.js")]);
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
