import { relative } from "node:path";
import { StarterRefused, writeStarter } from "../../../envs/starter/starter.js";

/**
 * Implements `palestra init`: writes a small environment into a new folder, and prints the next commands.
 *
 * @param taken ids of the gym's environments
 * @throws {StarterRefused} a wrong name, or a folder with files
 */
export function init(id: string, folder: string, taken: readonly string[], { json }: { json: boolean }): void {
  if (taken.includes(id))
    throw new StarterRefused("a name that no environment of the gym has", `${id}. Choose another name`);
  const files = writeStarter(id, folder);
  if (json) return console.log(JSON.stringify({ environment: id, folder, files }, null, 2));
  console.log(`${folder} has the environment ${id}: ${files.join(", ")}`);
  console.log(`Next: cd ${relative("", folder) || "."} && npm install && npm test && npm run check`);
  console.log("Page: envs/README.md#write-an-environment-in-a-folder-of-your-own");
}
