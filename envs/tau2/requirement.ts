import type { Requirement } from "../env.js";
import type { DomainName } from "./domains/domain.js";
import { dataFolder, folderVariable, howToGet, missingFile } from "./folder.js";

/** Requirement for the data of a domain, which Palestra does not include. */
export function tau2Data(domain: DomainName): Requirement {
  return {
    name: "tau2",
    howToGet,
    async probe() {
      const folder = dataFolder();
      if (folder === undefined) return { available: false, detail: `${folderVariable} is not set` };
      const missing = missingFile(folder, domain);
      if (missing !== undefined) return { available: false, detail: `no file at ${missing}` };
      return { available: true, detail: folder };
    },
  };
}
