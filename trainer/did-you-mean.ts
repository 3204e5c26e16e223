/** Suggestions for misspelled names. */
import { Command } from "commander";

/**
 * Suggests the most similar known name as " (Did you mean NAME?)", by commander's edit distance. Empty if no name is
 * similar.
 *
 * @param known every valid name
 */
export function didYouMean(received: string, known: Iterable<string>): string {
  // Commander would treat the word as a flag and compare it without its dashes.
  if (received.startsWith("--")) return "";
  let message = "";
  const outputError = (text: string) => {
    message = text;
  };
  // Commander compares only names of commands and flags, so each known name becomes a command.
  const names = new Command().exitOverride().helpOption(false).helpCommand(false).configureOutput({ outputError });
  for (const name of new Set(known)) names.addCommand(new Command(name));
  try {
    names.parse(["--", received], { from: "user" });
  } catch {
    const [, suggestion] = /\n(\(Did you mean .+\))/.exec(message) ?? [];
    if (suggestion !== undefined) return ` ${suggestion}`;
  }
  return "";
}
