/** Data as JSON, in which long base64 is told by its size, with a button that saves the file. */
import { bytesText } from "../numbers.js";
import { Text } from "./text.js";

/** Characters from which base64 is not shown. */
const longest = 1_000;

interface File {
  readonly mediaType: string;
  readonly data: string;
  readonly bytes: number;
}

export function Raw({ value, words }: { value: unknown; words: string | readonly string[] }) {
  const { text, files } = withoutFiles(value);
  return (
    <>
      <Text text={text} isRaw words={words} />
      {files.map(({ mediaType, data, bytes }, at) => (
        <p key={at}>
          <button
            type="button"
            onClick={() => download(data, `file-${at + 1}.${mediaType.split(/[/+;]/)[1] ?? "bin"}`)}
          >
            Download file {at + 1}
          </button>{" "}
          <span class="quiet">
            {mediaType}, {bytesText(bytes)}
          </span>
        </p>
      ))}
    </>
  );
}

/** Saves untrusted bytes. The page has no link to them, which a reader could open as a page of the gym. */
function download(data: string, name: string): void {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes]));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Returns the JSON text, with a note in the place of each file, and the files. */
function withoutFiles(value: unknown): { text: string; files: File[] } {
  const files: File[] = [];
  const replaced = function (this: unknown, _name: string, data: unknown): unknown {
    if (typeof data !== "string" || data.length < longest || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data;
    const given = (this as { mediaType?: unknown }).mediaType;
    const mediaType =
      typeof given === "string" && /^[\w.+-]+\/[\w.+-]+$/.test(given) ? given : "application/octet-stream";
    const bytes = Math.floor((data.replace(/=+$/, "").length * 3) / 4);
    files.push({ mediaType, data, bytes });
    return `file ${files.length}: ${bytesText(bytes)} as base64`;
  };
  return { text: JSON.stringify(value, replaced, 2), files };
}
