/** Texts of textcraft-pair. */

export const prompt = `Two players craft one item of Minecraft together. They share one inventory and take turns. Each player knows only some of the crafting commands, and some things can be got by one player alone, so the players have to talk.

Each turn is one of these actions:
get 2 oak log: takes things that nobody has to craft.
craft 4 oak planks using 1 oak log: crafts by a command, from things in the inventory. Any player can craft, also by a command that the other one told.
say TEXT: tells the other player something.
inventory: shows the shared inventory.
wait: does nothing.

State the exact numbers. The fewer turns, the higher the reward.`;

export interface SeatText {
  readonly lines: readonly string[];
  readonly own: readonly string[];
  readonly goal: string;
}

export function openingOf({ lines, own, goal }: SeatText): string {
  const commands = lines.length > 0 ? lines.join("\n") : "none";
  const gets = own.length > 0 ? `\n\nOnly you can get: ${own.join(", ")}.` : "";
  return `Crafting commands:\n${commands}${gets}\n\nGoal: craft ${goal}.`;
}
