/** Tasks in the forum about votes and subscriptions. */
import type { HtmlTarget } from "../../../shared/web-tasks/evaluators/program-html.js";
import { click, goto, type PlanStep, stop } from "../../plan.js";
import { type Forum, type Submission, scoreOf } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import type { Template } from "../common/template.js";
import {
  areApart,
  firstPage,
  forumOf,
  forums,
  isPlain,
  isTitledAlone,
  own,
  pathOf,
  site,
  spans,
  submissionsBy,
  submissionsIn,
  toList,
  userOf,
} from "./records.js";

const choices = {
  Upvote: "vote vote--user-upvoted",
  Downvote: "vote vote--user-downvoted",
} as const;

function voted(submission: Submission, state: string): HtmlTarget {
  return {
    url: `${site}${pathOf(submission)}`,
    locator: "document.querySelector('div.submission__vote').querySelector('form').getAttribute('class')",
    required_contents: { exact_match: state },
  };
}

function isVoted({ id }: Submission): boolean {
  return [...forumBase().votes.values()].some(({ kind, target }) => kind === "submission" && target === id);
}

const vote = (choice: string, { title }: Submission) => click("button", choice, title);

export const voteNewest: Template = {
  name: "forum-vote-newest",
  sites: ["reddit"],
  kind: "change",
  intent: "{{choice}} the newest post in the forum {{forum}}.",
  draw(random) {
    const forum = random.choice(forums());
    const choice = random.choice(["Upvote", "Downvote"] as const);
    const other = choice === "Upvote" ? "Downvote" : "Upvote";
    const [post, next] = submissionsIn(forum, "new");
    if (!post || !next || ![post, next].every((one) => isPlain(one) && !isVoted(one))) return undefined;
    const look = toList(forum, "new");
    return {
      slots: { choice, forum: forum.name },
      evaluation: { program_html: [voted(post, choices[choice])] },
      plan: [...look, vote(choice, post), stop()],
      nearMisses: {
        "the other button": [...look, vote(other, post), stop()],
        "the post below": [...look, vote(choice, next), stop()],
        "twice, so that it is taken back": [
          ...look,
          vote(choice, post),
          vote(`Retract ${choice.toLowerCase()}`, post),
          stop(),
        ],
        "no vote": [...look, stop()],
      },
    };
  },
};

export const voteTop: Template = {
  name: "forum-vote-top",
  sites: ["reddit"],
  kind: "change",
  intent: "Thumbs down the {{count}} posts with the highest scores of the {{span}} in the forum {{forum}}.",
  draw(random) {
    const forum = random.choice(forums());
    const span = random.choice(Object.keys(spans));
    const count = random.between(2, 3);
    const all = submissionsIn(forum, "top", spans[span]);
    const posts = all.slice(0, count);
    const next = all[count];
    if (!next || !areApart(all, count, scoreOf) || ![...posts, next].every((one) => isPlain(one) && !isVoted(one)))
      return undefined;
    // A vote may reorder posts whose scores are close.
    if (posts.some((post, at) => scoreOf(post) - scoreOf(all[at + 1] as Submission) < 4)) return undefined;
    const look = toList(forum, "top", spans[span]);
    const down = (some: readonly Submission[]) => some.map((one) => vote("Downvote", one));
    return {
      slots: { count, span, forum: forum.name },
      evaluation: { program_html: posts.map((post) => voted(post, choices.Downvote)) },
      plan: [...look, ...down(posts), stop()],
      nearMisses: {
        "one is left out": [...look, ...down(posts.slice(1)), stop()],
        upvotes: [...look, ...posts.map((one) => vote("Upvote", one)), stop()],
        "one too low": [...look, ...down([...posts.slice(1), next]), stop()],
      },
    };
  },
};

export const voteUser: Template = {
  name: "forum-vote-user",
  sites: ["reddit"],
  kind: "change",
  intent: "Like all posts that {{user}} has made in the forum {{forum}}.",
  draw(random) {
    const some = random.choice([...forumBase().submissions.values()]);
    const forum = forumOf(some);
    const all = submissionsBy(some.user);
    const posts = all.filter((one) => one.forum === some.forum);
    if (some.user === own || all.length > firstPage || posts.length < 2 || posts.length > 4) return undefined;
    if (!posts.every((one) => isPlain(one) && !isVoted(one))) return undefined;
    const user = userOf(some).name;
    const look = [goto(`http://forum.test/user/${user}`), click("link", "Submissions")];
    const up = (ones: readonly Submission[]) => ones.map((one) => vote("Upvote", one));
    return {
      slots: { user, forum: forum.name },
      evaluation: { program_html: posts.map((post) => voted(post, choices.Upvote)) },
      plan: [...look, ...up(posts), stop()],
      nearMisses: {
        "the newest alone": [...look, ...up(posts.slice(0, 1)), stop()],
        "a dislike among them": [...look, ...up(posts.slice(1)), vote("Downvote", posts[0] as Submission), stop()],
        "no vote": [...look, stop()],
      },
    };
  },
};

