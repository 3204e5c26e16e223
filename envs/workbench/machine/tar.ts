/**
 * Writes tar archives (POSIX ustar, with pax headers for long and non-ASCII names). The entries must already be
 * checked.
 */

export interface TarEntry {
  /** Absolute path without `..`. */
  path: string;
  type: "file" | "folder" | "link";
  /** Permission bits. */
  mode: number;
  /** Modification time in milliseconds since the epoch. */
  changedAtMs: number;
  /** Content of a file. */
  data?: Uint8Array;
  /** Target of a link. */
  target?: string;
}

const block = 512;
const typeFlags = { file: "0", link: "2", folder: "5" } as const;

export function tarOf(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap((entry) => partsOf(entry));
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function partsOf(entry: TarEntry): Buffer[] {
  const { path, type, target = "", data = new Uint8Array(0) } = entry;
  const name = path.replace(/^\/+/, "") + (type === "folder" ? "/" : "");
  const records = [
    ...(fits(name) ? [] : [recordOf("path", name)]),
    ...(fits(target) ? [] : [recordOf("linkpath", target)]),
  ];
  const extra = Buffer.concat(records);
  const extended = extra.length === 0 ? [] : [header("pax", "x", entry, extra.length, ""), padded(extra)];
  const size = type === "file" ? data.length : 0;
  return [
    ...extended,
    header(fits(name) ? name : "long", typeFlags[type], entry, size, fits(target) ? target : "long"),
    ...(size > 0 ? [padded(Buffer.from(data.buffer, data.byteOffset, data.byteLength))] : []),
  ];
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= 100 && /^[\x20-\x7e]*$/.test(text);
}

/** Returns a pax record `length key=value`. The length counts its own digits, too. */
function recordOf(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function header(name: string, type: string, { mode, changedAtMs }: TarEntry, size: number, target: string): Buffer {
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, width: number) =>
    bytes.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  bytes.write(name, 0, "latin1");
  octal(mode & 0o777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.min(8 ** 11 - 1, Math.max(0, Math.floor(changedAtMs / 1_000))), 136, 12);
  bytes.write(" ".repeat(8), 148, "latin1");
  bytes.write(type, 156, "latin1");
  bytes.write(target, 157, "latin1");
  bytes.write("ustar\x0000", 257, "latin1");
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

function padded(data: Buffer): Buffer {
  const rest = data.length % block;
  return rest === 0 ? data : Buffer.concat([data, Buffer.alloc(block - rest)]);
}
