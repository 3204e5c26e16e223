/** What compiles native code on this machine, and how to get what is missing. Parses on an old Node, as setup.mjs says. */
import { execFileSync } from "node:child_process";

export const compilers = [process.env.CXX, "c++", "g++", "clang++"];

/**
 * @param tools commands by the name of the tool, any of which will do
 * @returns the names of those that are not there
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

/** @param commands what to type, by package manager; the first is told where none of them is there */
export function howToGet(commands) {
  const managers = Object.keys(commands);
  return commands[managers.find(answers) || managers[0]];
}
