/** Command `palestra setup questions`, which imports the host's own questions. */
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Progress, SetUpChoices } from "../../env.js";
import { withoutPassword } from "../retrieval/opensearch/address.js";
import { checkSource } from "../retrieval/sources.js";
import { agentgymName, agentgymParts, agentgymSize } from "./agentgym.js";
import { type ImportedFile, importQuestions } from "./imported.js";

/** Default source for AgentGym's questions, whose answers are in the pages of wiki-18. */
const agentgymSource = "index:wiki-18";
const endings = [".parquet", ".jsonl", ".jsonl.gz"] as const;

/**
 * Imports a file of questions, or a folder with AgentGym's questions.
 *
 * @throws {Error} the files do not exist or do not contain questions
 */
export async function setUpQuestions({ from, as, source }: SetUpChoices = {}, progress?: Progress): Promise<string> {
  if (from === undefined)
    throw new Error("no questions were named. Name a file of questions, or a folder with AgentGym's questions.");
  if (!existsSync(from)) throw new Error(`${from} does not exist. Name an existing file or folder.`);
  const isFolder = statSync(from).isDirectory();
  const choices = isFolder ? agentgymChoices(from, source) : fileChoices(from, as, source);
  // A wrong source fails here, before the files are read for an hour.
  checkSource(choices.source);
  const count = await importQuestions(choices.files, { ...choices, ...(progress && { onProgress: progress }) });
  return `${count} questions, split ${choices.name}, which look into ${withoutPassword(choices.source)}`;
}

function fileChoices(file: string, name: string | undefined, source: string | undefined) {
  if (source === undefined) {
    const sources = "bundled, index:NAME, retrieve:URL, opensearch:URL/ALIAS or web";
    throw new Error(`the source of the answers is not set. Give one with --source: ${sources}`);
  }
  const own = basename(file).replace(/\.(jsonl|json|parquet)(\.gz)?$/, "");
  return { files: [{ path: file }], name: name ?? own, source };
}

function agentgymChoices(folder: string, source = agentgymSource) {
  const files = mergedFiles(folder) ?? datasetFiles(folder);
  return { files, name: agentgymName, source };
}

/**
 * Returns `test.parquet` and `train.parquet`, which AgentGym's scripts create, or undefined if one of them is missing.
 */
function mergedFiles(folder: string): ImportedFile[] | undefined {
  const names = ["test", "train"] as const;
  const paths = names.map((name) => found(folder, name));
  if (paths.some((path) => path === undefined)) return undefined;
  return names.map((name, at) => ({
    path: paths[at] as string,
    size: agentgymParts.filter(({ file }) => file === name).reduce((sum, { size }) => sum + size, 0),
  }));
}

/**
 * Returns one file for each FlashRAG dataset. For test questions, prefers `test`, then `dev`, then `train`, as AgentGym
 * does.
 */
function datasetFiles(folder: string): ImportedFile[] {
  return agentgymParts.map(({ file, dataset, size }) => {
    const names = file === "test" ? ["test", "dev", "train"] : ["train"];
    const path = names.map((name) => found(join(folder, dataset), name)).find((one) => one !== undefined);
    if (path !== undefined) return { path, size, asksAlways: true };
    const expected = `AgentGym's ${agentgymSize} questions in ${folder}: test.parquet and train.parquet, or a folder for each of FlashRAG's datasets`;
    throw new Error(`expected ${expected}, but found neither ${dataset}/${names[0]}.jsonl nor .parquet`);
  });
}

function found(folder: string, name: string): string | undefined {
  return endings.map((ending) => join(folder, `${name}${ending}`)).find((path) => existsSync(path));
}
