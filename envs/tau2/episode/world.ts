/** The databases of an episode, and the calls of tools and functions on them. */
import { type Domain, type DomainName, databaseIn, databaseOf, domains } from "../domains/domain.js";
import { Database } from "../domains/table.js";
import { answerTo, bound, type ToolAnswer, type Toolkit } from "../domains/toolkit.js";
import { haveSameHash } from "../python/hash.js";
import { isEqual } from "../python/operations.js";
import { readJson } from "../python/read.js";
import { copyOf, type Dict, ToolFailed, type Value } from "../python/value.js";
import type { Message, ToolCall, ToolMessage } from "./message.js";
import type { Assertion, FunctionCall, InitialState } from "./task.js";

/** Error if a recorded episode cannot be replayed, or a task calls an unknown function. */
export class NotReplayable extends Error {
  override readonly name = "NotReplayable";
}

export class World {
  readonly domain: Domain;
  agent: Database;
  user: Database | undefined;

  /** @param data folder with tau2-bench's data */
  constructor(
    data: string,
    readonly name: DomainName,
  ) {
    this.domain = domains[name];
    this.agent = databaseOf(data, name, this.domain.agent);
    this.user = this.domain.user && databaseOf(data, name, this.domain.user);
  }

  /** Puts the databases into the state before an episode. @throws {Error} a value does not fit the database */
  initialize({ agentData, userData, calls, messages }: InitialState): void {
    if (agentData) {
      this.agent = updated(this.agent, this.domain.agent.database, agentData);
      // tau2-bench lets the user's tools work on the new database, too.
      if (this.user) this.user = this.agent;
    }
    if (userData && this.user && this.domain.user) {
      this.user = updated(this.user, this.domain.user.database, userData);
      this.agent = this.user;
    }
    for (const call of calls) this.run(call);
    this.replay(messages);
  }

  answer({ name, arguments: args, requestor }: Pick<ToolCall, "name" | "arguments" | "requestor">): ToolAnswer {
    const [tools, database] = this.side(requestor);
    return answerTo(tools, database, name, args);
  }

  /** Calls a function. @throws {NotReplayable} it is unknown or fails */
  run({ side, name, arguments: args }: FunctionCall): Value {
    const [tools, database] = this.side(side);
    const known = { ...tools?.tools, ...tools?.functions };
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!tools || !database || !found)
      throw new NotReplayable(`expected a function of the ${side}'s tools, but received ${name}`);
    try {
      return found.run(database, bound(`${tools.className}.${name}()`, found, args));
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
      throw new NotReplayable(`${name} failed: ${error.message}`, { cause: error });
    }
  }

  holds(assertion: Assertion): boolean {
    return isEqual(this.run(assertion), assertion.wanted);
  }

  /**
   * Performs the recorded calls that change the databases.
   *
   * @throws {NotReplayable} a call has a different answer than the recorded one, or no answer
   */
  replay(messages: readonly Message[]): void {
    for (const [call, recorded] of callsIn(messages)) {
      if (!this.changes(call.name)) continue;
      const { content } = this.answer(call);
      if (!isEqual(contentOf(content), contentOf(recorded.content)))
        throw new NotReplayable(`expected ${call.name} to return ${recorded.content}, but received ${content}`);
    }
  }

  hasContentOf(other: World): boolean {
    const isUserSame =
      this.user && other.user ? this.user.hasContentOf(other.user, haveSameHash) : this.user === other.user;
    return isUserSame && this.agent.hasContentOf(other.agent, haveSameHash);
  }

  private changes(name: string): boolean {
    const tools = { ...this.domain.user?.tools.tools, ...this.domain.agent.tools.tools };
    return Object.hasOwn(tools, name) && tools[name]?.kind === "write";
  }

  private side(requestor: "assistant" | "user"): [Toolkit | undefined, Database | undefined] {
    if (requestor === "assistant") return [this.domain.agent.tools, this.agent];
    return [this.domain.user?.tools, this.user];
  }
}

function updated(database: Database, model: Domain["agent"]["database"], data: Dict): Database {
  const whole = plain(database.whole()) as Dict;
  return Database.of(model.name, databaseIn(model, merged(whole, data)));
}

/** Returns a copy in which models are dicts. */
function plain(value: Value): Value {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? new Map([...value].map(([key, each]) => [key, plain(each)])) : value;
}

/** Returns a dict with the values of another one, dict by dict. */
function merged(into: Dict, data: Dict): Dict {
  const result = new Map(into);
  for (const [key, value] of data) {
    const before = result.get(key);
    result.set(key, before instanceof Map && value instanceof Map ? merged(before, value) : copyOf(value));
  }
  return result;
}

/** Returns each call with its answer. @throws {NotReplayable} */
function callsIn(messages: readonly Message[]): [ToolCall, ToolMessage][] {
  const rest = [...messages].reverse();
  const found: [ToolCall, ToolMessage][] = [];
  for (let message = rest.pop(); message; message = rest.pop()) {
    if (message.role === "tool")
      throw new NotReplayable(`expected an answer after its call, but received ${message.id}`);
    for (const call of message.calls ?? []) {
      const answer = rest.pop();
      if (answer?.role !== "tool" || answer.id !== call.id)
        throw new NotReplayable(
          `expected the answer to the call ${call.id} of ${call.name}, but received ${answer?.role ?? "the end"}`,
        );
      found.push([call, answer]);
    }
  }
  return found;
}

/** Returns the JSON value of a content, or the content itself if it is no JSON. */
function contentOf(content: string): Value {
  try {
    return readJson(content);
  } catch {
    return content;
  }
}
