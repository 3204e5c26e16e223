import { readFileSync } from "node:fs";

const packageFile = new URL("../../package.json", import.meta.url);

/** The version of the package, which is also that of the OpenAPI document. */
export const version = (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
