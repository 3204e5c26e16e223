/** The tools that compile native code, and how to install missing ones. Parses on an old Node; see setup.mjs. */
import { execFileSync } from "node:child_process";

export const compilers = [process.env.CXX, "c++", "g++", "clang++"];

/**
 * @param tools alternative commands by the name of the tool
 * @returns the names of the missing tools
 */
export function missingTools(tools) {
  return Object.keys(tools).filter((name) => !tools[name].some((command) => command && answers(command)));
}

export function answers(command) {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** @param commands install commands by package manager; the first is the default if none is found */
export function howToGet(commands) {
  const managers = Object.keys(commands);
  return commands[managers.find(answers) || managers[0]];
}
