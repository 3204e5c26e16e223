/** Streams of exported text. They hold a small part of an export in memory, and let other work run in between. */
import { Readable } from "node:stream";
import { setImmediate as otherWork } from "node:timers/promises";
import { ZipFile } from "yazl";

/** Number of characters after which text is passed on. */
const chunkLength = 2 ** 16;

/** Returns texts as a stream of UTF-8. It reads the texts only as fast as the stream is read. */
export function textStream(texts: AsyncIterable<string>): Readable {
  return Readable.from(chunksOf(texts), { objectMode: false, highWaterMark: chunkLength });
}

async function* chunksOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = "";
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < chunkLength) continue;
    yield Buffer.from(waiting);
    waiting = "";
    await otherWork();
  }
  if (waiting !== "") yield Buffer.from(waiting);
}

/** A file of an archive. Its text is made when the file's turn has come. */
export interface ArchiveFile {
  readonly name: string;
  texts(): AsyncIterable<string>;
}

/** Returns a zip archive. It makes one file after the other, only as fast as the stream is read. */
export function zipStream(files: Iterable<ArchiveFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  const fail = (error: Error) => output.destroy(error);
  zip.on("error", fail);
  output.once("close", () => current?.destroy());
  for (const { name, texts } of files) {
    zip.addReadStreamLazy(name, {}, (done) => {
      current = textStream(texts()).on("error", fail);
      done(null, current);
    });
  }
  zip.end();
  return output;
}
