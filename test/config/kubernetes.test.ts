/** The manifests of a fleet on Kubernetes are valid, and agree with each other and with the gym. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { Scrape } from "#palestra/server/app/plugins/metrics/scrape.js";
import { Metrics } from "#palestra/server/app/plugins/metrics.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { usualTimes } from "#palestra/server/config/times.js";
import { eventually, openGym } from "../support/gym.js";
import { root } from "../support/server-process.js";
import {
  folder,
  kustomization,
  type Manifest,
  manifest,
  manifests,
  noSchemas,
  otherFiles,
  readYaml,
  refusedFields,
} from "./manifests.js";

type Labels = Record<string, string>;
interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  image: string;
  ports: { name: string; containerPort: number }[];
  envFrom: { configMapRef: { name: string } }[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef?: object } }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
}
interface PodSpec {
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: { runAsUser: number; runAsGroup: number };
  topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[];
  containers: [Container];
  volumes: { name: string }[];
}
interface StatefulSet extends Manifest {
  spec: {
    serviceName: string;
    selector: { matchLabels: Labels };
    template: { metadata: { labels: Labels }; spec: PodSpec };
  };
}
interface Service extends Manifest {
  spec: { clusterIP?: string; publishNotReadyAddresses?: boolean; selector: Labels; ports: Port[] };
}
interface Port {
  port: number;
  targetPort: string;
}

const gyms = manifest<StatefulSet>("StatefulSet");
const { template } = gyms.spec;
const pod = template.spec;
const [container] = pod.containers;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dockerfile = read(".config/docker/Dockerfile");
const matches = (selector: Labels) =>
  Object.entries(selector).every(([name, value]) => template.metadata.labels[name] === value);

describe.skipIf(noSchemas !== undefined)(`the API of Kubernetes${noSchemas ? ` (${noSchemas})` : ""}`, () => {
  test.each(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))("accepts %s", (_, each) => {
    expect(refusedFields(each)).toEqual([]);
  });

  test("refuses every manifest with an unknown field anywhere, or with another type of any value", () => {
    const wrong = { unknownField: { unknownField: [] } };
    for (const each of manifests) {
      for (const path of paths(each)) {
        const inside = valueAt(each, path);
        const isObject = typeof inside === "object" && inside !== null && !Array.isArray(inside);
        const changed = replaced(each, path, isObject ? { ...inside, ...wrong } : wrong);
        // The kind and the version choose the schema.
        const isChoice = path.length === 1 && /^(kind|apiVersion)$/.test(path[0] as string);
        if (!isChoice) expect(refusedFields(changed), `${each.kind} ${path.join(".")}`).not.toEqual([]);
      }
    }
  });
});

/** Returns the paths of all values of a manifest, including the manifest itself. */
function paths(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => paths(inner).map((path) => [key, ...path]))];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function replaced(each: Manifest, path: readonly string[], value: object): Manifest {
  if (path.length === 0) return value as Manifest;
  const copy = structuredClone(each);
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>;
  parent[path.at(-1) as string] = value;
  return copy;
}

test("every file of the folder is a resource, or is listed as a file for another program", () => {
  expect([...kustomization.resources, ...otherFiles].sort()).toEqual(readdirSync(folder).sort());
  expect(manifest<Manifest>("Namespace").metadata.name).toBe(kustomization.namespace);
});

test("all selectors match the labels of the pods, and no manifest names its namespace itself", () => {
  const services = manifests.filter(({ kind }) => kind === "Service") as Service[];
  const selectors = [
    gyms.spec.selector.matchLabels,
    ...services.map(({ spec }) => spec.selector),
    ...pod.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels),
    manifest<{ spec: { selector: { matchLabels: Labels } } }>("PodDisruptionBudget").spec.selector.matchLabels,
    manifest<{ spec: { podSelector: { matchLabels: Labels } } }>("NetworkPolicy").spec.podSelector.matchLabels,
  ];
  expect(selectors).toHaveLength(7);
  for (const selector of selectors) expect(matches(selector)).toBe(true);
  expect(manifests.filter(({ metadata }) => metadata.namespace !== undefined)).toEqual([]);
});

test("each port has one number and one name, also in the image", () => {
  const port = container.ports[0] as { name: string; containerPort: number };
  expect(dockerfile).toContain(`\nEXPOSE ${port.containerPort}\n`);
  const policy = manifest<{ spec: { ingress: { ports: { port: string }[] }[] } }>("NetworkPolicy").spec;
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  for (const probe of probes) expect(probe.httpGet.port).toBe(port.name);
  for (const { ports } of policy.ingress) expect(ports.map(({ port: name }) => name)).toEqual([port.name]);
  for (const name of ["palestra", "palestra-gyms"]) {
    const ports = manifest<Service>("Service", name).spec.ports;
    expect(ports).toMatchObject([{ port: port.containerPort, targetPort: port.name }]);
  }
});

test("the gym serves the paths of the probes without a token", async () => {
  const { app } = await openGym({ auth: "required" });
  for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe])
    await eventually(async () => (await app.inject({ url: httpGet.path })).statusCode === 200);
  expect(container.livenessProbe.httpGet.path, "a gym without its database is alive").toBe("/livez");
  expect(container.readinessProbe.httpGet.path).toBe("/readyz");
});

