import { type Checks, expectCode, expectEqual, expectThat, outputOf, someBytes } from "./expect.js";

export const fileChecks: Checks = {
  async "a file comes back as it was written"({ sandbox }) {
    for (const size of [0, 1, 65_536, 5_000_001]) {
      const data = someBytes(size);
      await sandbox.writeFile(`sizes/${size}`, data);
      expectThat(data.equals(await sandbox.readFile(`sizes/${size}`)), `${size} bytes as they were written`, "others");
    }
  },
  async "a written file is what commands read, and the other way round"({ sandbox }) {
    await sandbox.writeFile("deep/er/text", Buffer.from("ü\n"));
    expectEqual(await outputOf(sandbox, "cat deep/er/text"), "ü\n");
    await outputOf(sandbox, "printf back > deep/back");
    expectEqual(Buffer.from(await sandbox.readFile("deep/back")).toString(), "back");
  },
  async "a file that is written again is replaced"({ sandbox }) {
    await sandbox.writeFile("again", Buffer.from("longer than the next"));
    await sandbox.writeFile("again", Buffer.from("short"));
    expectEqual(await outputOf(sandbox, "cat again"), "short");
  },
  async "names may be odd"({ sandbox }) {
    for (const name of ["with space", "ü日", "line\nbreak", "-rf", "'quoted\"", "a".repeat(255)]) {
      await sandbox.writeFile(`odd/${name}`, Buffer.from(name));
      expectEqual(Buffer.from(await sandbox.readFile(`odd/${name}`)).toString(), name);
    }
    expectEqual((await sandbox.list("odd")).length, 6);
  },
  async "a path that leads nowhere is refused"({ sandbox }) {
    for (const path of ["nowhere", "/nowhere/at/all", "/etc/passwd/below"]) {
      await expectCode("NO_FILE", () => sandbox.readFile(path));
      await expectCode("NO_FILE", () => sandbox.stat(path));
      await expectCode("NO_FILE", () => sandbox.list(path));
    }
  },
  async "a path that is none is refused"({ sandbox }) {
    for (const path of ["", "a\0b"]) {
      await expectCode("REFUSED", () => sandbox.readFile(path));
      await expectCode("REFUSED", () => sandbox.writeFile(path, someBytes(1)));
    }
    await expectCode("REFUSED", () => sandbox.writeFile("x".repeat(300), someBytes(1)));
  },
  async "a folder is no file"({ sandbox }) {
    await sandbox.writeFile("folder/file", someBytes(1));
    await expectCode("REFUSED", () => sandbox.readFile("folder"));
    await expectCode("REFUSED", () => sandbox.writeFile("folder", someBytes(1)));
    await expectCode("NO_FILE", () => sandbox.list("folder/file"));
  },
  async "a device or a pipe is no file"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.readFile("/dev/zero"));
    await outputOf(sandbox, "mkfifo pipe");
    await expectCode("REFUSED", () => sandbox.readFile("pipe"));
  },
  async "a file may not be read or written against its permissions"({ sandbox }) {
    await outputOf(sandbox, "printf x > closed && chmod 000 closed");
    await expectCode("REFUSED", () => sandbox.readFile("closed"));
    await expectCode("REFUSED", () => sandbox.writeFile("closed", someBytes(1)));
    await expectCode("REFUSED", () => sandbox.writeFile("/usr/file", someBytes(1)));
  },
  async "a file larger than asked for is refused"({ sandbox }) {
    await sandbox.writeFile("large", someBytes(1_001));
    await expectCode("TOO_LARGE", () => sandbox.readFile("large", { maxBytes: 1_000 }));
    expectEqual((await sandbox.readFile("large", { maxBytes: 1_001 })).length, 1_001);
  },
  async "a list names what a folder holds"({ sandbox }) {
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
  async "a list that is too long is refused"({ sandbox }) {
    await outputOf(sandbox, "mkdir many && cd many && seq 1 10001 | xargs touch");
    await expectCode("TOO_LARGE", () => sandbox.list("many"));
  },
  async "a status tells type, size and time, and follows no link"({ sandbox }) {
    await outputOf(sandbox, "printf 12345 > five && ln -s five link");
    const { type, size, changedAtMs } = await sandbox.stat("five");
    expectEqual([type, size], ["file", 5]);
    expectThat(Math.abs(changedAtMs - Date.now()) < 3_600_000, "a time of change of now", changedAtMs);
    expectEqual((await sandbox.stat("link")).type, "link");
  },
  async "twenty files are read and written beside each other"({ sandbox }) {
    const all = Array.from({ length: 20 }, (_, i) => someBytes(100_000 + i));
    await Promise.all(all.map((data, i) => sandbox.writeFile(`beside/${i}`, data)));
    const read = await Promise.all(all.map((_, i) => sandbox.readFile(`beside/${i}`)));
    expectThat(
      all.every((data, i) => data.equals(read[i] as Uint8Array)),
      "the bytes that were written",
      "others",
    );
  },
};
