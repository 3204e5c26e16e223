/**
 * Attacks by an agent in its sandbox. Each is contained: it ends within its limits, the sandbox answers afterwards
 * or reports that it is lost, and commands of a neighbour continue.
 */
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { ProcessProvider } from "#palestra/sandboxes/process/process-provider.js";
import type { ExecResult, Sandbox, SandboxProvider, SandboxSpec } from "#palestra/sandboxes/sandbox.js";
import { findEngine } from "../support/docker.js";
import { missingForProcesses } from "../support/processes.js";

type Provider = SandboxProvider<SandboxSpec, Sandbox>;

const limits = { memoryMb: 256, cpus: 0.5, processes: 64, diskMb: 64 };
/** Longest wait for a neighbour's command, in milliseconds, on a busy machine. */
const delayedMs = 60_000;

interface Attack {
  /** A command line for bash, or a Python program. */
  line?: string;
  python?: string;
  /** Checks the result if the sandbox survives. */
  check(result: ExecResult, sandbox: Sandbox): void | Promise<void>;
}

const attacks: Record<string, Attack> = {
  "a fork bomb": { line: "b() { b | b & }; b; sleep 100", check: () => {} },
  "a bomb that forks away from its parents": {
    python: "import os\nwhile True:\n  try:\n    if os.fork() == 0: os.setsid()\n  except OSError: pass",
    check: ({ isTimedOut }) => expect(isTimedOut).toBe(true),
  },
  "a bomb of memory": {
    python: "held = []\nwhile True: held.append(bytearray(b'x') * 2**24)",
    check: ({ exitCode }) => expect(exitCode).not.toBe(0),
  },
  "files without end": {
    line: "for d in . /tmp /dev/shm; do for i in $(seq 100); do head -c 10000000 /dev/zero > $d/$i || break; done; done; du -sm .",
    check: async (_, sandbox) => {
      await sandbox.exec("rm -rf ./* /tmp/* /dev/shm/*");
    },
  },
  "a hundred thousand small files": {
    line: "for i in $(seq 100000); do : > /tmp/f$i || exit 9; done",
    check: () => {},
  },
  "a gibibyte of output": {
    line: "head -c 1073741824 /dev/zero; head -c 1073741824 /dev/zero >&2",
    check: ({ stdout, stderr, isCut }) => {
      expect(isCut).toBe(true);
      expect(stdout.length + stderr.length).toBeLessThanOrEqual(2 ** 21);
    },
  },
  "a command that ignores SIGTERM": {
    line: "trap '' TERM INT HUP; while :; do sleep 1; done",
    check: ({ isTimedOut }) => expect(isTimedOut).toBe(true),
  },
  "a double fork that outlives the timeout": {
    line: "(setsid sh -c 'trap \"\" TERM HUP; while :; do date +%s%N > alive; sleep 0.05; done' </dev/null >/dev/null 2>&1 &) ; sleep 100",
    check: async ({ isTimedOut }, sandbox) => {
      expect(isTimedOut).toBe(true);
      const [first, second] = [await sandbox.readFile("alive"), await after(500, () => sandbox.readFile("alive"))];
      expect(Buffer.from(first).toString()).toBe(Buffer.from(second).toString());
    },
  },
  "writing to every mount": {
    line: `awk '{print $5}' /proc/self/mountinfo | while read -r m; do
      case $m in /work|/tmp|/dev/shm|/writable*|/dev/mqueue) continue;; esac
      # Masks are the null device.
      [ -c "$m" ] && continue
      if [ -d "$m" ]; then (: > "$m/palestra-attack") 2>/dev/null && echo "$m"; else (printf x > "$m") 2>/dev/null && echo "$m"; fi; done; true`,
    check: ({ stdout }) => expect(stdout).toBe(""),
  },
  "knobs of the kernel": {
    line: `for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches /sys/kernel/uevent_helper /proc/1/mem /dev/mem /dev/kmsg; do
      (printf x > $f) 2>/dev/null && echo $f; done; true`,
    check: ({ stdout }) => expect(stdout).toBe(""),
  },
  "raw sockets": {
    python: [
      "import socket",
      "for family, kind, protocol in [(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP), (17, socket.SOCK_RAW, 768)]:",
      "  try:",
      "    socket.socket(family, kind, protocol); print('open')",
      "  except OSError: pass",
    ].join("\n"),
    check: ({ stdout }) => expect(stdout).toBe(""),
  },
  "names, the metadata address and neighbours": {
    python: [
      "import socket",
      "socket.setdefaulttimeout(1)",
      "for host, port in [('169.254.169.254', 80), ('172.17.0.1', 80), ('172.17.0.2', 80), ('10.0.0.1', 80), ('8.8.8.8', 53), ('1.1.1.1', 443)]:",
      "  try:",
      "    socket.create_connection((host, port)); print(host)",
      "  except OSError: pass",
      "for name in ['example.com', 'host.docker.internal', 'gateway.docker.internal']:",
      "  try:",
      "    socket.getaddrinfo(name, 80); print(name)",
      "  except OSError: pass",
    ].join("\n"),
    check: ({ stdout }) => expect(stdout).toBe(""),
  },
  "an exit code written in the agent's name": {
    // A frame of 14 bytes: its length, `exit`, the request's number, code 0 and no flags.
    python: [
      "import os, struct, sys",
      "forged = b''.join(struct.pack('<IBIIB', 10, 5, request, 0, 0) for request in range(64))",
      "for pid in filter(str.isdigit, os.listdir('/proc')):",
      "  if int(pid) == os.getpid(): continue",
      "  for number in range(1024):",
      "    try:",
      "      with open(f'/proc/{pid}/fd/{number}', 'wb', 0) as file: file.write(forged)",
      "      print(pid, number)",
      "    except OSError: pass",
      "  try: open(f'/proc/{pid}/mem', 'rb').close(); print(pid, 'mem')",
      "  except OSError: pass",
      "sys.exit(3)",
    ].join("\n"),
    check: ({ exitCode, stdout }) => expect([exitCode, stdout]).toEqual([3, ""]),
  },
  "the end of everything it can end": {
    line: "kill -KILL -1; cd /proc; for p in [0-9]*; do kill -KILL $p; done",
    check: () => {},
  },
};

