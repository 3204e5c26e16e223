/** `palestra export`: writes episodes as training data. */

import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import { onStopping, openAbort } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import { type ExportRun, exportEpisodes } from "../../../trainer/export/export.js";
import {
  expectNewFile,
  type FileFormat,
  fileFormats,
  suffixOf,
  writeGymFile,
} from "../../../trainer/export/gym-files.js";
import { gymSource, judgedSource, namedSource } from "../../../trainer/export/gym-source.js";
import { openSink } from "../../../trainer/export/output.js";
import { recordSource } from "../../../trainer/export/record-source.js";
import { GymError } from "../../../trainer/gym/gym.js";
import { callGym, connect, defaultGym, type GymPlace } from "../../../trainer/gym/open-gym.js";
import { actionFormat, actionFormatNames } from "../../formats/actions/action-formats.js";
import { counted } from "../../formats/counted.js";
import type { ExportCounts } from "../../formats/training/export.js";
import { type FormatName, formatNames } from "../../formats/training/rows.js";
import { choiceOption, fractionFrom, numberOf, wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

interface ExportFlags {
  dataDir: string | undefined;
  format: FormatName | FileFormat;
  gym?: string;
  actionFormat?: string;
  environment?: string;
  split?: string;
  minReturn?: number;
  maxReturn?: number;
  solved: boolean;
  limit: number;
  margin: number;
  pairs: "best" | "all" | "judged";
  episodes?: string;
  out?: string;
  force: boolean;
  json: boolean;
}

const stopped = 130;
const progressMs = 2_000;

export function addExportCommand(program: Command, { dataDir }: GymPlace): void {
  const command = program
    .command("export [records]")
    .description(
      "write episodes as training data, from an evaluation's folder or from a running gym; or as files to read",
    );
  const formats =
    "what is written: chats to fine-tune on, steps, or preference pairs; or, from a gym, pages, a log of Inspect, or " +
    "Harbor's trajectories";
  const pairs = "pairs of each task's episodes: only the best pair, all pairs, or those that people judged in a gym";
  const actions = "format in which replies state a gym's actions (default: plain; with --format agentgym: react)";
  command
    .addOption(choiceOption("--format <name>", formats, [...formatNames, ...fileFormats]).makeOptionMandatory())
    .option("--gym <url>", `URL of the gym to read episodes from, if no records are named (default: ${defaultGym})`)
    .addOption(choiceOption("--action-format <name>", actions, actionFormatNames))
    .option("--episodes <file>", "only the gym's episodes whose ids are the lines of this file; - for standard input")
    .option("--environment <name>", "only episodes of this environment, such as textcraft or textcraft@1")
    .option("--split <name>", "only episodes of this task split")
    .option("--min-return <number>", "minimum return of an episode", numberOf)
    .option("--max-return <number>", "maximum return of an episode", numberOf)
    .option("--solved", "only episodes that solved their task", false)
    .option("--limit <number>", "maximum number of episodes, or preference pairs, to write", wholeFrom(1), Infinity)
    .option("--margin <number>", "minimum difference between the returns of a pair", fractionFrom(0), 0)
    .addOption(choiceOption("--pairs <which>", pairs, ["best", "all", "judged"]).default("best"))
    .option(
      "--out <file>",
      "file to write, .jsonl or .parquet; or .eval, .html, .json or .zip (default: standard output)",
    )
    .option("--force", "replace an existing file", false)
    .option("--json", "print the JSON object {out, format, read, written, rows, leftOut}; needs --out", false)
    .action((records: string | undefined, flags: Omit<ExportFlags, "dataDir">) =>
      runExport(records, { ...flags, dataDir }),
    );
  guide(command, "trainer/README.md#export-episodes-as-training-data", examples, notes);
}

const examples = {
  "palestra export runs/my-eval --format openai --solved --out chats.jsonl": "Write solved episodes as chats",
  "palestra export runs/my-eval --format preferences --margin 0.5 --out pairs.parquet": "Write preference pairs",
  "palestra export --gym http://127.0.0.1:8700 --format steps --environment textcraft --out steps.parquet":
    "Write the steps of a gym's episodes",
  "palestra export --gym http://127.0.0.1:8700 --format eval --environment textcraft --out textcraft.eval":
    "Write a log of Inspect",
};

const notes = `Episodes that failures ended, or that have not ended, are left out and counted. The token of a gym is read from GYM_TOKEN.`;

async function runExport(records: string | undefined, flags: ExportFlags): Promise<void> {
  if (records !== undefined && flags.gym !== undefined) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected records or --gym, but received both: ${records} and ${flags.gym}`,
    );
  }
  if (flags.json && flags.out === undefined) {
    throw new TrainerError("ARGUMENT_INVALID", "expected --out FILE together with --json, but received no --out");
  }
  const { format } = flags;
  if (isFile(format)) return exportFile(records, { ...flags, format });
  if (flags.out !== undefined && !/\.(jsonl|parquet)$/.test(flags.out)) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --out with a name that ends in .jsonl or .parquet, but received ${flags.out}`,
    );
  }
  expectGym(records, flags);
  const stopping = openAbort();
  const close = onStopping(() =>
    stopping.abort(new TrainerError("EXPORT_FAILED", "The export was stopped and wrote no file.")),
  );
  try {
    const asked = { ...flags, format };
    await withSource(records, asked, (found) => write(found, asked, stopping.signal));
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.error((stopping.signal.reason as Error).message);
    process.exitCode = stopped;
  } finally {
    close();
  }
}

