/** Installs the packages of package-lock.json. No package needs its install script. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { firstLines, root, run, SetupError, step } from "./step.mjs";

/** Installs the packages, unless they are installed. */
export async function install() {
  if (!isInstalled()) await installPackages();
}

function isInstalled() {
  const present = lockedPackages("node_modules/.package-lock.json");
  return Object.entries(lockedPackages("package-lock.json")).every(
    ([path, { version, optional }]) => path === "" || optional || (present[path] && present[path].version === version),
  );
}

function lockedPackages(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

async function installPackages() {
  const { code, output } = await step("Installing packages", () => npm(["ci", "--include=dev", "--ignore-scripts"]));
  if (code !== 0) throw new SetupError(`npm could not install the packages:\n${firstLines(output, 15)}`);
}

function npm(args) {
  const options = [...args, "--loglevel=error", "--no-audit", "--no-fund"];
  const running = process.env.npm_execpath;
  if (running?.endsWith("npm-cli.js")) return run(process.execPath, [running, ...options]);
  return run("npm", options, { shell: process.platform === "win32" });
}
