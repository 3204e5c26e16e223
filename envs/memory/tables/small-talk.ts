/** Greetings, transitions and thanks around the statements of a session. */
import { householdTalks } from "./household-talks.js";
import { knowledgeTalks } from "./knowledge-talks.js";
import type { Talk } from "./talk.js";

export const greetings = [
  "Hi!",
  "Hello again.",
  "Good morning!",
  "Good evening.",
  "Hey, it's me.",
  "Quick question today.",
  "Hello, do you have a minute?",
  "Me again.",
  "Hi there, long day.",
  "Good afternoon.",
];

export const transitions = [
  "By the way: ",
  "Something else. ",
  "Before I forget: ",
  "On another note: ",
  "One more thing. ",
  "Oh, and this: ",
  "Unrelated, but: ",
  "While I have you: ",
  "",
];

export const thanks: readonly (readonly [string, string])[] = [
  ["Thanks, that's all for today.", "You're welcome. Until next time!"],
  ["Perfect, thank you.", "Any time."],
  ["Great, I'll try that. Bye!", "Good luck, and bye."],
  ["That helps a lot.", "Glad to hear it."],
  ["Okay, I have to run.", "See you soon."],
];

export const talks: readonly Talk[] = [...householdTalks, ...knowledgeTalks];
