import { type Checks, expectCode, expectEqual, expectThat, outputOf, someBytes } from "./expect.js";

export const fileChecks: Checks = {
  async "a file is read back exactly as it was written"({ sandbox }) {
    for (const size of [0, 1, 65_536, 5_000_001]) {
      const data = someBytes(size);
      await sandbox.writeFile(`sizes/${size}`, data);
      expectThat(
        data.equals(await sandbox.readFile(`sizes/${size}`)),
        `the ${size} bytes that were written`,
        "other bytes",
      );
    }
  },
  async "commands read the files that the host writes, and the host reads theirs"({ sandbox }) {
    await sandbox.writeFile("deep/er/text", Buffer.from("ü\n"));
    expectEqual(await outputOf(sandbox, "cat deep/er/text"), "ü\n");
    await outputOf(sandbox, "printf back > deep/back");
    expectEqual(Buffer.from(await sandbox.readFile("deep/back")).toString(), "back");
  },
  async "writing an existing file replaces its content"({ sandbox }) {
    await sandbox.writeFile("again", Buffer.from("longer than the next"));
    await sandbox.writeFile("again", Buffer.from("short"));
    expectEqual(await outputOf(sandbox, "cat again"), "short");
  },
  async "file names can contain spaces, line breaks, quotes and 255 bytes"({ sandbox }) {
    for (const name of ["with space", "ü日", "line\nbreak", "-rf", "'quoted\"", "a".repeat(255)]) {
      await sandbox.writeFile(`odd/${name}`, Buffer.from(name));
      expectEqual(Buffer.from(await sandbox.readFile(`odd/${name}`)).toString(), name);
    }
    expectEqual((await sandbox.list("odd")).length, 6);
  },
  async "a missing path is answered with NO_FILE"({ sandbox }) {
    for (const path of ["nowhere", "/nowhere/at/all", "/etc/passwd/below"]) {
      await expectCode("NO_FILE", () => sandbox.readFile(path));
      await expectCode("NO_FILE", () => sandbox.stat(path));
      await expectCode("NO_FILE", () => sandbox.list(path));
    }
  },
  async "an empty path, a NUL byte or a name of 300 bytes is refused"({ sandbox }) {
    for (const path of ["", "a\0b"]) {
      await expectCode("REFUSED", () => sandbox.readFile(path));
      await expectCode("REFUSED", () => sandbox.writeFile(path, someBytes(1)));
    }
    await expectCode("REFUSED", () => sandbox.writeFile("x".repeat(300), someBytes(1)));
  },
  async "a folder cannot be read or written as a file"({ sandbox }) {
    await sandbox.writeFile("folder/file", someBytes(1));
    await expectCode("REFUSED", () => sandbox.readFile("folder"));
    await expectCode("REFUSED", () => sandbox.writeFile("folder", someBytes(1)));
    await expectCode("NO_FILE", () => sandbox.list("folder/file"));
  },
  async "a device or a pipe cannot be read as a file"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.readFile("/dev/zero"));
    await outputOf(sandbox, "mkfifo pipe");
    await expectCode("REFUSED", () => sandbox.readFile("pipe"));
  },
  async "reads and writes respect file permissions"({ sandbox }) {
    await outputOf(sandbox, "printf x > closed && chmod 000 closed");
    await expectCode("REFUSED", () => sandbox.readFile("closed"));
    await expectCode("REFUSED", () => sandbox.writeFile("closed", someBytes(1)));
    await expectCode("REFUSED", () => sandbox.writeFile("/usr/file", someBytes(1)));
  },
  async "a file larger than `maxBytes` is refused"({ sandbox }) {
    await sandbox.writeFile("large", someBytes(1_001));
    await expectCode("TOO_LARGE", () => sandbox.readFile("large", { maxBytes: 1_000 }));
    expectEqual((await sandbox.readFile("large", { maxBytes: 1_001 })).length, 1_001);
  },
  async "a list has the entries of a folder with type, size and mode"({ sandbox }) {
    await outputOf(sandbox, "mkdir -p seen/b && printf 123 > seen/a && chmod 640 seen/a && ln -s /etc/passwd seen/c");
    const entries = await sandbox.list("seen");
    const brief = entries.map(({ name, type, size }) => [name, type, type === "file" ? size : 0]);
    expectEqual(brief, [
      ["a", "file", 3],
      ["b", "folder", 0],
      ["c", "link", 0],
    ]);
    expectEqual(entries[0]?.mode, 0o640);
  },
  async "a list of more than 10,000 entries is refused"({ sandbox }) {
    await outputOf(sandbox, "mkdir many && cd many && seq 1 10001 | xargs touch");
    await expectCode("TOO_LARGE", () => sandbox.list("many"));
  },
  async "a status has type, size and time, and does not follow links"({ sandbox }) {
    await outputOf(sandbox, "printf 12345 > five && ln -s five link");
    const { type, size, changedAtMs } = await sandbox.stat("five");
    expectEqual([type, size], ["file", 5]);
    expectThat(Math.abs(changedAtMs - Date.now()) < 3_600_000, "a modification time within the last hour", changedAtMs);
    expectEqual((await sandbox.stat("link")).type, "link");
  },
  async "twenty files are written and read at the same time"({ sandbox }) {
    const all = Array.from({ length: 20 }, (_, i) => someBytes(100_000 + i));
    await Promise.all(all.map((data, i) => sandbox.writeFile(`beside/${i}`, data)));
    const read = await Promise.all(all.map((_, i) => sandbox.readFile(`beside/${i}`)));
    expectThat(
      all.every((data, i) => data.equals(read[i] as Uint8Array)),
      "the bytes that were written",
      "other bytes",
    );
  },
};
