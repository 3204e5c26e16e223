import { createRequire } from "node:module";

/** Version of the package and of the OpenAPI document. */
export const version = (createRequire(import.meta.url)("palestra/package.json") as { version: string }).version;
