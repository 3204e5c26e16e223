import type { FileEntry } from "../sandbox.js";

const types = { f: "file", d: "folder", l: "link", o: "other" } as const;

/** Reads the agent's lines of `type size mode changedMs name`. A line that is none is left out: the agent is not trusted. */
export function entriesOf(bytes: Buffer): FileEntry[] {
  return bytes
    .toString()
    .split("\0")
    .flatMap((line) => {
      const match = /^([fdlo]) ([0-9]{1,15}) ([0-7]{1,4}) (-?[0-9]{1,15}) (.*)$/s.exec(line);
      if (!match) return [];
      const [, type, size, mode, changedAtMs, name] = match as unknown as [string, keyof typeof types, ...string[]];
      return [
        {
          type: types[type],
          size: Number(size),
          mode: Number.parseInt(mode as string, 8),
          changedAtMs: Number(changedAtMs),
          name: name as string,
        },
      ];
    });
}
