/** A small complete environment outside of the repository, from which an author starts. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const data = fileURLToPath(new URL("./data/", import.meta.url));
/** Name in the files of the template, which stands for the name of the environment. */
const templateId = "my-environment";
/** Folder of the package that runs, which the starter is tested and played with. */
const ownPackage = data.replace(/(dist\/(\.modules\/)?)?envs\/starter\/data\/$/, "");

/** Thrown for a name or a folder that a new environment cannot have. */
export class StarterRefused extends Error {
  override readonly name = "StarterRefused";
  constructor(expected: string, received: string) {
    super(`expected ${expected}, but received ${received}`);
  }
}

/**
 * Writes the files of a new environment.
 *
 * @param id name of the environment
 * @param folder folder for the files, which is created if it does not exist
 * @returns names of the files
 * @throws {StarterRefused}
 */
export function writeStarter(id: string, folder: string): string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length > 64)
    throw new StarterRefused(
      "a name of lower-case letters, digits and dashes, such as treasure-hunt, that starts with a letter",
      JSON.stringify(id),
    );
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new StarterRefused("a folder that is new or empty", `the file ${folder}`);
  const [first] = found ? readdirSync(folder) : [];
  if (first !== undefined)
    throw new StarterRefused("a folder that is new or empty", `${folder}, which contains ${first}`);
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(data).sort();
  for (const name of names) writeFileSync(join(folder, name), textOf(name, id, folder));
  return names;
}

function textOf(name: string, id: string, folder: string): string {
  const text = readFileSync(join(data, name), "utf8").replaceAll(templateId, id);
  if (name !== "package.json") return text;
  const manifest = JSON.parse(text) as { devDependencies: Record<string, string> };
  manifest.devDependencies.palestra = `file:${relative(resolve(folder), ownPackage)}`;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
