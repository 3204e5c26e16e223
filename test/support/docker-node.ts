/** An image with this machine's Node.js and npm, on which the tests build images without a registry. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scratchDir } from "./server-process.js";

const name = `palestra-test-node:${process.version}`;
const prefix = dirname(dirname(process.execPath));
/** Parts of Node's installation: the program, npm, and the headers for packages that are compiled. */
const parts = ["bin/node", "lib/node_modules/npm", "include/node"].filter((path) => existsSync(join(prefix, path)));
/** Certificates that this machine trusts, for example those of a proxy before the registry. */
const certificates = process.env.NODE_EXTRA_CA_CERTS ?? "/etc/ssl/certs/ca-certificates.crt";

/** Reason why images with Node.js cannot be made here, or undefined. */
export const noNode =
  parts.includes("lib/node_modules/npm") && process.platform === "linux"
    ? undefined
    : `expected npm in ${join(prefix, "lib/node_modules")}, but found none`;

/** Makes the image unless the engine has it. @returns its name */
export function makeNodeImage(address: string): string {
  const found = execFileSync("docker", ["-H", address, "images", "-q", name], { encoding: "utf8" });
  if (found !== "") return name;
  const { path, remove } = scratchDir();
  try {
    for (const part of parts) cpSync(join(prefix, part), join(path, "node", part), { recursive: true });
    mkdirSync(join(path, "certificates"));
    if (existsSync(certificates))
      cpSync(certificates, join(path, "certificates/ca-certificates.crt"), { dereference: true });
    writeFileSync(join(path, "Dockerfile"), dockerfile);
    execFileSync("docker", ["-H", address, "build", "--quiet", "--tag", name, path], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } finally {
    remove();
  }
  return name;
}

const dockerfile = `FROM palestra-base:1
COPY node /usr/local
COPY certificates /etc/ssl/certs
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`;
