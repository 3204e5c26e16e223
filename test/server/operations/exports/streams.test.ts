/** Streams of exports buffer only a small part of a file, and stop when the client disconnects. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { textStream, zipStream } from "#palestra/server/operations/exports/streams.js";
import { eventually } from "../../../support/gym.js";
import { unzip } from "../../../support/unzip.js";

const length = 2 ** 16;
const mebibyte = 2 ** 20;

/**
 * A source of texts that are hard to compress. `seen` counts the texts read from it, and shows whether it was closed.
 */
function source(count: number) {
  const seen = { made: 0, isClosed: false };
  async function* texts() {
    try {
      while (seen.made < count) {
        seen.made += 1;
        yield randomBytes(length / 2).toString("hex");
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, texts };
}

test("a stream without a reader buffers less than 1 MiB of text", async () => {
  const { seen, texts } = source(1_000);
  const stream = textStream(texts());
  stream.read(0);
  await eventually(() => seen.made > 0);
  await sleep(200);
  expect(seen.made * length).toBeLessThan(mebibyte);
  stream.destroy();
  await eventually(() => seen.isClosed);
});

test("an archive without a reader buffers less than 1 MiB of text, and stops when it is closed", async () => {
  const { seen, texts } = source(1_000);
  const later = source(1);
  const archive = zipStream([
    { name: "first", texts },
    { name: "second", texts: later.texts },
  ]);
  archive.read(0);
  await eventually(() => seen.made > 0);
  await sleep(200);
  expect(seen.made * length).toBeLessThan(mebibyte);
  archive.destroy();
  await eventually(() => seen.isClosed);
  await sleep(50);
  expect(later.seen.made).toBe(0);
});

test("an archive has its files in order, and an error of one file ends the archive", async () => {
  const chunks: Buffer[] = [];
  async function* text(value: string) {
    yield value;
  }
  const files = ["b", "a"].map((name) => ({ name, texts: () => text(`text of ${name}`) }));
  for await (const chunk of zipStream(files)) chunks.push(chunk);
  expect([...unzip(Buffer.concat(chunks))]).toEqual([
    ["b", "text of b"],
    ["a", "text of a"],
  ]);
  async function* broken(): AsyncGenerator<string> {
    yield "x";
    throw new Error("the log is lost");
  }
  await expect(zipStream([{ name: "c", texts: broken }]).toArray()).rejects.toThrow("the log is lost");
});