function isFile(format: FormatName | FileFormat): format is FileFormat {
  return (fileFormats as readonly string[]).includes(format);
}

/** Lets the gym write a file. It knows no other selection than that by name, environment and split. */
async function exportFile(records: string | undefined, flags: ExportFlags & { format: FileFormat }): Promise<void> {
  const { format, gym = defaultGym, dataDir, episodes, environment, split, limit, out, force } = flags;
  const { solved, minReturn, maxReturn, actionFormat, pairs } = flags;
  const isFiltered = solved || minReturn !== undefined || maxReturn !== undefined || actionFormat !== undefined;
  if (records !== undefined || isFiltered || pairs !== "best") {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --format ${format} with a gym and only --episodes, --environment, --split and --limit, but received ` +
        (records === undefined ? "an option of training data" : `records: ${records}`),
    );
  }
  const ids = episodes === undefined ? undefined : await linesOf(episodes);
  const suffix = suffixOf({ format, ids });
  if (out !== undefined && !out.endsWith(suffix)) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --out with a name that ends in ${suffix}, but received ${out}`,
    );
  }
  expectNewFile(out, force);
  const stopping = openAbort();
  const close = onStopping(() => stopping.abort());
  try {
    const request = { format, ids, environment, split, limit };
    await writeGymFile(request, (path, init) => callGym(gym, dataDir, path, init), out, stopping.signal);
    console.error(`export: written to ${out ?? "standard output"}`);
    if (flags.json) console.log(JSON.stringify({ out, format }));
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.error("The export was stopped and wrote no file.");
    process.exitCode = stopped;
  } finally {
    close();
  }
}

type DataFlags = ExportFlags & { format: FormatName };

/** @throws {TrainerError} ARGUMENT_INVALID if an option needs a gym */
function expectGym(records: string | undefined, { format, pairs, episodes }: ExportFlags): void {
  const isJudged = pairs === "judged";
  if (isJudged && format !== "preferences") {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --pairs judged with --format preferences, but received ${format}`,
    );
  }
  if (records === undefined || !(isJudged || episodes !== undefined)) return;
  const option = isJudged ? "--pairs judged" : "--episodes";
  throw new TrainerError("ARGUMENT_INVALID", `expected ${option} only with a gym, but received records: ${records}`);
}

/** The source of the export: episodes, or pairs that people judged. */
type Found = Pick<ExportRun, "source" | "judged">;

async function withSource(
  records: string | undefined,
  { gym = defaultGym, format, ...flags }: DataFlags,
  use: (found: Found) => Promise<void>,
): Promise<void> {
  if (records !== undefined) {
    if (flags.actionFormat === undefined) return use({ source: await recordSource(records) });
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --action-format only with a gym, but received records, which contain the original replies`,
    );
  }
  const replies = actionFormat(flags.actionFormat ?? (format === "agentgym" ? "react" : "plain"));
  if (!URL.canParse(gym)) throw new GymError("GYM_REFUSED", "action", `expected the URL of a gym, but received ${gym}`);
  const client = await connect(gym, flags.dataDir);
  try {
    const named = flags.episodes === undefined ? undefined : await linesOf(flags.episodes);
    const source = named ? namedSource(client, named, replies) : gymSource(client, replies);
    await use({ source, judged: flags.pairs === "judged" ? judgedSource(client, replies) : undefined });
  } finally {
    await client.close();
  }
}

async function linesOf(path: string): Promise<string[]> {
  let text: string;
  try {
    text = path === "-" ? await textOf(process.stdin) : await readFile(path, "utf8");
  } catch (error) {
    const received = (error as Error).message;
    throw new TrainerError("EXPORT_FAILED", `expected a file with ids of episodes, but received ${received}`);
  }
  return text.split(/\r?\n/).filter((line) => line !== "");
}

async function write(found: Found, flags: DataFlags, signal: AbortSignal): Promise<void> {
  const { format, limit, margin, pairs, out, force, environment, split, minReturn, maxReturn, solved } = flags;
  const filter = { environment, split, minReturn, maxReturn, solved };
  const sink = await openSink(out, format, force);
  let shownAt = performance.now();
  const onProgress = ({ read, written }: ExportCounts) => {
    if (performance.now() - shownAt < progressMs) return;
    shownAt = performance.now();
    console.error(`export: ${counted(read, "episode")} read, ${written} written`);
  };
  const counts = await exportEpisodes(
    { format, filter, limit, margin, pairs: pairs === "judged" ? "best" : pairs },
    { ...found, sink, signal, onProgress },
  );
  console.error(summary(counts, format, out));
  if (flags.json) console.log(JSON.stringify({ out, format, ...counts }));
}

function summary({ read, written, rows, leftOut }: ExportCounts, format: FormatName, out = "standard output"): string {
  const reasons = Object.entries(leftOut).filter(([, count]) => count > 0);
  const lost = reasons.map(([reason, count]) => `${count} ${reason}`).join(", ") || "none";
  const what = counted(written, format === "preferences" ? "pair" : "episode");
  const lines = format === "steps" ? ` as ${counted(rows, "row")}` : "";
  return `export: ${counted(read, "episode")} read, ${what} written${lines} to ${out}; left out: ${lost}`;
}
