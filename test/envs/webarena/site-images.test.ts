/**
 * `palestra setup webarena --sites`: the compose file and the settings of the published images. The tests have no
 * images, and run the commands in the files with fake programs.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { SiteFamily } from "#palestra/envs/env.js";
import type { Compose, Service } from "#palestra/envs/webarena/images/described.js";
import { parseSettings, siteSettings } from "#palestra/envs/webarena/settings.js";
import { setUpSites } from "#palestra/envs/webarena/setup-sites.js";
import { scratchDir } from "../../support/gym.js";
import { root } from "../../support/server-process.js";

const families: SiteFamily[] = ["webarena", "verified"];
const names = ["gitlab", "map", "reddit", "shopping", "shopping_admin", "wikipedia"];

async function written(family: SiteFamily, host?: string, folder = scratchDir()) {
  const printed = await setUpSites({ from: folder, family, ...(host !== undefined && { host }) });
  const paths = { compose: join(folder, "compose.yaml"), sites: join(folder, "sites.json") };
  const compose = parse(readFileSync(paths.compose, "utf8")) as Compose;
  return { folder, paths, printed, compose, sites: siteSettings({ PALESTRA_WEBARENA_SITES: paths.sites }) };
}

type Written = Awaited<ReturnType<typeof written>>;

const services = ({ compose }: Written) => Object.entries(compose.services);
/** The entries of `ports` as address, port and port in the container. */
const portsOf = ({ ports = [] }: Service) => ports.map((entry) => entry.split(":"));
/** Returns a text as a container gets it: Compose replaces `$$` by `$`. */
const unescaped = (text: string) => text.replaceAll("$$", "$");

function composeIsMissing(): boolean {
  return spawnSync("docker", ["compose", "version"]).status !== 0;
}

describe.each(families)("%s", (family) => {
  test("each site has a service of its name, which publishes the port of its address", async () => {
    const files = await written(family);
    expect(Object.keys(files.sites).sort()).toEqual(names);
    for (const [name, { url = "" }] of Object.entries(files.sites)) {
      const [[, port] = []] = portsOf(files.compose.services[name] as Service);
      expect(port).toBe(new URL(url).port);
    }
  });

  test("ports are published on the loopback address only, and no two are the same", async () => {
    const published = services(await written(family)).flatMap(([, service]) => portsOf(service));
    expect(published.length).toBeGreaterThanOrEqual(names.length);
    expect(new Set(published.map(([address]) => address))).toEqual(new Set(["127.0.0.1"]));
    expect(new Set(published.map(([, port]) => port)).size).toBe(published.length);
  });

  test("another machine's name is in all addresses, and opens the sites' ports with a warning", async () => {
    const files = await written(family, "arena.example.org");
    const hosts = Object.values(files.sites).map(({ url = "" }) => new URL(url).hostname);
    expect(new Set(hosts)).toEqual(new Set(["arena.example.org"]));
    for (const name of names) expect(portsOf(files.compose.services[name] as Service)[0]?.[0]).toBe("0.0.0.0");
    expect(readFileSync(files.paths.compose, "utf8")).not.toContain("localhost");
    expect(files.printed).toContain("open on all of their machine's network interfaces");
    expect((await written(family)).printed).not.toContain("open on all");
  });

  test("the shop and the forum have different hosts, so that they do not share cookies", async () => {
    for (const host of ["localhost", "127.0.0.1"]) {
      const { shopping, reddit } = (await written(family, host)).sites;
      expect(new URL(shopping?.url ?? "").hostname).toBe(host);
      expect(new URL(reddit?.url ?? "").hostname).not.toBe(host);
    }
  });

  test("every volume and config of a service is declared, and its data folders exist", async () => {
    const files = await written(family);
    const { volumes = {}, configs = {}, services: all } = files.compose;
    const used = { volumes: new Set<string>(), configs: new Set<string>() };
    for (const [, service] of services(files)) {
      for (const volume of service.volumes ?? []) {
        const [source = "", path] = volume.split(":");
        if (path === undefined) continue;
        if (!source.startsWith("./")) used.volumes.add(source);
        // The archive of the map's web site brings its folder.
        else if (!/openstreetmap-website|osrm/.test(source)) expect(existsSync(join(files.folder, source))).toBe(true);
      }
      for (const { source } of service.configs ?? []) used.configs.add(source);
      const others = [...(service.depends_on ?? []), service.network_mode?.replace("service:", "")];
      for (const other of others) if (other !== undefined) expect(Object.keys(all)).toContain(other);
    }
    expect([...used.volumes].sort()).toEqual(Object.keys(volumes).sort());
    expect([...used.configs]).toEqual(Object.keys(configs));
  });

  test("a reset creates the site's container again, with new volumes, and no other container", async () => {
    const bin = scratchDir();
    const calls = join(bin, "calls");
    writeFileSync(join(bin, "docker"), `#!/bin/sh\nfor word in "$@"; do printf '%s|' "$word" >> ${calls}; done\n`);
    chmodSync(join(bin, "docker"), 0o755);
    const files = await written(family, undefined, join(scratchDir(), "my sites"));
    const reset = Object.entries(files.sites).flatMap(([name, { reset: one }]) => (one ? [{ name, one }] : []));
    expect(reset.map(({ name }) => name).sort()).toEqual(["gitlab", "reddit", "shopping", "shopping_admin"]);
    for (const { name, one } of reset) {
      writeFileSync(calls, "");
      if (!("command" in one)) throw new Error("expected a command");
      const [program = "", ...args] = one.command;
      execFileSync(program, args, { env: { PATH: `${bin}:${process.env.PATH}` } });
      const file = `compose|--file|${files.paths.compose}|`;
      expect(readFileSync(calls, "utf8")).toBe(
        `${file}rm|--stop|--force|--volumes|${name}|${file}up|--detach|--no-deps|${name}|`,
      );
    }
  });

  test("Docker Compose accepts the file", async (context) => {
    if (composeIsMissing()) return context.skip("docker compose is not installed");
    const { paths } = await written(family);
    execFileSync("docker", ["compose", "--file", paths.compose, "config", "--quiet"]);
  });
});

