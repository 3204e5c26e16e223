/**
 * The episodes that `palestra eval` has written: a file of records, the folder of an evaluation, or a folder of
 * several. Each file is read twice. The first pass finds the newest record of each episode, and the prompt, which is
 * stored in only one record.
 */

import { createReadStream, existsSync, statSync } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { conversationsOf, type SeatPlace } from "../../server/formats/training/by-seat.js";
import type { EpisodeHandle, EpisodeSource, ExportEpisode, LeftOut } from "../../server/formats/training/episode.js";
import { TrainerError } from "../errors.js";
import type { Tool } from "../gym/gym.js";

const recordsFile = "episodes.jsonl";

const Header = z.object({
  environment: z.string(),
  options: z.record(z.string(), z.string()).default({}),
  format: z.string(),
});

const EvaluationRecord = z.object({
  played: z.object({
    environment: z.string(),
    split: z.string(),
    index: z.number().int(),
    seed: z.number().int(),
  }),
  sample: z.number().int(),
  players: z.record(z.string(), z.enum(["policy", "partner"])).default({}),
  status: z.enum(["terminated", "truncated", "limit", "failed"]),
  score: z.number(),
  solved: z.boolean(),
  prompt: z.string().optional(),
  tools: z.array(z.custom<Tool>((tool) => typeof tool === "object" && tool !== null)).optional(),
  seats: z
    .record(
      z.string(),
      z.object({
        prompt: z.string(),
        tools: z.array(z.custom<Tool>((tool) => typeof tool === "object" && tool !== null)).default([]),
      }),
    )
    .optional(),
  opening: z.string(),
  turns: z.array(
    z.object({
      reply: z.string(),
      action: z.string().optional(),
      seat: z.string().optional(),
      observation: z.string(),
      reward: z.number(),
      rewards: z.record(z.string(), z.number()).optional(),
    }),
  ),
});
type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** Position of an episode's newest record in its file. */
interface Place extends Pick<FileLine, "number" | "offset" | "length"> {
  readonly played: EvaluationRecord["played"];
}

/** Facts that all records of a file have in common. */
interface Shared {
  readonly options: Readonly<Record<string, string>>;
  prompt: string;
  tools: readonly Tool[];
  /** Undefined without seats, and in files of older versions. */
  seats?: ReadonlyMap<string, SeatPlace>;
}

/** Opens a source. @throws {TrainerError} EXPORT_FAILED: the path does not exist or contains no records */
export async function recordSource(path: string): Promise<EpisodeSource> {
  const files = await filesIn(path);
  return (async function* () {
    for (const file of files) yield* episodesOf(file);
  })();
}

async function filesIn(path: string): Promise<string[]> {
  if (!existsSync(path))
    throw new TrainerError("EXPORT_FAILED", `expected a file or folder of an evaluation, but received ${path}`);
  if (statSync(path).isFile()) return [path];
  const entries = (await readdir(path, { recursive: true })).sort();
  const files = entries.filter((entry) => basename(entry) === recordsFile).map((entry) => join(path, entry));
  if (files.length > 0) return files;
  throw new TrainerError(
    "EXPORT_FAILED",
    `expected a folder with ${recordsFile}, as \`palestra eval --out\` writes it, but received ${path}, which contains no such file`,
  );
}

async function* episodesOf(path: string): AsyncGenerator<EpisodeHandle> {
  const { places, shared } = await index(path);
  for (const place of places) yield { played: place.played, load: () => load(path, place, shared) };
}

async function index(path: string): Promise<{ places: Iterable<Place>; shared: Shared }> {
  let shared: Shared | undefined;
  const places = new Map<string, Place>();
  for await (const { text, ...place } of linesOf(path)) {
    if (!shared) {
      shared = { options: parsed(Header, path, place.number, text).options, prompt: "", tools: [] };
      continue;
    }
    const { played, sample, prompt, tools = [], seats } = parsed(EvaluationRecord, path, place.number, text);
    places.set(`${played.split}:${played.index}#${sample}`, { ...place, played });
    if (prompt !== undefined) Object.assign(shared, { prompt, tools });
    if (seats) shared.seats = new Map(Object.entries(seats));
  }
  if (!shared) throw new TrainerError("EXPORT_FAILED", `expected episodes in ${path}, but received an empty file`);
  return { places: places.values(), shared };
}

/** Loads an episode. The file is opened each time, since preference pairs are loaded long after the list. */
async function load(path: string, place: Place, shared: Shared): Promise<readonly ExportEpisode[] | LeftOut> {
  const file = await open(path);
  try {
    return episodesIn(parsed(EvaluationRecord, path, place.number, await textAt(file, place)), shared);
  } finally {
    await file.close();
  }
}

function episodesIn(record: EvaluationRecord, known: Shared): readonly ExportEpisode[] | LeftOut {
  const { played, sample, status, score, solved, opening } = record;
  const { options, prompt, tools, seats } = known;
  if (status === "failed") return { leftOut: "failed" };
  // A reply that was cut off at the end of the context was not sent as an action.
  const said = record.turns.filter(({ action, observation }) => action !== undefined || observation !== "");
  if (said.length === 0) return { leftOut: "without steps" };
  const id = `${played.environment}/${played.split}:${played.index}#${sample}`;
  const shared = { id, played, options, status, solved, opening };
  if (said.some(({ seat }) => seat !== undefined)) {
    if (!seats) return { leftOut: "several seats" };
    const turns = said.map(({ action = null, seat = "", ...turn }) => ({ ...turn, action, seat }));
    // A partner's replies are not the policy's.
    return conversationsOf(shared, turns, seats).filter(({ seat = "" }) => record.players[seat] !== "partner");
  }
  const turns = said.map(({ reply, action = null, observation, reward }, at) => {
    const isLast = at === said.length - 1;
    const ends = { terminated: isLast && status === "terminated", truncated: isLast && status === "truncated" };
    return { reply, action, observation, reward, ...ends };
  });
  return [{ ...shared, return: score, prompt, tools, turns }];
}

function parsed<T>(schema: z.ZodType<T>, path: string, line: number, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(path, line, `${JSON.stringify(text.slice(0, 80))}, which is not JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path: at, message } = result.error.issues[0] as z.core.$ZodIssue;
  throw damaged(path, line, `an invalid ${at.join(".") || "value"} (${message})`);
}

function damaged(path: string, line: number, received: string): TrainerError {
  const expected = line === 1 ? "the header of an evaluation" : "an episode of an evaluation";
  return new TrainerError("EXPORT_FAILED", `${path}:${line}: expected ${expected}, but received ${received}`);
}

const newline = 0x0a;

interface FileLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** Offset and length in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/**
 * Reads lines in chunks, since a file may not fit into memory. A last line without a line feed is incomplete and
 * skipped.
 */
async function* linesOf(path: string): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let [number, offset] = [1, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(start, end)]);
      yield { number, offset, length: bytes.length, text: bytes.toString() };
      parts = [];
      number += 1;
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

/** Reads the text of a line again. */
async function textAt(file: FileHandle, { offset, length }: Pick<FileLine, "offset" | "length">) {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, offset);
  return bytes.toString();
}
