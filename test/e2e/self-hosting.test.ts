/** Follows server/deploy/README.md step by step on a private machine, in namespaces of Linux. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshClone } from "../support/fresh-clone.js";
import { scratchDir } from "../support/gym.js";
import { missingForPrivateMachine, PrivateMachine } from "../support/private-machine.js";
import { root } from "../support/server-process.js";
import { readmeSteps } from "./readme-steps.js";

const page = "server/deploy/README.md";
const deploy = (name: string) => readFileSync(join(root, "server/deploy", name), "utf8");
const steps = readmeSteps([{ page, text: deploy("README.md") }]);
const missing = missingForPrivateMachine(["nginx", "openssl", "curl", "git", "systemd-analyze"]);

let machine: PrivateMachine;
let secret: string;
const origin = () => join(scratch, "palestra");
let scratch: string;

beforeAll(() => {
  if (missing !== undefined) return;
  scratch = scratchDir();
  freshClone(origin());
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  machine = new PrivateMachine(origin());
});
afterAll(() => machine?.close(), 60_000);

function git(...args: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  execFileSync("git", [...identity, ...args], { cwd: origin() });
}

/** The value of a setting in a unit. */
function unitSetting(unit: string, name: string): string {
  return new RegExp(`^${name}=(.*)$`, "m").exec(deploy(`${unit}.service`))?.[1] as string;
}

/** Runs a unit's command as systemd does: as its user, in its folder. systemd itself cannot run in a namespace. */
function unitCommand(unit: string): string {
  const command = `cd ${unitSetting(unit, "WorkingDirectory")} && umask 0077 && exec ${unitSetting(unit, "ExecStart")}`;
  return `runuser -u ${unitSetting(unit, "User")} -- sh -c '${command}'`;
}

async function startGym(): Promise<void> {
  await machine.succeeds(`${unitCommand("palestra")} > /var/log/palestra.log 2>&1 & gym=$!`);
  const ready = "curl -sf --retry 60 --retry-connrefused --retry-delay 1 -o /dev/null http://127.0.0.1:8700/readyz";
  const { code } = await machine.run(ready);
  if (code !== 0) throw new Error(await machine.succeeds("cat /var/log/palestra.log"));
}

async function stopGym(): Promise<void> {
  await machine.succeeds("pkill --exact --signal TERM --parent $gym node; wait $gym; true");
}

/** Mounts a folder into the installation. */
function lend(folder: string, as = basename(folder)): Promise<string> {
  const at = `/opt/palestra/${as}`;
  return machine.succeeds(`mkdir -p ${at} && { mountpoint -q ${at} || mount --bind ${folder} ${at}; }`);
}

interface Row {
  matches: RegExp;
  run(command: string): Promise<unknown>;
}

