/** Opens SQLite databases. The only place that loads better-sqlite3. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type BetterSqlite3 from "better-sqlite3";

const require = createRequire(import.meta.url);

/** Error if there is no SQLite for this machine and version of Node. The message has the remedy. */
export class SqliteMissing extends Error {
  override readonly name = "SqliteMissing";
}

/** Version of Node-API that the binaries in the package better-sqlite3 need. Node 20 has version 9. */
const neededNodeApi = 10;

/** Binary for Node 20, which `.config/build-sqlite.mjs` builds from the sources in the package better-sqlite3. */
const builtFile = join(
  packageRoot(dirname(fileURLToPath(import.meta.url))),
  `native/build-sqlite/${process.platform}-${process.arch}.node`,
);

function packageRoot(folder: string): string {
  const isRoot = existsSync(join(folder, "package.json")) || dirname(folder) === folder;
  return isRoot ? folder : packageRoot(dirname(folder));
}

let built: object | undefined;

/**
 * Opens a database.
 *
 * @param path path of the file, `:memory:`, or the bytes of a serialized database
 * @throws {SqliteMissing} SQLite cannot be loaded
 * @throws SQLite's error if the file cannot be opened
 */
export function openDatabase(path: string | Buffer, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  if (Number(process.versions.napi) >= neededNodeApi) return openWithPackage(path, options);
  built ??= loadBuilt();
  return new (library())(path, { ...options, nativeBinding: built as unknown as string });
}

/** Returns the package's class, which is loaded for the first database: many programs open none. */
function library(): typeof BetterSqlite3 {
  return require("better-sqlite3") as typeof BetterSqlite3;
}

function openWithPackage(path: string | Buffer, options: BetterSqlite3.Options): BetterSqlite3.Database {
  try {
    return new (library())(path, options);
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    if (!["MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"].includes(code)) throw error;
    throw missing(message, "Run `npm rebuild better-sqlite3`, which needs Python, make and a C++ compiler.", error);
  }
}

function loadBuilt(): object {
  const remedy = `Use Node 22.12 or newer. In a clone of Palestra, \`npm run setup\` builds SQLite for Node ${process.version}.`;
  if (!existsSync(builtFile)) throw missing(`${builtFile} does not exist`, remedy);
  try {
    return require(builtFile) as object;
  } catch (error) {
    throw missing((error as Error).message, remedy, error);
  }
}

function missing(reason: string, remedy: string, cause?: unknown): SqliteMissing {
  return new SqliteMissing(`SQLite cannot be loaded: ${reason}. ${remedy}`, { cause });
}
