/**
 * Checks of what a command finds around it: names, users, folders, devices, limits and variables. These are the same with
 * every provider, so that the result of a task does not depend on the provider.
 */
import { defaults } from "../sandbox.js";
import { type Checks, expectEqual, expectThat, outputOf } from "./expect.js";

/** Returns a program that prints the outcome of a connection to a new server, for each pair of addresses. */
const connecting = [
  "import socket",
  "for family, own, other in [",
  "    (socket.AF_INET, '127.0.0.1', 'localhost'), (socket.AF_INET, 'localhost', '127.0.0.1'),",
  "    (socket.AF_INET, '0.0.0.0', socket.gethostname()), (socket.AF_INET6, '::1', 'localhost')]:",
  "    server = socket.socket(family); server.bind((own, 0)); server.listen()",
  "    socket.create_connection((other, server.getsockname()[1]), 10); print(own, other)",
].join("\n");

const folders =
  "/bin /dev /etc /home /lib /media /mnt /opt /proc /root /run /run/lock /sbin /srv /usr /var /var/lib /var/log /var/tmp";

/** Character devices and other entries of /dev that every sandbox has, with the letter of their kind. */
const devices = [
  ..."full null random tty urandom zero".split(" ").map((name) => `c ${name}`),
  ..."mqueue pts shm".split(" ").map((name) => `d ${name}`),
  ..."fd ptmx stderr stdin stdout".split(" ").map((name) => `l ${name}`),
];

export const surroundingChecks: Checks = {
  async "`localhost` and the host name are addresses of the sandbox, in IPv4 and IPv6"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "hostname; uname -n; cat /etc/hostname"), "sandbox\n".repeat(3));
    const { stdout, stderr } = await sandbox.exec(["python3", "-c", connecting], { timeoutMs: 60_000 });
    const pairs = ["127.0.0.1 localhost", "localhost 127.0.0.1", "0.0.0.0 sandbox", "::1 localhost", ""];
    expectEqual(stdout, pairs.join("\n"));
    expectEqual(stderr, "");
  },
  async "names are looked up in the sandbox alone"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "cat /etc/resolv.conf"), "nameserver 127.0.0.1\n");
    expectThat((await sandbox.exec("getent hosts example.com")).exitCode === 2, "exit code 2", "another");
  },
  async "commands run as the user `sandbox`, and Debian's users and groups have names"({ sandbox }) {
    const line =
      "id -un; id -gn; id -u; id -g; id -G; getent passwd 1000; getent passwd root nobody www-data; getent group tty nogroup";
    const lines = [
      ...["sandbox", "sandbox", "1000", "1000", "1000", "sandbox:x:1000:1000::/work:/bin/bash"],
      ...["root:x:0:0:root:/root:/bin/bash", "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin"],
      ...["www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin", "tty:x:5:", "nogroup:x:65534:"],
    ];
    expectEqual(await outputOf(sandbox, line), `${lines.join("\n")}\n`);
  },
  async "a command has the variables HOME, LANG, PATH and PWD alone"({ sandbox }) {
    const variables = ["HOME=/work", "LANG=C.UTF-8", `PATH=${defaults.path}`, "PWD=/work"];
    expectEqual(await outputOf(sandbox, "env | LC_ALL=C sort"), `${variables.join("\n")}\n`);
    expectEqual(await outputOf(sandbox, "echo ~ ~sandbox ~root"), "/work /work /root\n");
  },
  async "the encoding is UTF-8, the order of texts is that of bytes, and the time zone is UTC"({ sandbox }) {
    const encodings = "python3 -c 'import sys, locale; print(locale.getpreferredencoding(), sys.stdout.encoding)'";
    expectEqual((await outputOf(sandbox, encodings)).toLowerCase(), "utf-8 utf-8\n");
    expectEqual(
      await outputOf(sandbox, "printf 'b\\nA\\na\\nB\\n' | sort | tr '\\n' ' '; date +%Z%z"),
      "A B a b UTC+0000\n",
    );
  },
  async "new files are readable by all and writable by their owner"({ sandbox }) {
    expectEqual(
      await outputOf(sandbox, "umask; touch f; stat -c %a:%U:%G f; mkdir d; stat -c %a d"),
      "0022\n644:sandbox:sandbox\n755\n",
    );
  },
  async "the working folder and /tmp are folders of their own, and programs in them run"({ sandbox }) {
    expectEqual(await outputOf(sandbox, "pwd; pwd -P; cd /tmp; pwd -P"), "/work\n/work\n/tmp\n");
    expectEqual(
      await outputOf(sandbox, "stat -c '%a %U' /work; stat -c %a /tmp /var/tmp"),
      "755 sandbox\n1777\n1777\n",
    );
    for (const folder of ["/work", "/tmp"])
      expectEqual(
        await outputOf(sandbox, `cd ${folder}; printf '#!/bin/sh\\necho ran' > run; chmod +x run; ./run`),
        "ran\n",
      );
  },
  async "the usual folders exist, and only the sandbox's own are writable"({ sandbox }) {
    expectEqual(await outputOf(sandbox, `for f in ${folders}; do [ -d $f ] || echo $f is missing; done`), "");
    expectEqual(await outputOf(sandbox, `for f in ${folders}; do [ -w $f ] && echo $f; done; true`), "");
  },
  async "the usual devices exist"({ sandbox }) {
    const line = devices.map((device) => `[ -${device.replace("l ", "L ").replace(" ", " /dev/")} ] || echo ${device}`);
    expectEqual(await outputOf(sandbox, `${line.join("; ")}; true`), "");
    const size = await outputOf(sandbox, "df -k --output=size /dev/shm | tail -n 1; stat -c %a /dev/shm");
    expectEqual(size.trim().split(/\s+/), ["65536", "1777"]);
    expectEqual(await outputOf(sandbox, "printf x > /dev/shm/x && cat /dev/shm/x && printf x > /dev/null"), "x");
  },
  async "a command may open 4,096 files, and leaves no core file"({ sandbox }) {
    const lines = await outputOf(sandbox, "bash -c 'ulimit -Sn; ulimit -Hn; ulimit -Sc; ulimit -Hc'");
    expectEqual(lines, "4096\n4096\n0\n0\n");
  },
};
