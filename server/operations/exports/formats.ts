/** The formats of exported episodes: how one episode is written, and how several are. */
import type { Readable } from "node:stream";
import type { z } from "zod";
import type { ExportFormat } from "../schemas/export.js";
import { atifOf } from "./atif.js";
import type { ExportedEpisode } from "./episode.js";
import { evalLogOf } from "./eval-log.js";
import { type IndexEntry, indexTexts } from "./index-page.js";
import { jsonOf } from "./json.js";
import { reportTexts } from "./report-page.js";
import { type ArchiveFile, textStream, zipStream } from "./streams.js";

export type EpisodeFormat = z.output<typeof ExportFormat>;

export interface Download {
  /** Suffix of the file's name. */
  readonly suffix: string;
  readonly mediaType: string;
  readonly stream: Readable;
}

export type ReadEpisode = (id: string) => Promise<ExportedEpisode>;

const textFormats = {
  html: { suffix: "html", mediaType: "text/html; charset=utf-8", texts: htmlOf },
  atif: { suffix: "atif.json", mediaType: "application/json", texts: atifOf },
  json: { suffix: "json", mediaType: "application/json", texts: jsonOf },
} as const;

/** Returns one episode in a format. */
export function downloadOf(format: EpisodeFormat, episode: ExportedEpisode): Download {
  if (format === "eval") return evalLog([episode.facts.episodeId], async () => episode);
  const { suffix, mediaType, texts } = textFormats[format];
  return { suffix, mediaType, stream: textStream(texts(episode)) };
}

/** Returns several episodes in a format: one log of Inspect, or a zip archive with a file for each episode, of pages with an index. */
export function archiveOf(format: EpisodeFormat, ids: readonly string[], read: ReadEpisode): Download {
  if (format === "eval") return evalLog(ids, read);
  const { suffix, texts } = textFormats[format];
  const entries: IndexEntry[] = [];
  const files = ids.map((id) => ({
    name: `${id}.${suffix}`,
    async *texts() {
      const episode = await read(id);
      // The index is the last file, so that each episode is read once.
      entries.push({ file: `${id}.${suffix}`, facts: episode.facts });
      yield* texts(episode);
    },
  }));
  const index = { name: "index.html", texts: () => indexTexts(entries) };
  const all = format === "html" ? [...files, index] : files;
  return { suffix: `${format}.zip`, mediaType: "application/zip", stream: zipStream(all) };
}

function evalLog(ids: readonly string[], read: ReadEpisode): Download {
  return evalLogDownload(evalLogOf(ids, read));
}

/** @param files files of a log of Inspect */
export function evalLogDownload(files: Iterable<ArchiveFile>): Download {
  return { suffix: "eval", mediaType: "application/octet-stream", stream: zipStream(files) };
}

function htmlOf(episode: ExportedEpisode): AsyncGenerator<string> {
  const { environment, task } = episode.facts;
  return reportTexts(`${environment} ${task.split} ${task.index}`, jsonOf(episode));
}
