/** Suggestions for misspelt names. */
import { Command } from "commander";

/**
 * Returns " (Did you mean NAME?)", or "" if no known name is close. The distance between names is computed by
 * Commander, as for flags.
 */
export function didYouMean(received: string, known: Iterable<string>): string {
  // Commander would treat the word as a flag and compare it without the leading dashes.
  if (received.startsWith("--")) return "";
  let message = "";
  const outputError = (text: string) => {
    message = text;
  };
  // Commander suggests names of commands and flags only, so each known name becomes a command.
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
