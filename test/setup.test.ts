/** The versions of Node that the set-up accepts, compared with package.json and the installed packages. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface PackageLock {
  packages: Record<string, { engines?: { node?: string } }>;
}

const root = new URL("../", import.meta.url);
const { checkNode } = (await import(new URL(".config/setup.mjs", root).href)) as { checkNode(version?: string): void };
const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8")) as PackageLock;

test.each(["v20.19.0", "v20.20.2", "v22.12.0", "v22.20.1", "v23.0.0", "v24.1.0", process.version])(
  "Node %s is accepted",
  (version) => {
    expect(() => checkNode(version)).not.toThrow();
  },
);

test.each(["v14.21.3", "v18.20.8", "v20.0.0", "v20.18.3", "v21.7.3", "v22.0.0", "v22.11.0"])(
  "Node %s is refused with the required version",
  (version) => {
    expect(() => checkNode(version)).toThrow(
      `expected Node 20.19 or newer (22.12 or newer of Node 22), but received ${version}`,
    );
  },
);

test("package.json requires the same Node as the strictest package", () => {
  expect(packages[""]?.engines?.node).toBe("^20.19.0 || >=22.12.0");
  expect(packages["node_modules/vite"]?.engines?.node).toBe("^20.19.0 || >=22.12.0");
});