/** Variables of a container, as Kubernetes sets them in the pod `palestra-2`. */
function variables(): Record<string, string> {
  const names: Record<string, string> = { POD_NAME: "palestra-2", POD_NAMESPACE: kustomization.namespace };
  const maps = container.envFrom.map(({ configMapRef }) => manifest<{ data: Labels }>("ConfigMap", configMapRef.name));
  const all = Object.assign({}, ...maps.map(({ data }) => data)) as Record<string, string>;
  for (const { name, value, valueFrom } of container.env) {
    if (value !== undefined) all[name] = value.replace(/\$\((\w+)\)/g, (_, key: string) => names[key] ?? `$(${key})`);
    else if (valueFrom?.secretKeyRef) all[name] = "postgres://palestra:secret@db.example.org/palestra";
    else all[name] = names[name] as string;
  }
  return all;
}

test("the gym reads all variables, and its address is its name in the headless service", () => {
  const config = loadConfig({ env: variables(), flags: {} });
  const headless = manifest<Service>("Service", gyms.spec.serviceName);
  const [port] = headless.spec.ports as [Port];
  const host = `palestra-2.${headless.metadata.name}.${kustomization.namespace}.svc`;
  expect(config.fleet.address).toBe(`http://${host}:${port.port}`);
  expect(config).toMatchObject({ auth: "required", log: { url: expect.stringContaining("db.example.org") } });
  // The name exists before the gym is ready, and while it drains.
  expect(headless.spec).toMatchObject({ clusterIP: "None", publishNotReadyAddresses: true });
});

test("Kubernetes adds no variables for services, which the gym would read as settings", () => {
  const ofService = { PALESTRA_PORT: "tcp://10.0.0.1:8700" };
  expect(() => loadConfig({ env: ofService, flags: {} })).toThrow(/PALESTRA_PORT/);
  expect(pod.enableServiceLinks).toBe(false);
});

test("a gym has time to give its episodes away and to drain before Kubernetes kills it", () => {
  const { leavingMs, drainMs } = usualTimes.stop;
  const endingMs = leavingMs + drainMs;
  const wait = container.lifecycle.preStop.sleep.seconds;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(wait + endingMs / 1_000);
  const compose = parse(read(".config/docker/compose.fleet.yaml"), { merge: true }) as {
    services: { "gym-1": { stop_grace_period: string } };
  };
  expect(Number.parseInt(compose.services["gym-1"].stop_grace_period, 10)).toBeGreaterThan(endingMs / 1_000);
});

test("a pod has the restrictions of the container, and the folders that a gym writes to", () => {
  const [user, group] = [pod.securityContext.runAsUser, pod.securityContext.runAsGroup];
  expect(dockerfile).toContain(`useradd --system --uid ${user} --gid ${group} `);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  const none = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
  expect(container.securityContext).toEqual(none);
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/data", "/tmp"]);
  expect(dockerfile).toContain("\nWORKDIR /data\n");
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
});

test("the image is that of the compose file", () => {
  const compose = parse(read(".config/docker/compose.yaml")) as { services: { gym: { image: string } } };
  const image = compose.services.gym.image;
  expect(container.image).toBe(image);
  expect(kustomization.images).toMatchObject([{ name: image, newName: image }]);
});

interface Autoscaler {
  spec: {
    scaleTargetRef: object;
    metrics: { type: string; pods?: { metric: { name: string } } }[];
  };
}
interface Adapter {
  rules: { custom: { seriesQuery: string; name: { matches: string; as: string }; metricsQuery: string }[] };
}

test("the rule of the adapter derives the autoscaler's metric from a series of /metrics", async () => {
  const { scaleTargetRef, metrics } = manifest<Autoscaler>("HorizontalPodAutoscaler").spec;
  const { apiVersion, kind, metadata } = gyms;
  expect(scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name });
  const [rule] = readYaml<Adapter>("prometheus-adapter.yaml").rules.custom;
  const series = /^\w+/.exec(rule?.seriesQuery ?? "")?.[0] as string;
  expect(series.replace(new RegExp(rule?.name.matches ?? ""), rule?.name.as ?? "")).toBe(
    metrics.find(({ type }) => type === "Pods")?.pods?.metric.name,
  );
  const gym = new Metrics();
  gym.onStep("textcraft@1", 1);
  expect(await new Scrape(gym.families).text()).toContain(`\n${series}{`);
});

test("Prometheus scrapes the gyms' port from the namespace that is allowed to reach it", () => {
  const [job] = readYaml<{ scrape_configs: Job[] }>("prometheus-scrape.yaml").scrape_configs;
  const [kept] = job?.relabel_configs ?? [];
  expect(kept?.regex).toBe(`${template.metadata.labels["app.kubernetes.io/name"]};${container.ports[0]?.name}`);
  expect(job?.kubernetes_sd_configs).toMatchObject([{ namespaces: { names: [kustomization.namespace] } }]);
});

interface Job {
  kubernetes_sd_configs: object[];
  relabel_configs: { regex?: string }[];
}