/** @param provide returns a provider, or the reason why there is none */
function attacked(name: string, provide: () => Promise<Provider | string>): void {
  const attack = (title: string, run: (provider: Provider) => Promise<void>) =>
    test(title, { timeout: 300_000 }, async (context) => {
      const provider = await provide();
      if (typeof provider === "string") return context.skip(provider);
      onTestFinished(() => provider.close());
      await run(provider);
    });

  describe(`${name}: contained`, () => {
    for (const [title, { line, python, check }] of Object.entries(attacks))
      attack(title, async (provider) => {
        const [attacker, neighbour] = [await provider.open({ limits }), await provider.open({ limits })];
        const watch = watchNeighbour(neighbour);
        const command = python ? ["python3", "-c", python] : ["bash", "-c", line ?? ""];
        try {
          const result = await attacker.exec(command, { timeoutMs: 4_000 }).catch((error: { code: string }) => error);
          if ("exitCode" in result && !attacker.lost.aborted) await check(result, attacker);
          else expect((result as { code: string }).code).toBe("LOST");
          await expectAnswerOrLoss(attacker);
        } finally {
          await watch.stop();
        }
        const { p99, count } = watch.told();
        console.info(`${name}, ${title}: ${count} commands of the neighbour, p99 ${p99.toFixed(0)} ms`);
        expect(p99).toBeLessThan(delayedMs);
      });

    attack("connections to a port of this machine at each of its addresses", async (provider) => {
      let reached = 0;
      const server = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as { port: number };
      const hosts = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
      const sandbox = await provider.open({ limits });
      const program = [
        "import socket, sys",
        "socket.setdefaulttimeout(1)",
        "for host in sys.argv[2:]:",
        "  try: socket.create_connection((host, int(sys.argv[1]))); print(host)",
        "  except OSError: pass",
      ].join("\n");
      const { stdout } = await sandbox.exec([
        "python3",
        "-c",
        program,
        `${port}`,
        ...hosts,
        "127.0.0.1",
        "::1",
        "localhost",
      ]);
      expect([stdout, reached]).toEqual(["", 0]);
    });

    attack("links and paths that point outside of the sandbox", async (provider) => {
      const sandbox = await provider.open({ limits });
      await sandbox.exec("ln -s /etc/passwd link; ln -s / root; ln -s /proc/1/root out; ln -s loop loop; mkfifo pipe");
      // Links resolve inside the sandbox, with its user's rights, and never to files of this machine.
      const through = await sandbox.readFile("link");
      expect(Buffer.from(through)).toEqual(Buffer.from(await sandbox.readFile("/etc/passwd")));
      for (const path of ["link", "root/etc/passwd", "../../../etc/passwd", "out/etc/passwd"])
        await expect(sandbox.writeFile(path, Buffer.from("x")), path).rejects.toMatchObject({ code: "REFUSED" });
      for (const path of ["loop", "pipe", "/proc/self/mem", "/dev/zero"])
        await expect(sandbox.readFile(path), path).rejects.toMatchObject({
          code: expect.stringMatching(/REFUSED|NO_FILE/),
        });
      expect(await sandbox.stat("link")).toMatchObject({ type: "link" });
      await expectAnswerOrLoss(sandbox);
    });
  });
}

async function expectAnswerOrLoss(sandbox: Sandbox): Promise<void> {
  const answer = await sandbox.exec("echo on", { timeoutMs: 20_000 }).catch((error: { code: string }) => error);
  if ("exitCode" in answer) expect(answer.stdout).toBe("on\n");
  else expect(answer.code).toBe("LOST");
}

function watchNeighbour(neighbour: Sandbox) {
  const times: number[] = [];
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const begun = performance.now();
      expect((await neighbour.exec(["true"], { timeoutMs: delayedMs })).exitCode).toBe(0);
      times.push(performance.now() - begun);
      await after(20, async () => {});
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watching;
    },
    told() {
      times.sort((one, other) => one - other);
      return { count: times.length, p99: times[Math.floor(0.99 * times.length)] as number };
    },
  };
}

async function after<T>(ms: number, run: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return run();
}

attacked("docker", async () => {
  const address = await findEngine();
  return typeof address === "string" ? new DockerProvider({ engines: [address] }) : address.reason;
});

attacked("process", async () => missingForProcesses ?? new ProcessProvider());
