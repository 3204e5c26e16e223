import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import type { Address, Sandbox } from "../sandbox.js";
import { type Checks, expectCode, expectEqual, expectThat, GuaranteeRefused, outputOf, someBytes } from "./expect.js";

async function expectAnswering(sandbox: Sandbox): Promise<void> {
  expectEqual(await outputOf(sandbox, "echo on", { timeoutMs: 30_000 }), "on\n");
}

/** Returns a shell line that tries to connect to an address and prints `reached` or `unreached`. */
const connecting = (host: string, port: number) =>
  `timeout 2 bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>/dev/null && echo reached || echo unreached`;

const fetchProgram = [
  "import sys, urllib.request, urllib.error",
  "try: print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())",
  "except urllib.error.HTTPError as error: print(error.code)",
].join("\n");

/** Listens on a free port and returns it. */
function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

/** Sends bytes to a server and returns all bytes that it sends back. */
async function exchange(address: Address, bytes: Buffer): Promise<Buffer> {
  const socket = connect(address);
  socket.end(bytes);
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk);
  return Buffer.concat(received);
}

export const isolationChecks: Checks = {
  async "commands run without root, capabilities or new privileges"({ sandbox }) {
    expectThat((await outputOf(sandbox, "id -u")).trim() !== "0", "a user other than root", "root");
    const status = await outputOf(sandbox, "cat /proc/self/status");
    expectThat(/^CapEff:\s0+$/m.test(status) && /^CapPrm:\s0+$/m.test(status), "no capabilities", status);
    expectThat(/^CapBnd:\s0+$/m.test(status), "an empty bounding set of capabilities", status);
    expectThat(/^NoNewPrivs:\s1$/m.test(status), "no new privileges", status);
  },
  async "a command can write only to the sandbox's own folders"({ sandbox }) {
    const places = "/ /usr /bin /etc /lib /proc/sys/kernel /sys /dev /root /var/lib";
    const line = `for p in ${places}; do (: > $p/palestra-check) 2>/dev/null && echo $p; done; true`;
    expectEqual(await outputOf(sandbox, line), "");
  },
  async "a command sees only the processes of its sandbox"({ sandbox }) {
    const pids = (await outputOf(sandbox, "ls /proc")).split("\n").filter((name) => /^[0-9]+$/.test(name));
    expectThat(pids.length < 20, "fewer than 20 processes", pids.length);
    const other = await outputOf(
      sandbox,
      `kill -0 ${process.pid} 2>/dev/null && cat /proc/${process.pid}/cmdline || true`,
    );
    expectThat(!other.includes("node"), "no processes of this machine", other);
  },
  async "a command cannot open the file descriptors of the agent"({ sandbox }) {
    // A command with access to these descriptors could forge replies of the agent, such as another exit code.
    const line = 'for p in /proc/[0-9]*; do [ "$p" = "/proc/$$" ] || ! ls "$p/fd" >/dev/null 2>&1 || echo "$p"; done';
    expectEqual(await outputOf(sandbox, `${line}; true`), "");
  },
  async "no process of a sandbox belongs to a session or terminal of this machine"({ sandbox }) {
    // The session of a process outside of the sandbox has the id 0 in the sandbox.
    const line = "cat /proc/[0-9]*/stat 2>/dev/null; (: </dev/tty) 2>/dev/null && echo terminal; true";
    const shown = (await outputOf(sandbox, line)).trim().split("\n");
    expectThat(shown.at(-1) !== "terminal", "no terminal", "an open /dev/tty");
    for (const stat of shown) {
      const [, , , session, terminal] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      expectThat(Number(session) > 0 && terminal === "0", "a session of the sandbox, without a terminal", stat);
    }
  },
  async "two sandboxes do not see each other's files"({ sandbox, open }) {
    const other = await open();
    expectThat(sandbox.id !== other.id, "different ids", sandbox.id);
    await sandbox.writeFile("/tmp/mine", Buffer.from("mine"));
    await sandbox.writeFile("mine", Buffer.from("mine"));
    expectEqual(await outputOf(other, "cat /tmp/mine mine 2>/dev/null; true"), "");
  },
  async "a sandbox without a network reaches no address of this machine"({ sandbox }) {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, resolve));
    try {
      const { port } = server.address() as { port: number };
      const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      const hosts = ["127.0.0.1", ...own.filter(({ family }) => family === "IPv4").map(({ address }) => address)];
      for (const host of [...hosts, "169.254.169.254", "172.17.0.1"])
        expectEqual([host, await outputOf(sandbox, connecting(host, port))], [host, "unreached\n"]);
      expectThat(
        (await sandbox.exec("getent hosts example.com", { timeoutMs: 10_000 })).exitCode !== 0,
        "a failed look-up of example.com",
        "an address",
      );
    } finally {
      server.close();
    }
  },
  async "a command cannot make namespaces, mounts or devices"({ sandbox }) {
    const lines = ["unshare -r id", "unshare -U true", "mount -t tmpfs none /tmp", "mknod /tmp/null c 1 3"];
    for (const line of lines) expectThat((await sandbox.exec(line)).exitCode !== 0, `${line} to fail`, "success");
  },
  async "the memory limit ends a command that exceeds it"({ open }) {
    const sandbox = await open({ limits: { memoryMb: 128 } });
    const eats = "dd if=/dev/zero of=/dev/null bs=512M count=1";
    const { exitCode } = await sandbox.exec(eats, { timeoutMs: 30_000 });
    expectThat(exitCode !== 0, "a command that allocates 512 MiB to fail", "success");
    await expectAnswering(sandbox);
  },
  async "the process limit stops a fork bomb"({ open }) {
    const sandbox = await open({ limits: { processes: 64, memoryMb: 256 } });
    const bomb = "b() { b | b & }; b; sleep 1000";
    await sandbox.exec(["bash", "-c", bomb], { timeoutMs: 1_000 });
    await expectAnswering(sandbox);
  },
  async "the CPU limit slows a command down"({ open }) {
    const sandbox = await open({ limits: { cpus: 0.2 } });
    const line = "timeout 2 sh -c 'while :; do :; done'; cat /proc/self/stat >/dev/null; times";
    const used = /(?:.*\n)(\d+)m([\d.]+)s/.exec(
      (await sandbox.exec(["bash", "-c", line], { timeoutMs: 30_000 })).stdout,
    );
    const seconds = Number(used?.[1]) * 60 + Number(used?.[2]);
    expectThat(seconds < 1, "less than 1 s of CPU time in 2 s", `${seconds} s`);
  },
  async "the disk limit holds in every writable folder"({ open }) {
    const sandbox = await open({ limits: { diskMb: 16 } });
    for (const folder of [".", "/tmp"]) {
      const fill = `head -c 33554432 /dev/zero > ${folder}/fill`;
      expectThat((await sandbox.exec(fill)).exitCode !== 0, `a write of 32 MiB in ${folder} to fail`, "success");
      await sandbox.exec(`rm -f ${folder}/fill`);
    }
    await expectAnswering(sandbox);
  },
  async "the folders of `writable` are writable and start empty"({ open }) {
    const folders = ["/checked/deep", "/other"];
    const sandbox = await open({ writable: folders });
    for (const folder of folders) {
      expectEqual(await sandbox.list(`${folder}/.`), []);
      await sandbox.writeFile(`${folder}/file`, Buffer.from(folder));
      expectEqual(await outputOf(sandbox, `cat ${folder}/file`), folder);
    }
  },
  async "a path that cannot be made writable is refused"({ open }) {
    for (const path of ["relative", "/proc/one", "/up/..", "/"])
      expectThat(
        await open({ writable: [path] }).then(
          () => false,
          (error: unknown) => error instanceof GuaranteeRefused,
        ),
        `a refusal of ${path}`,
        "a sandbox",
      );
  },
  async "this machine can connect to a port of a program in the sandbox"({ open }) {
    const sandbox = await open({ network: "loopback" });
    const echo = [
      "import socketserver",
      "class Echo(socketserver.StreamRequestHandler):",
      "    def handle(self):",
      "        self.wfile.write(self.rfile.read())",
      "socketserver.ThreadingTCPServer(('127.0.0.1', 8080), Echo).serve_forever()",
    ].join("\n");
    const serving = sandbox.exec(["python3", "-c", echo], { timeoutMs: 100_000 }).catch(() => {});
    const address = await sandbox.openPort(8080);
    const sent = [1, 100_000, 3_000_000].map(someBytes);
    const received = await Promise.all(sent.map((bytes) => exchange(address, bytes)));
    for (const [at, bytes] of sent.entries())
      expectThat(bytes.equals(received[at] as Buffer), `the ${bytes.length} bytes that were sent`, "other bytes");
    await sandbox.close();
    await serving;
    const late = await exchange(address, Buffer.from("late")).catch(() => Buffer.alloc(0));
    expectEqual(late.length, 0);
  },
  async "a port is refused if the network is `none`, the number is invalid or no program listens"({ sandbox, open }) {
    await expectCode("REFUSED", () => sandbox.openPort(80));
    const other = await open({ network: "loopback" });
    for (const port of [0, 65_536, 1.5]) await expectCode("REFUSED", () => other.openPort(port));
    await expectCode("TIMEOUT", () => other.openPort(81));
  },
  async "a sandbox with the network `loopback` cannot connect to other machines"({ open }) {
    const sandbox = await open({ network: "loopback" });
    expectEqual(await outputOf(sandbox, connecting("169.254.169.254", 80)), "unreached\n");
  },
  async "a sandbox with a list of hosts reaches only those hosts"({ open }) {
    const servers = [
      createHttpServer((_, reply) => reply.end("one")),
      createHttpServer((_, reply) => reply.end("two")),
    ];
    try {
      const [one, two] = (await Promise.all(servers.map(listen))) as [number, number];
      const sandbox = await open({ network: { hosts: [`127.0.0.1:${one}`, "*.example.com"] } });
      const fetching = (url: string) =>
        outputOf(sandbox, `python3 -c '${fetchProgram}' ${url}`, { timeoutMs: 30_000 }).then((text) => text.trim());
      expectEqual(await fetching(`http://127.0.0.1:${one}/`), "one");
      expectEqual(await fetching(`http://127.0.0.1:${two}/`), "403");
      expectEqual(await fetching("http://169.254.169.254/"), "403");
      for (const [host, port] of [
        ["127.0.0.1", one],
        ["169.254.169.254", 80],
      ] as const)
        expectEqual(await outputOf(sandbox, connecting(host, port)), "unreached\n");
    } finally {
      for (const server of servers) server.close();
    }
  },
  async "an invalid entry in a list of hosts is refused"({ open }) {
    const sandbox = await open({ network: { hosts: ["https://example.com/"] } }).catch((error: unknown) => error);
    expectThat(sandbox instanceof GuaranteeRefused, "a refusal", sandbox);
  },
};
