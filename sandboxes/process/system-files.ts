/**
 * The files in /etc of a sandbox. They have the contents that they have in a container of the base image, so that a task
 * has the same result with both providers.
 */

/** User of every process in a sandbox. */
export const user = { name: "sandbox", uid: 1000, gid: 1000 } as const;
/** Host name of every sandbox. */
export const hostname = "sandbox";
export const workFolder = "/work";

const noLogin = "/usr/sbin/nologin";

/** Debian's users (package base-passwd): name, user id, group id, home and shell. */
const users: readonly [string, number, number, string, string][] = [
  ["root", 0, 0, "/root", "/bin/bash"],
  ["daemon", 1, 1, "/usr/sbin", noLogin],
  ["bin", 2, 2, "/bin", noLogin],
  ["sys", 3, 3, "/dev", noLogin],
  ["sync", 4, 65_534, "/bin", "/bin/sync"],
  ["games", 5, 60, "/usr/games", noLogin],
  ["man", 6, 12, "/var/cache/man", noLogin],
  ["lp", 7, 7, "/var/spool/lpd", noLogin],
  ["mail", 8, 8, "/var/mail", noLogin],
  ["news", 9, 9, "/var/spool/news", noLogin],
  ["uucp", 10, 10, "/var/spool/uucp", noLogin],
  ["proxy", 13, 13, "/bin", noLogin],
  ["www-data", 33, 33, "/var/www", noLogin],
  ["backup", 34, 34, "/var/backups", noLogin],
  ["list", 38, 38, "/var/list", noLogin],
  ["irc", 39, 39, "/run/ircd", noLogin],
  ["_apt", 42, 65_534, "/nonexistent", noLogin],
  ["nobody", 65_534, 65_534, "/nonexistent", noLogin],
  [user.name, user.uid, user.gid, workFolder, "/bin/bash"],
];

/** Debian's groups, each as `name:id`. */
const groups = [
  ..."root:0 daemon:1 bin:2 sys:3 adm:4 tty:5 disk:6 lp:7 mail:8 news:9 uucp:10 man:12 proxy:13 kmem:15".split(" "),
  ..."dialout:20 fax:21 voice:22 cdrom:24 floppy:25 tape:26 sudo:27 audio:29 dip:30 www-data:33 backup:34".split(" "),
  ..."operator:37 list:38 irc:39 src:40 shadow:42 utmp:43 video:44 sasl:45 plugdev:46 staff:50 games:60".split(" "),
  ...["users:100", "nogroup:65534", `${user.name}:${user.gid}`],
];

/** Contents of the files, by path. */
export const systemFiles: Readonly<Record<string, string>> = {
  "/etc/group": text(groups.map((group) => `${group.replace(":", ":x:")}:`)),
  "/etc/host.conf": text(["multi on"]),
  "/etc/hostname": text([hostname]),
  "/etc/hosts": text([
    "127.0.0.1\tlocalhost",
    "::1\tlocalhost ip6-localhost ip6-loopback",
    "fe00::0\tip6-localnet",
    "ff00::0\tip6-mcastprefix",
    "ff02::1\tip6-allnodes",
    "ff02::2\tip6-allrouters",
    `127.0.0.1\t${hostname}`,
  ]),
  "/etc/nsswitch.conf": text([
    ...["passwd: files", "group: files", "shadow: files", "gshadow: files"],
    ...["hosts: files dns", "networks: files", "protocols: files", "services: files"],
  ]),
  "/etc/passwd": text(
    users.map(([name, uid, gid, home, shell]) => `${name}:x:${uid}:${gid}:${titleOf(name)}:${home}:${shell}`),
  ),
  // As Debian's: a login shell gets this path.
  "/etc/profile": text(['PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"', "export PATH"]),
  // No program answers at this address, so a name that /etc/hosts lacks is not found at once.
  "/etc/resolv.conf": text(["nameserver 127.0.0.1"]),
  "/etc/shells": text(["/bin/sh", "/bin/bash"]),
};

function titleOf(name: string): string {
  if (name === user.name || name === "_apt") return "";
  return { list: "Mailing List Manager", irc: "ircd" }[name] ?? name;
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
