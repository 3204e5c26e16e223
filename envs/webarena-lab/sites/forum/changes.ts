/** Changes the forum's records for visitors, and updates derived counts. */
import { now } from "../../clock.js";
import type { Comment, Forum, Submission, User, VoteKind } from "./rows.js";
import type { ForumTables } from "./tables.js";

/** @param choice 1 for an upvote, -1 for a downvote, 0 to remove the vote */
export function vote(tables: ForumTables, user: User, kind: VoteKind, target: number, choice: 1 | 0 | -1): void {
  const known = voteOf(tables, user, kind, target);
  const before = known?.choice ?? 0;
  if (choice === 0) {
    if (known) tables.votes.remove(known.id);
  } else if (known) tables.votes.update(known.id, { choice });
  else tables.votes.insert({ user: user.id, kind, target, choice });
  const table = kind === "submission" ? tables.submissions : tables.comments;
  const { up, down } = table.need(target);
  const change = {
    up: up + Number(choice === 1) - Number(before === 1),
    down: down + Number(choice === -1) - Number(before === -1),
  };
  if (kind === "submission") tables.submissions.update(target, change);
  else tables.comments.update(target, change);
}

export function voteOf(tables: ForumTables, user: User | undefined, kind: VoteKind, target: number) {
  if (!user) return undefined;
  return tables.votes.where("target", target).find((one) => one.user === user.id && one.kind === kind);
}

/** Returns a user's votes on submissions or on comments, by the id of the item. */
export function votesOf(tables: ForumTables, user: User | undefined, kind: VoteKind): ReadonlyMap<number, 1 | -1> {
  const own = user ? tables.votes.where("user", user.id).filter((one) => one.kind === kind) : [];
  return new Map(own.map(({ target, choice }) => [target, choice]));
}

export function submit(
  tables: ForumTables,
  user: User,
  forum: Forum,
  { title, url, body }: Pick<Submission, "title" | "url" | "body">,
): Submission {
  const times = { created: now, edited: null, active: now };
  const submission = tables.submissions.insert({
    forum: forum.id,
    user: user.id,
    title,
    url,
    body,
    up: 0,
    down: 0,
    comments: 0,
    ...times,
  });
  tables.forums.update(forum.id, { submissions: forum.submissions + 1 });
  vote(tables, user, "submission", submission.id, 1);
  return submission;
}

export function withdraw(tables: ForumTables, { id, forum }: Submission): void {
  for (const comment of tables.comments.where("submission", id)) tables.comments.remove(comment.id);
  tables.submissions.remove(id);
  tables.forums.update(forum, { submissions: tables.forums.need(forum).submissions - 1 });
}

export function reply(
  tables: ForumTables,
  user: User,
  submission: Submission,
  parent: Comment | undefined,
  body: string,
): Comment {
  const comment = tables.comments.insert({
    submission: submission.id,
    parent: parent?.id ?? null,
    user: user.id,
    body,
    created: now,
    edited: null,
    isDeleted: false,
    up: 0,
    down: 0,
  });
  tables.submissions.update(submission.id, { comments: submission.comments + 1, active: now });
  vote(tables, user, "comment", comment.id, 1);
  const addressee = parent?.user ?? submission.user;
  if (addressee !== user.id) tables.notifications.insert({ user: addressee, comment: comment.id });
  return comment;
}

/** Deletes a comment. If the comment has answers, an empty comment remains in the thread. */
export function retract(tables: ForumTables, { id, submission }: Comment): void {
  const hasAnswers = tables.comments.where("parent", id).length > 0;
  if (hasAnswers) tables.comments.update(id, { isDeleted: true, body: "" });
  else tables.comments.remove(id);
  tables.submissions.update(submission, { comments: tables.submissions.need(submission).comments - 1 });
}

export function isSubscribed(tables: ForumTables, user: User | undefined, forum: Forum): boolean {
  return (
    user !== undefined &&
    tables.subscriptions.where("user", user.id).find((one) => one.forum === forum.id) !== undefined
  );
}

export function isModerator(tables: ForumTables, user: User | undefined, forum: Forum): boolean {
  return (
    user !== undefined && tables.moderators.where("user", user.id).find((one) => one.forum === forum.id) !== undefined
  );
}

export function subscribe(tables: ForumTables, user: User, forum: Forum): void {
  if (isSubscribed(tables, user, forum)) return;
  tables.subscriptions.insert({ forum: forum.id, user: user.id });
  tables.forums.update(forum.id, { subscribers: forum.subscribers + 1 });
}

export function unsubscribe(tables: ForumTables, user: User, forum: Forum): void {
  const known = tables.subscriptions.where("user", user.id).find((one) => one.forum === forum.id);
  if (!known) return;
  tables.subscriptions.remove(known.id);
  tables.forums.update(forum.id, { subscribers: forum.subscribers - 1 });
}
