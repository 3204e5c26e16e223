/** Texts that the agent has to write in the forum's tasks. */

export const replies = [
  "Thanks, this is just what I was looking for.",
  "Could you tell us where you read that?",
  "I tried it last week and it worked the first time.",
  "Interesting, my neighbour says the opposite.",
  "Please keep us posted on how it goes.",
  "That made my day, thank you for sharing it.",
  "I would not have thought of that in ten years.",
] as const;

export const questions = [
  ["What is a good present for a friend who has everything?", "She likes long walks and hates clutter."],
  ["Which habit should I start this spring?", "Twenty minutes a day is what I can spare."],
  ["How do you plan a weekend without a car?", "Two adults and a child of six, buses are fine."],
  ["What did you learn the hard way this winter?", "I will start: drain the garden hose before the frost."],
  ["Is it rude to leave a party without a word?", "My sister and I cannot agree on this."],
  ["What would you tell a beginner on the first day?", "I start on Monday and am a little nervous."],
  ["How do you keep notes that you find again?", "Paper, phone, wall: I have tried them all."],
  ["Who wants to meet online on April 6th?", "A virtual meetup, one hour, all levels welcome."],
] as const;

export const biographies = [
  "I collect lighthouse postcards.",
  "Night owl, slow reader, fast walker.",
  "Ask me about ferries and sourdough.",
  "Retired from arguing on the internet.",
  "Here for the comments, staying for the recipes.",
  "Part-time gardener, full-time optimist.",
  "I answer messages on Sundays.",
] as const;

export const lines = [
  "EDIT: Solved, thank you all!",
  "EDIT: I have added a picture in the comments.",
  "EDIT: This is still true in March 2024.",
  "UPDATE: It works now.",
  "EDIT: Corrected the numbers.",
  "UPDATE: See my comment below for the result.",
] as const;

export const descriptions = [
  "A friendly corner for beginners and old hands.",
  "Questions, answers and the occasional argument.",
  "News and stories, no advertising.",
  "Everything you always wanted to ask.",
  "Slow talk for patient people.",
  "Where the regulars meet.",
] as const;

/** Forums to create, each with a name, a title, and entries for the sidebar. */
export const foundations = [
  ["sci_fi_novels", "Science fiction novels", ["New", "Classic", "Space opera"]],
  ["knitting_circle", "Knitting circle", ["Patterns", "Yarn swaps", "Show and tell"]],
  ["night_trains", "Night trains", ["Routes", "Tickets", "Trip reports"]],
  ["beekeepers", "Beekeepers", ["Hives", "Honey", "Swarm alerts"]],
  ["crossword_club", "Crossword club", ["Daily puzzle", "Setters", "Hints"]],
  ["wild_swimming", "Wild swimming", ["Spots", "Safety", "Water temperature"]],
  ["repair_cafe", "Repair café", ["Dates", "Spare parts", "Success stories"]],
] as const;

export const letters = [
  "Hello, may I post the dates of our book sale?",
  "Could you have a look at the last thread about prices?",
  "Thank you for keeping this place so friendly!",
  "I would like to help with moderating in summer.",
  "Is there a list of earlier discussions somewhere?",
  "My post from yesterday has a typo, can you correct it?",
] as const;
