/** Reads from /proc the addresses on which a process listens. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { endianness } from "node:os";
import type { Address } from "../sandbox.js";

const listening = "0A";

/** Returns the addresses on which a process listens. The list is empty if the process has ended. */
export async function listenersOf(pid: number): Promise<Address[]> {
  const [own, ...tables] = await Promise.all([
    socketsOf(pid),
    ...["tcp", "tcp6"].map((table) => readFile(`/proc/${pid}/net/${table}`, "utf8").catch(() => "")),
  ]);
  return tables.flatMap((table) => rowsOf(table).filter(({ inode }) => own.has(inode)));
}

/** Whether only this machine can reach the address. */
export function isLoopback({ host }: Address): boolean {
  return /^(::ffff:)?127\./.test(host) || host === "0:0:0:0:0:0:0:1";
}

/** Returns the inodes of the sockets that a process has open. */
async function socketsOf(pid: number): Promise<ReadonlySet<string>> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = names.map((fd) => readlink(`${folder}/${fd}`).catch(() => ""));
  return new Set((await Promise.all(links)).flatMap((link) => /^socket:\[([0-9]+)\]$/.exec(link)?.[1] ?? []));
}

function rowsOf(table: string): (Address & { inode: string })[] {
  return table
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === listening)
    .map((fields) => {
      const [address = "", port = ""] = (fields[1] ?? "").split(":");
      return { host: hostOf(address), port: Number.parseInt(port, 16), inode: fields[9] ?? "" };
    });
}

/** Returns an address as text. @param hex 4-byte words in the machine's byte order */
function hostOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => {
    const inOrder = [...Buffer.from(word, "hex")];
    return endianness() === "LE" ? inOrder.reverse() : inOrder;
  });
  if (bytes.length === 4) return bytes.join(".");
  const isV4 = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isV4) return `::ffff:${bytes.slice(12).join(".")}`;
  return Array.from({ length: 8 }, (_, i) => (bytes[2 * i] as number) * 256 + (bytes[2 * i + 1] as number))
    .map((group) => group.toString(16))
    .join(":");
}
