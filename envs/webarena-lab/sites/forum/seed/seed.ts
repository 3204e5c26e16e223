/**
 * Creates the forum's common records: about 40 forums with their threads, and earlier actions of the agent's account.
 */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { rowsOf } from "../../../store.js";
import type { Comment, Forum, ForumBase, Member, Message, Notification, Submission, User, Vote } from "../rows.js";
import { readMaterial, readTopics, type Topic } from "./material.js";
import { password, persona, seedUsers } from "./people.js";
import { seedThreads } from "./threads.js";

export { password, persona };

/** Session cookie for tasks in which the agent is already logged in. */
export const login = { name: "forum_session", value: "c0ffee136" };

const moderated = ["coffee", "Wexley", "boardgames", "birding", "vinyl"];
const subscribed = ["books", "gadgets", "hiking", "boardgames", "coffee", "PortAlder", "space", "jobs"];

export function seedForum(): ForumBase {
  const material = readMaterial();
  const topics = readTopics();
  const users = seedUsers(material);
  const { submissions, comments } = seedThreads(topics, users, material);
  const forums = seedForums(topics, submissions);
  return {
    sessions: rowsOf([{ id: 1, token: login.value, account: 1 }]),
    users: rowsOf(users),
    forums: rowsOf(forums),
    moderators: rowsOf(seedModerators(forums, users)),
    subscriptions: rowsOf(members(forums.filter(({ name }) => subscribed.includes(name)).map(({ id }) => [id, 1]))),
    submissions: rowsOf(submissions),
    comments: rowsOf(comments),
    votes: rowsOf(seedVotes(submissions, comments)),
    blocks: rowsOf([]),
    messages: rowsOf(seedMessages(users)),
    notifications: rowsOf(seedNotifications(submissions, comments)),
  };
}

function seedForums(topics: readonly Topic[], submissions: readonly Submission[]): Forum[] {
  const random = Random.of("forum forums");
  return topics.map(({ name, title, description, sidebar, weight }, at) => ({
    id: at + 1,
    name,
    title,
    description,
    sidebar,
    created: now - random.between(440, 2300) * day - random.between(0, day),
    isFeatured: weight >= 5,
    subscribers: Math.floor(weight * (20 + random.random() * 420)) + random.between(3, 90),
    submissions: submissions.filter(({ forum }) => forum === at + 1).length,
  }));
}

function members(pairs: readonly (readonly [forum: number, user: number])[]): Member[] {
  return pairs.map(([forum, user], at) => ({ id: at + 1, forum, user }));
}

function seedModerators(forums: readonly Forum[], users: readonly User[]): Member[] {
  const random = Random.of("forum moderators");
  const keen = users.slice(1, 60).map(({ id }) => id);
  return members(
    forums.flatMap(({ id, name }) => {
      const others = random.sample(keen, random.between(1, 4));
      return [...(moderated.includes(name) ? [1] : []), ...others].map((user) => [id, user] as const);
    }),
  );
}

/** Creates earlier votes of the agent's account. The vote counts of the items already include these votes. */
function seedVotes(submissions: readonly Submission[], comments: readonly Comment[]): Vote[] {
  const random = Random.of("forum votes");
  const own = (kind: Vote["kind"], target: number, isDown: boolean) =>
    ({ user: 1, kind, target, choice: isDown ? -1 : 1 }) as const;
  return [
    ...submissions.filter(({ user, up }) => user === 1 && up > 0).map(({ id }) => own("submission", id, false)),
    ...random
      .sample(
        submissions.filter(({ user, down }) => user !== 1 && down > 0),
        60,
      )
      .map(({ id }) => own("submission", id, random.chance(0.2))),
    ...comments.filter(({ user, up }) => user === 1 && up > 0).map(({ id }) => own("comment", id, false)),
  ].map((vote, at) => ({ id: at + 1, ...vote }));
}

function seedMessages(users: readonly User[]): Message[] {
  const [, one, two] = users as [User, User, User];
  const texts: readonly (readonly [User, string])[] = [
    [
      one,
      "Hello! Would you mind if I quoted your comment about the ferry in our newsletter? With your name, of course.",
    ],
    [two, "The market in Wexley moved to Sundays. You asked about it in a thread that is closed by now."],
  ];
  return texts.map(([{ id }, body], at) => ({
    id: at + 1,
    from: id,
    to: 1,
    body,
    created: now - (9 - 5 * at) * day - at * 3_700_000,
  }));
}

/** Creates notifications about the newest answers to posts and comments of the agent's account. */
function seedNotifications(submissions: readonly Submission[], comments: readonly Comment[]): Notification[] {
  const ownPosts = new Set(submissions.filter(({ user }) => user === 1).map(({ id }) => id));
  const ownComments = new Set(comments.filter(({ user }) => user === 1).map(({ id }) => id));
  const isAnswer = ({ parent, submission, user }: Comment) =>
    user !== 1 && (parent === null ? ownPosts.has(submission) : ownComments.has(parent));
  return comments
    .filter(isAnswer)
    .slice(-12)
    .map(({ id }, at) => ({ id: at + 1, user: 1, comment: id }));
}
