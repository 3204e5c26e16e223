/** The compose file of a fleet and its balancer agree with each other, with the image and with the gym's settings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "#palestra/server/config/settings.js";
import { root } from "../support/server-process.js";

interface Service {
  image: string;
  build?: object;
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  [restriction: string]: unknown;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

const read = (name: string) => readFileSync(join(root, ".config/docker", name), "utf8");
const readCompose = (name: string) => parse(read(name), { merge: true }) as Compose;
const text = read("compose.fleet.yaml");
const { services, networks, volumes } = readCompose("compose.fleet.yaml");
const { balancer, postgres } = services as { balancer: Service; postgres: Service };
const gyms = Object.entries(services).filter(([, { image }]) => image === "palestra");
const balancing = read("haproxy.cfg");

/** Replaces variables with values, as Compose does. */
function withValues(value: string, values: Record<string, string>): string {
  return value.replace(/\$\{(\w+):\?[^}]+\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`${name} is required`);
    return values[name];
  });
}

test("the gyms have the restrictions and the image of the compose file for one gym", () => {
  const alone = readCompose("compose.yaml").services.gym as Service;
  const restrictions = ["init", "read_only", "tmpfs", "cap_drop", "security_opt", "pids_limit", "stop_grace_period"];
  expect(gyms).toHaveLength(3);
  for (const [name, gym] of gyms) {
    for (const key of ["image", "build", "restart", ...restrictions])
      expect(gym[key], `${name} ${key}`).toEqual(alone[key]);
    expect(gym.volumes).toEqual([`${name}:/data`]);
    expect(gym.ports).toBeUndefined();
  }
});

test("the gyms read their settings, and each has its own name as its address", () => {
  for (const [name, { environment = {} }] of gyms) {
    const env = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        withValues(value, { PALESTRA_DATABASE_PASSWORD: "5ec" }),
      ]),
    );
    const { fleet, log, auth } = loadConfig({ env, flags: {} });
    expect(fleet.address).toBe(`http://${name}:8700`);
    expect(log.url).toBe("postgres://palestra:5ec@postgres/palestra");
    expect(auth).toBe("required");
  }
});

test("the password of the database is required, and is in no file", () => {
  const password = postgres.environment?.POSTGRES_PASSWORD as string;
  expect(() => withValues(password, {})).toThrow("PALESTRA_DATABASE_PASSWORD is required");
  expect(withValues(password, { PALESTRA_DATABASE_PASSWORD: "5ec" })).toBe("5ec");
  const lines = text.split("\n").filter((line) => line.includes("PASSWORD"));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain("${PALESTRA_DATABASE_PASSWORD:?");
});

test("the gyms wait for the database, which only they reach", () => {
  for (const [, { depends_on, networks: joined }] of gyms) {
    expect(depends_on).toEqual({ postgres: { condition: "service_healthy" } });
    expect(joined).toEqual(["gyms", "database"]);
  }
  expect(postgres.healthcheck?.test[1]).toBe("pg_isready");
  expect([postgres.networks, networks.database]).toEqual([["database"], { internal: true }]);
  expect(balancer.networks).toEqual(["gyms"]);
  const used = Object.values(services).flatMap(({ volumes: own }) => own.map((volume) => volume.split(":")[0]));
  expect(used.filter((name) => !name?.startsWith(".")).sort()).toEqual(Object.keys(volumes).sort());
});

test("the balancer knows all gyms, and only the balancer publishes a port", () => {
  const servers = [...balancing.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]);
  expect(servers).toEqual(gyms.map(([name]) => [name, `${name}:8700`]));
  expect(balancing).toContain("\n  bind :8700\n");
  expect(balancer.ports).toEqual(["127.0.0.1:8700:8700"]);
  expect(
    Object.entries(services)
      .filter(([, { ports }]) => ports)
      .map(([name]) => name),
  ).toEqual(["balancer"]);
  const connections = Number(/^ {2}maxconn ([0-9]+)$/m.exec(balancing)?.[1]);
  expect((balancer.ulimits as { nofile: number }).nofile).toBeGreaterThan(2 * connections + 100);
  expect(balancer.volumes).toEqual(["./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]);
});
