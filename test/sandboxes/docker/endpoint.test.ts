import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpointOf } from "#palestra/sandboxes/docker/endpoint.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import { scratchDir } from "../../support/gym.js";

test.each([
  ["unix:///run/docker.sock", {}, { socketPath: "/run/docker.sock" }],
  ["tcp://engine:1234", {}, { protocol: "http", host: "engine", port: 1234 }],
  ["tcp://engine", {}, { protocol: "http", host: "engine", port: 2375 }],
  ["tcp://engine", { DOCKER_TLS_VERIFY: "1" }, { protocol: "https", host: "engine", port: 2376 }],
  ["https://engine:1234", {}, { protocol: "https", host: "engine", port: 1234 }],
])("the address %s with the environment %j is parsed", (address, environment, endpoint) => {
  expect(endpointOf(address, environment)).toEqual(endpoint);
});

test("certificates are read from DOCKER_CERT_PATH", () => {
  const folder = scratchDir();
  for (const name of ["ca", "cert", "key"]) writeFileSync(join(folder, `${name}.pem`), name);
  expect(endpointOf("https://engine", { DOCKER_CERT_PATH: folder })).toMatchObject({ ca: Buffer.from("ca") });
  expect(() => endpointOf("https://engine", { DOCKER_CERT_PATH: join(folder, "none") })).toThrow(
    /expected ca\.pem, cert\.pem and key\.pem in DOCKER_CERT_PATH/,
  );
});

test.each(["", "engine", "ssh://engine", "tcp://", "file:///docker.sock"])("the address %j is refused", (address) => {
  expect(() => endpointOf(address)).toThrow(/expected an engine address/);
});

test("an engine that does not answer is reported as MISSING with a remedy", async () => {
  await expect(new Engine("unix:///nowhere/docker.sock").facts()).rejects.toMatchObject({
    code: "MISSING",
    message: expect.stringMatching(/Docker engine at unix:\/\/\/nowhere.+DOCKER_HOST/),
  });
});
