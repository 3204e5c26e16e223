/** Requirement for MiniWoB++'s pages, which Palestra does not include. */
import type { Requirement } from "../env.js";
import { missingIn, pageFolder } from "./folder.js";
import { setUpPages } from "./setup.js";

export const miniwobPages: Requirement & Required<Pick<Requirement, "setUp">> = {
  name: "miniwob",
  howToGet: "Run `palestra setup miniwob`.",
  async probe() {
    const folder = pageFolder();
    const missing = missingIn(folder);
    return missing === undefined
      ? { available: true, detail: folder }
      : { available: false, detail: `no file ${missing} in ${folder}` };
  },
  setUp: (choices) => setUpPages(choices),
};
