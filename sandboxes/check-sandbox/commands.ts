import {
  abortSoon,
  type Checks,
  endOf,
  expectCode,
  expectEqual,
  expectThat,
  outputOf,
  someBytes,
  within,
} from "./expect.js";

/** Returns a number that no process has on its command line yet. */
const markOf = () => `${1e6 + Math.floor(Math.random() * 1e9)}`;

const sleeps = (mark: string) => `ps -e -o args 2>/dev/null | grep -c "^sleep .*${mark}"`;

const ordinary = { exitCode: 0, isCut: false, isTimedOut: false };

export const commandChecks: Checks = {
  async "a command returns its exit code"({ sandbox }) {
    for (const exitCode of [0, 1, 3, 127, 255])
      expectEqual((await sandbox.exec(`exit ${exitCode}`)).exitCode, exitCode);
  },
  async "a command ended by a signal returns 128 plus the signal's number"({ sandbox }) {
    expectEqual((await sandbox.exec("kill -KILL $$")).exitCode, 137);
  },
  async "standard output and standard error are kept apart"({ sandbox }) {
    expectEqual(await sandbox.exec("echo out; echo err >&2"), { ...ordinary, stdout: "out\n", stderr: "err\n" });
  },
  async "arguments arrive unchanged"({ sandbox }) {
    const odd = ["a b", "", "'\"\\$x`", "ü 日本", "line\nline", "-n", "*"];
    const { stdout } = await sandbox.exec(["printf", "%s|", ...odd]);
    expectEqual(stdout, `${odd.join("|")}|`);
  },
  async "an argument can have 100,000 characters"({ sandbox }) {
    const long = "x".repeat(100_000);
    expectEqual((await sandbox.exec(["sh", "-c", 'printf %s "$1" | wc -c', "sh", long])).stdout.trim(), "100000");
  },
  async "a command given as a string runs in sh"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "for i in 1 2; do echo $i; done | tac"), "2\n1\n");
  },
  async "a command sees the variables of its sandbox and its own"({ sandbox, open }) {
    const other = await open({ environment: { ONE: "1", TWO: "2" } });
    expectEqual(await outputOf(other, "echo $ONE $TWO", { environment: { TWO: "zwei =" } }), "1 zwei =\n");
    expectEqual(await outputOf(sandbox, "echo $ONE"), "\n");
  },
  async "a command sees no variable of the provider's process"({ sandbox }) {
    const name = "PALESTRA_CHECK_SECRET";
    process.env[name] = "secret";
    try {
      expectThat(!(await outputOf(sandbox, "env")).includes(name), `no variable ${name}`, name);
    } finally {
      delete process.env[name];
    }
  },
  async "a command runs in the given folder"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "pwd", { folder: "/usr" }), "/usr\n");
  },
  async "a missing folder is refused"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.exec("true", { folder: "/nowhere" }));
  },
  async "a missing program is refused"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.exec(["nowhere-at-all"]));
  },
  async "a file that is not executable is refused as a program"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.exec(["/etc/passwd"]));
  },
  async "an empty command is refused"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.exec([]));
  },
  async "an unknown user is refused"({ sandbox }) {
    await expectCode("REFUSED", () => sandbox.exec("true", { user: "nobody-of-that-name" }));
  },
  async "a command without input reads an empty standard input"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "cat"), "");
  },
  async "a command reads the text given as its input"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "cat", { input: "ü\nlast" }), "ü\nlast");
  },
  async "a command reads a megabyte of bytes given as its input"({ sandbox }) {
    const input = someBytes(2 ** 20 + 1);
    await outputOf(sandbox, "cat > given", { input });
    expectThat(input.equals(await sandbox.readFile("given")), "the same bytes as the input", "other bytes");
  },
  async "a command that does not read its input ends"({ sandbox }) {
    expectEqual((await sandbox.exec("true", { input: someBytes(2 ** 21) })).exitCode, 0);
  },
  async "output is cut at `maxOutputBytes`"({ sandbox }) {
    const result = await sandbox.exec("head -c 3000 /dev/zero; echo end >&2", { maxOutputBytes: 1_000 });
    expectEqual([result.stdout.length, result.stderr, result.isCut, result.exitCode], [1_000, "end\n", true, 0]);
  },
  async "a gigabyte of output is read and dropped"({ sandbox }) {
    const before = process.memoryUsage.rss();
    const result = await sandbox.exec("head -c 1073741824 /dev/zero", { maxOutputBytes: 1_000, timeoutMs: 60_000 });
    expectEqual(endOf(result), { ...ordinary, isCut: true });
    const grown = process.memoryUsage.rss() - before;
    expectThat(grown < 200 * 2 ** 20, "memory growth of this process below 200 MiB", `${grown} bytes`);
  },
  async "output that is not UTF-8 is replaced"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "printf 'a\\377b'"), "a\ufffdb");
  },
  async "fifty commands run at the same time"({ sandbox }) {
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => outputOf(sandbox, `sleep 0.2; echo ${i}`)));
    expectEqual(
      all,
      all.map((_, i) => `${i}\n`),
    );
  },
  async "a timeout ends a command"({ sandbox }) {
    const result = await sandbox.exec("echo begun; sleep 1000", { timeoutMs: 300 });
    expectThat(result.isTimedOut && result.stdout === "begun\n" && result.exitCode !== 0, "a timeout", result);
  },
  async "a timeout ends every process that the command started"({ sandbox }) {
    const mark = markOf();
    const [child, session, twice] = [
      "sleep MARK &",
      "setsid sleep MARK &",
      "(setsid sh -c 'sleep MARK & sleep MARK' &)",
    ];
    const line = `trap "" TERM; ${child} ${session} ${twice}; while :; do sleep MARK; done`;
    const { isTimedOut } = await sandbox.exec(line.replaceAll("MARK", mark), { timeoutMs: 500 });
    expectThat(isTimedOut, "a timeout", "no timeout");
    const gone = async () => (await sandbox.exec(sleeps(mark))).stdout.trim() === "0";
    await within(30_000, "no process of the command", gone);
  },
  async "background processes of a command continue after its end"({ sandbox }) {
    const mark = markOf();
    expectEqual(await outputOf(sandbox, `sleep ${mark} & echo left`), "left\n");
    await sandbox.exec("sleep 1000", { timeoutMs: 200 });
    expectEqual(await outputOf(sandbox, sleeps(mark)), "1\n");
  },
  async "an abort signal ends a command and rejects with its reason"({ sandbox }) {
    const reason = new Error("given up");
    for (const signal of [AbortSignal.abort(reason), abortSoon(reason, 100)]) {
      const received = await sandbox.exec("sleep 1000", { signal }).catch((error: unknown) => error);
      expectThat(received === reason, "the signal's reason", received);
    }
  },
  async "a shell keeps its working folder and variables"({ sandbox }) {
    const shell = await sandbox.openShell();
    expectEqual((await shell.run("cd /usr; A=5; (exit 4)")).exitCode, 4);
    const { stdout, stderr } = await shell.run('echo $? $PWD $A; echo "err" >&2');
    expectEqual([stdout, stderr], ["4 /usr 5\n", "err\n"]);
    await shell.close();
  },
  async "a shell survives a line with a syntax error"({ sandbox }) {
    const shell = await sandbox.openShell();
    expectThat((await shell.run("if ; fi (")).exitCode !== 0, "a failure", "success");
    expectThat((await shell.run("echo 'open")).exitCode !== 0, "a failure", "success");
    expectEqual((await shell.run("printf on")).stdout, "on");
    await shell.close();
  },
  async "a shell ends when a line exits it or times out"({ sandbox }) {
    const [one, other] = [await sandbox.openShell(), await sandbox.openShell()];
    expectEqual((await one.run("exit 7")).exitCode, 7);
    await expectCode("REFUSED", () => one.run("true"));
    const late = await other.run("echo begun; sleep 1000", { timeoutMs: 300 });
    expectThat(late.isTimedOut && late.stdout.startsWith("begun"), "a timeout", late);
    await expectCode("REFUSED", () => other.run("true"));
  },
};
