/** The domains, and their databases. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelType, validated } from "../python/model.js";
import { readJson } from "../python/read.js";
import type { Dict, Value } from "../python/value.js";
import { flightDatabase } from "./airline/models.js";
import { airlineTools } from "./airline/tools.js";
import { mockDatabase, mockTools, mockUserDatabase, mockUserTools } from "./mock/tools.js";
import { retailDatabase } from "./retail/models.js";
import { retailTools } from "./retail/tools.js";
import { Database } from "./table.js";
import type { Toolkit } from "./toolkit.js";

export const domainNames = ["airline", "retail", "mock"] as const;
export type DomainName = (typeof domainNames)[number];

/** The tools of one side and the database that they work on. */
interface Side {
  tools: Toolkit;
  database: ModelType;
  /** Name of the database's file. */
  file: string;
}

export interface Domain {
  agent: Side;
  user?: Side;
}

export const domains: Readonly<Record<DomainName, Domain>> = {
  airline: { agent: { tools: airlineTools, database: flightDatabase, file: "db.json" } },
  retail: { agent: { tools: retailTools, database: retailDatabase, file: "db.json" } },
  mock: {
    agent: { tools: mockTools, database: mockDatabase, file: "db.json" },
    user: { tools: mockUserTools, database: mockUserDatabase, file: "user_db.json" },
  },
};

export function isDomain(name: string): name is DomainName {
  return (domainNames as readonly string[]).includes(name);
}

export function domainFolder(data: string, name: DomainName): string {
  return join(data, "tau2", "domains", name);
}

/** Content of the databases' files, by path, so that a process reads each once. */
const loaded = new Map<string, Dict>();

/** Returns a new database with the content of its file. @throws {Error} the file is missing or has another form */
export function databaseOf(data: string, name: DomainName, { database, file }: Side): Database {
  const path = join(domainFolder(data, name), file);
  const content = loaded.get(path) ?? readDatabase(path, database);
  loaded.set(path, content);
  return Database.of(database.name, content);
}

function readDatabase(path: string, model: ModelType): Dict {
  try {
    return databaseIn(model, readJson(readFileSync(path, "utf8")));
  } catch (error) {
    throw new Error(`expected a database of tau2-bench at ${path}, but received: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** @throws {ToolFailed} the value is no such database */
export function databaseIn(model: ModelType, value: Value): Dict {
  return validated(model.name, model.type, value) as Dict;
}
