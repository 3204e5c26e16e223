/** An export of an evaluation that is larger than the heap of its process. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";
import { scratch } from "../support/serving.js";

const program = join(root, "dist/server/program/cli.js");

/** Returns the first two lines of an evaluation of one episode: its header and the record. */
async function evaluation(out: string): Promise<[string, { played: object }]> {
  const args = ["eval", "--env", "textcraft", "--split", "test", "--limit", "1", "--policy", "expert", "--out", out];
  await promisify(execFile)(process.execPath, [join(root, "dist/server/program/cli.js"), ...args, "--gym", "spawn"]);
  const [header, first] = readFileSync(join(out, "episodes.jsonl"), "utf8").split("\n");
  return [header as string, JSON.parse(first as string)];
}

test("20,000 long episodes are exported with a heap far smaller than their size", { timeout: 600_000 }, async () => {
  const folder = scratch();
  const [header, record] = await evaluation(join(folder, "expert"));
  const path = join(folder, "many.jsonl");
  const file = createWriteStream(path);
  file.write(`${header}\n`);
  for (let index = 0; index < 20_000; index++) {
    const line = JSON.stringify({ ...record, played: { ...record.played, index }, opening: `${index} `.repeat(2_000) });
    if (!file.write(`${line}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  for (const out of ["many-out.jsonl", "many-out.parquet"]) {
    const target = join(folder, out);
    const args = ["--max-old-space-size=160", program, "export", path, "--format", "openai", "--out", target];
    await promisify(execFile)(process.execPath, args);
    expect(existsSync(target)).toBe(true);
  }
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(folder, "many-out.parquet")));
  expect([Number(metadata.num_rows), metadata.row_groups.length > 3]).toEqual([20_000, true]);
});
