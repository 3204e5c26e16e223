/** The accounts of the code forge and the followers of each account. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { firstNames, lastNames, towns } from "../../../seed/region.js";
import type { Follow, User } from "../records.js";
import { filled, phrases } from "./phrases.js";

const count = 152;
const noStatus = { emoji: "", message: "", isBusy: false };
const languages = ["Python", "TypeScript", "Go", "Rust", "Java", "C"];

export function seedUsers(): User[] {
  const random = Random.of("forge people");
  const users: User[] = [byteblaze];
  const taken = new Set(["byteblaze"]);
  const names = new Set<string>();
  while (users.length < count) {
    const [first, last] = [random.choice(firstNames), random.choice(lastNames)];
    const username = usernameOf(first.toLowerCase(), last.toLowerCase(), random);
    if (taken.has(username) || names.has(`${first} ${last}`)) continue;
    taken.add(username);
    names.add(`${first} ${last}`);
    users.push(userOf(users.length + 1, `${first} ${last}`, username, random));
  }
  return users;
}

/** The account of the agent in tasks. */
const byteblaze: User = {
  id: 1,
  username: "byteblaze",
  name: "Byte Blaze",
  email: "byteblaze@mail.haldane.example",
  password: "hello1234",
  joined: Date.UTC(2016, 4, 9, 8),
  location: "Port Alder",
  job: "Software engineer",
  bio: "Small tools, plain pages, kettles.",
  organization: "",
  website: "https://byteblaze.example",
  status: noStatus,
};

function usernameOf(first: string, last: string, random: Random): string {
  const form = random.between(0, 6);
  const forms = [
    `${first}${last}`,
    `${first}.${last}`,
    `${first[0]}${last}`,
    `${last}${first[0]}`,
    `${first}-${last[0]}`,
  ];
  return forms[form] ?? `${first}${last.slice(0, 3)}${form === 5 ? random.between(2, 99) : ""}`;
}

function userOf(id: number, name: string, username: string, random: Random): User {
  const plain = name.toLowerCase().replace(" ", ".");
  const subject = { stub: { path: "", parts: [], language: random.choice(languages) }, part: "", other: "" };
  const words = phrases();
  return {
    id,
    username,
    name,
    password: "hello1234",
    email: random.chance(0.4)
      ? `${username}@users.noreply.forge.test`
      : `${plain}@${random.choice(["mail.haldane.example", "orrbridge.example", "letterbox.example"])}`,
    joined: now - random.between(200, 2900) * day - random.between(0, 86_000) * 1000,
    bio: random.chance(0.7) ? filled(random.choice(words.bio ?? []), subject, random) : "",
    location: random.chance(0.8) ? random.choice(towns).name : "",
    job: random.chance(0.6) ? random.choice(words.job ?? []) : "",
    organization: random.chance(0.45) ? random.choice(words.organization ?? []) : "",
    website: random.chance(0.3) ? `https://${plain.replace(".", "")}.example` : "",
    status: random.chance(0.15)
      ? {
          emoji: random.choice(["🌴", "📚", "🛠️", "🎧", "☕"]),
          message: random.choice(words.statusMessage ?? []),
          isBusy: random.chance(0.3),
        }
      : noStatus,
  };
}

export function seedFollows(users: readonly User[]): Follow[] {
  const random = Random.of("forge follows");
  const follows: Follow[] = [];
  for (const { id: follower } of users) {
    const many = follower === 1 ? 4 : Math.floor(random.between(0, 6) * random.random());
    const others = users.filter(({ id }) => id !== follower);
    for (const { id: followed } of random.sample(others, many))
      follows.push({ id: follows.length + 1, follower, followed });
  }
  return follows;
}