/** Runs the commands that follow the start of a service, with programs that record their arguments. */
async function configured(name: string, { readyAfter }: { readyAfter: number }): Promise<string[]> {
  const bin = scratchDir();
  const record = (more = "") => `#!/bin/sh\n${more}echo "$(basename "$0") $*" >> ${bin}/calls\n`;
  const notReady = `echo >> ${bin}/tries; [ $(wc -l < ${bin}/tries) -gt ${readyAfter} ] || exit 1\n`;
  const programs = {
    mysql: record(`if [ "$6" = "SELECT 1" ]; then ${notReady}exit 0; fi\n`),
    magento: record(),
    "gitlab-ctl": record(`if [ "$1" = status ]; then ${notReady}exit 0; fi\n`),
    sleep: "#!/bin/sh\n",
  };
  for (const [program, text] of Object.entries(programs)) writeFileSync(join(bin, program), text, { mode: 0o755 });
  writeFileSync(join(bin, "gitlab.rb"), "external_url 'http://metis.lti.cs.cmu.edu:8023'\n");
  const [hook] = (await written("webarena")).compose.services[name]?.post_start ?? [];
  const [program = "", ...args] = (hook?.command ?? []).map((word) =>
    unescaped(word).replaceAll("/var/www/magento2/bin/", "").replaceAll("/etc/gitlab/", `${bin}/`),
  );
  execFileSync(program, args, { env: { PATH: `${bin}:${process.env.PATH}` } });
  const settings = name === "gitlab" ? readFileSync(join(bin, "gitlab.rb"), "utf8").trim().split("\n") : [];
  return [...readFileSync(join(bin, "calls"), "utf8").trim().split("\n"), ...settings];
}

test("the shop gets its base URL once its database answers, and then an empty cache", async () => {
  expect(await configured("shopping", { readyAfter: 3 })).toEqual([
    "magento setup:store-config:set --base-url=http://localhost:7770",
    "mysql -u magentouser -pMyPassword magentodb -e UPDATE core_config_data SET value = 'http://localhost:7770/' WHERE path = 'web/secure/base_url'",
    "magento cache:flush",
  ]);
});

test("the shop's administration also keeps its passwords valid", async () => {
  expect(await configured("shopping_admin", { readyAfter: 0 })).toEqual([
    "magento config:set admin/security/password_is_forced 0",
    "magento config:set admin/security/password_lifetime 0",
    "magento setup:store-config:set --base-url=http://localhost:7780",
    "mysql -u magentouser -pMyPassword magentodb -e UPDATE core_config_data SET value = 'http://localhost:7780/' WHERE path = 'web/secure/base_url'",
    "magento cache:flush",
  ]);
});

test("GitLab gets its address and is configured again once its services run", async () => {
  expect(await configured("gitlab", { readyAfter: 2 })).toEqual([
    "gitlab-ctl reconfigure",
    "external_url 'http://localhost:8023'",
    "puma['worker_processes'] = 4",
  ]);
});

test("the slim images get their addresses by a variable, and GitLab's runs without env-ctrl", async () => {
  const files = await written("verified");
  for (const [name, { environment, ports = [] }] of services(files)) {
    const { origin } = new URL(files.sites[name as keyof typeof files.sites]?.url ?? "");
    const isGitlab = name === "gitlab";
    expect(environment).toEqual({
      WA_ENV_CTRL_EXTERNAL_SITE_URL: origin,
      ...(isGitlab && { WA_ENV_CTRL_ENABLE: "false" }),
    });
    expect(ports.some((port) => port.endsWith(":8877"))).toBe(!isGitlab);
  }
});

test("a command that fails after the start is a failure of the start", async () => {
  const [hook] = (await written("webarena")).compose.services.shopping?.post_start ?? [];
  const [program = "", ...args] = (hook?.command ?? []).map((word) => unescaped(word).replace("seq 300", "seq 1"));
  // The test has neither a database nor Magento.
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("magento");
});

test("the example of sites.json in the README is valid", () => {
  const [, example = ""] =
    /```json\n(\{\n {2}"sites"[\s\S]*?)```/.exec(readFileSync(join(root, "envs/webarena/README.md"), "utf8")) ?? [];
  expect(Object.keys(parseSettings(() => JSON.parse(example), "README.md"))).toEqual(["reddit", "gitlab"]);
});

test("existing files are named and kept unless --force replaces them", async () => {
  const { folder, paths } = await written("webarena");
  writeFileSync(paths.sites, "mine");
  await expect(setUpSites({ from: folder, family: "verified" })).rejects.toThrow(
    `expected no ${paths.compose} and no ${paths.sites}, but found both. Name another folder, or add --force`,
  );
  expect(readFileSync(paths.sites, "utf8")).toBe("mine");
  expect(readFileSync(paths.compose, "utf8")).toContain("shopping_final_0712");
  await setUpSites({ from: folder, family: "verified", force: true });
  expect(readFileSync(paths.sites, "utf8")).toContain("X-Postmill-Auto-Login");
  expect(readFileSync(paths.compose, "utf8")).toContain("am1n3e/webarena-verified-shopping");
});

test.each(["http://arena.example.org", "arena.example.org:80", "'; rm -rf /", ""])("the host %j is refused", (host) =>
  expect(setUpSites({ from: scratchDir(), host })).rejects.toThrow("expected a host name or an IPv4 address"),
);
