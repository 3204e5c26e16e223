import { inflateRawSync } from "node:zlib";

const endSignature = 0x06054b50;
const endLength = 22;
const entryLength = 46;
const fileLength = 30;

/** Returns the files of a zip archive, by name. It reads them by the archive's directory, as programs do. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - endLength;
  if (archive.readUInt32LE(end) !== endSignature) throw new Error("expected a zip archive without a comment");
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const size = archive.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const file = archive.readUInt32LE(at + 42);
    const start = file + fileLength + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28);
    const text = inflateRawSync(archive.subarray(start, start + size)).toString();
    files.set(archive.toString("utf8", at + entryLength, at + entryLength + name), text);
    at += entryLength + name + extra + comment;
  }
  return files;
}