const verified = (unit: string) => machine.succeeds(`systemd-analyze verify /etc/systemd/system/${unit}`);
const asIs = (command: string) => machine.succeeds(command);
const rows: Row[] = [
  { matches: /^(useradd|chmod|git clone|cd|cp|install) /, run: asIs },
  {
    matches: /^npm ci$/,
    // The private machine has no network, so it mounts the packages of this checkout.
    run: () => lend(join(origin(), "node_modules")),
  },
  // The build is skipped, since it takes a minute and the test of the README already builds.
  {
    matches: /^npm run build$/,
    async run() {
      await lend(join(root, "dist"));
      const sqlite = "native/build-sqlite";
      if (existsSync(join(root, sqlite))) await lend(join(root, sqlite), sqlite);
    },
  },
  { matches: /^systemctl daemon-reload$/, run: () => verified("palestra.service") },
  {
    matches: /^systemctl enable --now palestra$/,
    run: startGym,
  },
  {
    matches: /^curl -s http:\/\/127\.0\.0\.1:8700\/readyz/,
    async run(command) {
      expect(JSON.parse(await machine.succeeds(command))).toMatchObject({ status: "ok" });
      expect(await machine.succeeds("stat -c %a:%U /var/lib/palestra /var/lib/palestra/episodes.db")).toBe(
        "700:palestra\n600:palestra\n",
      );
    },
  },
  {
    matches: /token create --name ada/,
    async run(command) {
      secret = (await machine.succeeds(command)).trim();
      expect(secret).toMatch(/^pal_/);
      const ask = "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8700/v1/environments";
      expect(await machine.succeeds(ask)).toBe("401");
    },
  },
  {
    matches: /token list/,
    async run(command) {
      expect(await machine.succeeds(command)).toContain("ada");
    },
  },
  {
    matches: /^nginx -t$/,
    async run(command) {
      await machine.succeeds(
        "mkdir -p /etc/ssl/palestra && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=gym.example.org -addext subjectAltName=DNS:gym.example.org -keyout /etc/ssl/palestra/privkey.pem -out /etc/ssl/palestra/fullchain.pem",
      );
      await machine.succeeds(command);
    },
  },
  {
    matches: /^systemctl reload nginx$/,
    run: () => machine.succeeds("echo 127.0.0.1 gym.example.org >> /etc/hosts && nginx"),
  },
  { matches: /^curl -s https:/, run: playThroughProxy },
  { matches: /^systemctl enable --now palestra-backup.timer$/, run: () => verified("palestra-backup.timer") },
  {
    matches: /^systemctl start palestra-backup$/,
    async run() {
      await machine.succeeds(unitCommand("palestra-backup"));
      const files = await machine.succeeds("stat -c '%a %U %n' /var/backups/palestra/*");
      expect(files).toMatch(/^600 palestra \S+episodes-\S+\.db$/m);
      expect(files).toMatch(/^600 palestra \S+tokens-\S+\.json$/m);
    },
  },
  { matches: /^systemctl stop palestra$/, run: stopGym },
  { matches: /log restore/, run: asIs },
  {
    matches: /^systemctl start palestra$/,
    async run() {
      await startGym();
      const list = `curl -s http://127.0.0.1:8700/v1/episodes -H 'authorization: Bearer ${secret}'`;
      expect(JSON.parse(await machine.succeeds(list))).toMatchObject({ episodes: [{}] });
    },
  },
  {
    matches: /^git pull$/,
    async run(command) {
      git("commit", "-q", "--allow-empty", "-m", "second");
      expect(await machine.succeeds(command)).toMatch(/Fast-forward|Updating/);
    },
  },
  {
    matches: /^systemctl restart palestra$/,
    async run() {
      await stopGym();
      await startGym();
    },
  },
];

/** Plays over HTTP and over a WebSocket, with the token in the header and in the path, and reads nginx's log. */
async function playThroughProxy(command: string): Promise<void> {
  await machine.succeeds("export CURL_CA_BUNDLE=/etc/ssl/palestra/fullchain.pem");
  await machine.succeeds(`export TOKEN=${secret}`);
  const { episodeId } = JSON.parse(await machine.succeeds(command)) as { episodeId: string };
  const step = `{"index": 0, "action": "inventory"}`;
  const path = `https://gym.example.org/t/${secret}/v1/episodes/${episodeId}/step`;
  const reply = await machine.succeeds(`curl -s ${path} -H 'content-type: application/json' -d '${step}'`);
  expect(JSON.parse(reply)).toMatchObject({ index: 0, observation: expect.stringContaining("Inventory") });
  const next = await machine.succeeds(`node -e '${socketStep(episodeId)}'`);
  expect(JSON.parse(next)).toMatchObject({ result: { index: 1 } });
  const log = await machine.succeeds("cat /var/log/nginx/*.log");
  expect(log).toContain("POST /v1/episodes");
  expect(log).not.toContain("pal_");
}

/** A program that plays step 1 over a WebSocket. */
function socketStep(episodeId: string): string {
  const request = { id: 1, op: "step", params: { episodeId, index: 1, action: "inventory" } };
  return `
    const { WebSocket } = require("ws");
    const ca = require("fs").readFileSync("/etc/ssl/palestra/fullchain.pem");
    const headers = { authorization: "Bearer ${secret}" };
    const socket = new WebSocket("wss://gym.example.org/v1/socket", { ca, headers });
    socket.on("open", () => socket.send(${JSON.stringify(JSON.stringify(request))}));
    socket.on("message", (data) => { console.log(data.toString()); socket.close(); });
  `;
}

describe.skipIf(missing !== undefined)(`the page, step by step${missing ? ` (${missing})` : ""}`, () => {
  test("every step has a row, and every row is a step", () => {
    const used = steps.map(({ text }) => rows.findIndex(({ matches }) => matches.test(text)));
    expect([...new Set(used)].sort((a, b) => a - b)).toEqual(rows.map((_, at) => at));
  });

  for (const { text } of steps) {
    test(text.trim(), { timeout: 300_000 }, async () => {
      await (rows.find(({ matches }) => matches.test(text)) as Row).run(text.trim());
    });
  }
});
