/** A remedy for a name with a slip in it. */
import { Command } from "commander";

/**
 * " (Did you mean NAME?)" as commander says it of flags, by its own measure of distance; empty where no name is near.
 *
 * @param known every name that would have been right
 */
export function didYouMean(received: string, known: Iterable<string>): string {
  // Commander would take the word for a flag, and compare it without its dashes.
  if (received.startsWith("--")) return "";
  let message = "";
  const outputError = (text: string) => {
    message = text;
  };
  // Commander measures names of commands and flags alone: here each known name is a command.
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
