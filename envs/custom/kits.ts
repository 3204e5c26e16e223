import { calculateKit } from "../shared/tools/calculate.js";
import { httpKit } from "../shared/tools/http.js";
import { pythonKit, shellKit } from "../shared/tools/machine-tools.js";
import { mcpKit } from "../shared/tools/mcp/kit.js";
import { searchKit } from "../shared/tools/search.js";
import { sqlKit } from "../shared/tools/sql.js";
import type { ToolKit } from "../shared/tools/tool-kit.js";
import { submit } from "./actions.js";
import type { ToolChoice } from "./definition.js";

/**
 * Creates the tool kits that a definition chooses.
 *
 * @param isFresh true to request the tools of servers anew and to check that databases can be opened
 * @throws {RangeError} two tools have the same name, or a source, tool or database does not exist
 * @throws {ServiceFailed} a server does not answer
 */
export async function kitsOf(choices: readonly ToolChoice[], isFresh: boolean): Promise<ToolKit[]> {
  const kits = await Promise.all(choices.map((choice) => kitOf(choice, isFresh)));
  const names = [submit.name, ...kits.flatMap(({ tools }) => tools.map(({ name }) => name))];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new RangeError(`expected tools with different names, but received ${twice} twice`);
  return kits;
}

async function kitOf(choice: ToolChoice, isFresh: boolean): Promise<ToolKit> {
  if ("calculate" in choice) return calculateKit;
  if ("python" in choice) return pythonKit(choice.python);
  if ("shell" in choice) return shellKit(choice.shell);
  if ("search" in choice) return searchKit(choice.search);
  if ("sql" in choice) return sqlKit(choice.sql, isFresh);
  if ("http" in choice) return httpKit(choice.http);
  const { only, ...server } = choice.mcp;
  return mcpKit({ server, only }, isFresh);
}
