/** Task files: one JSON object per line, with a `prompt` and the fields that the reward reads. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { BadDefinition } from "./definition.js";
import { promptOf, type TaskLine } from "./reward/request.js";

/** Maximum size of a task file in bytes, since the whole file is kept in memory. */
const mostBytes = 2 ** 30;
const titleCharacters = 120;

/** The tasks of one file, in file order. Lines are stored as bytes and parsed each time a task is requested. */
export class TaskFile {
  /** Byte offsets of the lines: start and end of line 0, start and end of line 1, and so on. */
  private readonly places: readonly number[];

  private constructor(
    private readonly bytes: Buffer,
    places: readonly number[],
    /** SHA-256 of the file, in hexadecimal digits. */
    readonly sum: string,
  ) {
    this.places = places;
  }

  /**
   * Reads and checks a file. @param expected SHA-256 that the file had when the gym started
   * @throws {BadDefinition} the file cannot be read, is empty, has a line that is not a task, or has changed
   */
  static read(path: string, expected?: string): TaskFile {
    const bytes = bytesOf(path);
    const sum = createHash("sha256").update(bytes).digest("hex");
    if (expected !== undefined && sum !== expected)
      throw new BadDefinition(
        `expected ${path} to be unchanged since the gym started, but the file has changed. Restart the gym`,
      );
    const places: number[] = [];
    let line = 1;
    for (let start = 0; start < bytes.length; line++) {
      const end = endOfLine(bytes, start);
      if (!isBlank(bytes, start, end)) {
        checkLine(bytes.toString("utf8", start, end), `${path}, line ${line}`);
        places.push(start, end);
      }
      start = end + 1;
    }
    if (places.length === 0) throw new BadDefinition(`expected tasks in ${path}, but received an empty file`);
    return new TaskFile(bytes, places, sum);
  }

  get size(): number {
    return this.places.length / 2;
  }

  /** @param index zero-based index of the task within the file */
  at(index: number): TaskLine {
    return JSON.parse(this.bytes.toString("utf8", this.places[2 * index], this.places[2 * index + 1])) as TaskLine;
  }

  title(index: number): string {
    const text = promptOf(this.at(index)).replace(/\s+/g, " ").trim();
    return text.length > titleCharacters ? `${text.slice(0, titleCharacters - 1).toWellFormed()}…` : text;
  }
}

function checkLine(text: string, where: string): void {
  const refuse = (received: string) =>
    new BadDefinition(`expected a JSON object with a prompt in ${where}, but received ${received}`);
  let task: TaskLine;
  try {
    task = JSON.parse(text) as TaskLine;
  } catch (error) {
    const isList = text.startsWith("[");
    throw refuse(
      isList ? "the start of a JSON list. Write one object per line, without brackets" : (error as Error).message,
    );
  }
  if (Array.isArray(task)) throw refuse("a JSON list. Write one object per line, without brackets");
  if (typeof task !== "object" || task === null) throw refuse(JSON.stringify(task));
  const { prompt } = task;
  if (typeof prompt === "string" && prompt.trim() !== "") return;
  const isConversation =
    Array.isArray(prompt) &&
    prompt.length > 0 &&
    prompt.every((message) => typeof (message as { content?: unknown } | null)?.content === "string");
  if (!isConversation)
    throw refuse(
      prompt === undefined
        ? `an object with the fields ${Object.keys(task).join(", ") || "none"}`
        : `the prompt ${JSON.stringify(prompt)?.slice(0, 80)}`,
    );
}

/** Returns the content of a file, decompressed if it is a gzip file, and without a byte order mark. */
function bytesOf(path: string): Buffer {
  try {
    const read = readFileSync(path);
    const bytes = read.toString("hex", 0, 2) === "1f8b" ? gunzipSync(read, { maxOutputLength: mostBytes }) : read;
    if (bytes.length > mostBytes) throw new RangeError(`${bytes.length} bytes. The maximum is ${mostBytes}`);
    if (["fffe", "feff"].includes(bytes.toString("hex", 0, 2))) throw new Error("UTF-16 text. Save it as UTF-8");
    return bytes.toString("hex", 0, 3) === "efbbbf" ? bytes.subarray(3) : bytes;
  } catch (error) {
    throw new BadDefinition(`expected a file of tasks at ${path}, but received: ${(error as Error).message}`);
  }
}

function endOfLine(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0x0a, start);
  return end < 0 ? bytes.length : end;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!" \t\r".includes(String.fromCharCode(bytes[at] as number))) return false;
  return true;
}