export const retractVote: Template = {
  name: "forum-retract-vote",
  sites: ["reddit"],
  kind: "change",
  intent: 'Take back my vote on the post "{{title}}" in the forum {{forum}}.',
  draw(random) {
    const voteRow = random.choice([...forumBase().votes.values()].filter(({ kind }) => kind === "submission"));
    const post = forumBase().submissions.get(voteRow.target) as Submission;
    const forum = forumOf(post);
    if (!isTitledAlone(post) || post.user === own) return undefined;
    const [retract, other] =
      voteRow.choice === 1 ? (["Retract upvote", "Downvote"] as const) : (["Retract downvote", "Upvote"] as const);
    const look: PlanStep[] = [
      { kind: "type", target: { role: "searchbox", name: "Search query" }, text: post.title, isEntered: true },
      click("link", post.title),
    ];
    return {
      slots: { title: post.title, forum: forum.name },
      evaluation: { program_html: [voted(post, "vote")] },
      plan: [...look, click("button", retract), stop()],
      nearMisses: {
        "the other vote": [...look, click("button", other), stop()],
        "no change": [...look, stop()],
      },
    };
  },
};

/** Returns a check that the front page lists the given forums as subscribed. */
function subscribedTo(names: readonly string[]): HtmlTarget {
  return {
    url: `${site}/`,
    locator:
      '[...document.querySelector("#sidebar > section").querySelectorAll("a")].map(({ outerText }) => outerText).join(" ")',
    required_contents: { exact_match: inOrder(names).join(" ") },
  };
}

function inOrder(names: readonly string[]): string[] {
  return [...names].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
}

function ownForums(): Forum[] {
  const { subscriptions } = forumBase();
  const ids = new Set([...subscriptions.values()].filter(({ user }) => user === own).map(({ forum }) => forum));
  return forums().filter(({ id }) => ids.has(id));
}

const subscribeButton = (forum: Forum, text = "Subscribe") =>
  click("button", `${text} (${forum.subscribers.toLocaleString("en-US")})`, `link '${forum.name}'`);

export const subscribeSmallest: Template = {
  name: "forum-subscribe-smallest",
  sites: ["reddit"],
  kind: "change",
  intent: "Subscribe to the forum with the fewest subscribers among {{first}}, {{second}} and {{third}}.",
  draw(random) {
    const mine = ownForums();
    const some = random.sample(
      forums().filter((one) => !mine.includes(one)),
      3,
    );
    const [first, second, third] = some.map(({ name }) => name) as [string, string, string];
    const [least, next] = [...some].sort((one, other) => one.subscribers - other.subscribers);
    if (!least || !next || next.subscribers - least.subscribers < 5) return undefined;
    const ranks = [...forums()].sort((one, other) => other.subscribers - one.subscribers);
    const look = (forum: Forum) => [
      click("link", "Forums"),
      click("link", "By subscribers"),
      ...(ranks.indexOf(forum) >= firstPage ? [click("link", "More")] : []),
    ];
    const names = mine.map(({ name }) => name);
    return {
      slots: { first, second, third },
      evaluation: { program_html: [subscribedTo([...names, least.name])] },
      plan: [...look(least), subscribeButton(least), stop()],
      nearMisses: {
        "the second smallest": [...look(next), subscribeButton(next), stop()],
        both: [...look(least), subscribeButton(least), ...look(next), subscribeButton(next), stop()],
        "no change": [...look(least), stop(least.name)],
      },
    };
  },
};

export const unsubscribeLarge: Template = {
  name: "forum-unsubscribe-large",
  sites: ["reddit"],
  kind: "change",
  intent: "Unsubscribe me from every forum with {{order}} than {{limit}} subscribers.",
  draw(random) {
    const mine = ownForums();
    const order = random.choice(["more", "fewer"] as const);
    const limit = random.between(3, 32) * 100;
    const isMeant = ({ subscribers }: Forum) => (order === "more" ? subscribers > limit : subscribers < limit);
    const [gone, kept] = [mine.filter(isMeant), mine.filter((one) => !isMeant(one))];
    const [first] = gone;
    const [other] = kept;
    if (!first || !other || gone.length > 3) return undefined;
    const leave = (forum: Forum) => [
      click("link", forum.name),
      click("button", `Unsubscribe (${forum.subscribers.toLocaleString("en-US")})`),
      click("link", "Home"),
    ];
    return {
      slots: { order, limit },
      evaluation: { program_html: [subscribedTo(kept.map(({ name }) => name))] },
      plan: [...gone.flatMap(leave), stop()],
      nearMisses: {
        "one is left": [...gone.slice(1).flatMap(leave), stop()],
        "one too many": [...gone.flatMap(leave), ...leave(other), stop()],
        "another one": [...leave(other), ...gone.slice(1).flatMap(leave), stop()],
      },
    };
  },
};
