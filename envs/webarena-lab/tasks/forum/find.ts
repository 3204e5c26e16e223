/** Tasks that ask for a fact in the forum. */
import { click, type PlanStep, stop } from "../../plan.js";
import { scoreOf } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import { listed, type Template } from "../common/template.js";
import {
  areApart,
  back,
  bestFirst,
  commentsBy,
  commentsOn,
  drawThread,
  firstPage,
  forumOf,
  forums,
  isPlain,
  spans,
  submissionsIn,
  toForum,
  toList,
  toThread,
  userOf,
} from "./records.js";

const places = ["highest", "second highest", "third highest"];

export const topAuthor: Template = {
  name: "forum-top-author",
  sites: ["reddit"],
  kind: "find",
  intent:
    "Which user submitted the post with the {{place}} score of the {{span}} in the forum {{forum}}? Answer with the user name alone.",
  draw(random) {
    const forum = random.choice(forums());
    const [place, span] = [random.choice(places), random.choice(Object.keys(spans))];
    const at = places.indexOf(place);
    const posts = submissionsIn(forum, "top", spans[span]);
    const [post, other] = [posts[at], posts[at === 0 ? 1 : at - 1]];
    if (!post || !other || posts.length < 4 || !areApart(posts, at + 1, scoreOf)) return undefined;
    if (post.user === other.user) return undefined;
    const hot = submissionsIn(forum, "hot").find((one) => one.user !== post.user);
    const { name } = userOf(post);
    const look = toList(forum, "top", spans[span]);
    return {
      slots: { place, span, forum: forum.name },
      evaluation: { reference_answers: { exact_match: name } },
      plan: [...look, stop(name)],
      nearMisses: {
        "the author of the post beside it": [...look, stop(userOf(other).name)],
        "an author from the hot posts": [...toForum(forum), stop(hot ? userOf(hot).name : "")],
        "the title in place of the author": [...look, stop(post.title)],
      },
    };
  },
};

export const unpopularComments: Template = {
  name: "forum-unpopular-comments",
  sites: ["reddit"],
  kind: "find",
  intent:
    "How many of the comments of the user who made the newest post in the forum {{forum}} have a score below zero? Answer with the number alone.",
  draw(random) {
    const forum = random.choice(forums());
    const [post, next] = submissionsIn(forum, "new");
    if (!post || !next || !isPlain(post)) return undefined;
    const comments = commentsBy(post.user);
    const [count, other] = [comments, commentsBy(next.user)].map(
      (some) => some.filter((one) => scoreOf(one) < 0).length,
    ) as [number, number];
    if (comments.length < 8 || comments.length > 3 * firstPage || count === 0) return undefined;
    const more = Array.from({ length: Math.ceil(comments.length / firstPage) - 1 }, () => click("link", "More"));
    const user = userOf(post).name;
    const look = [...toList(forum, "new"), click("link", user), click("link", "Comments"), ...more];
    return {
      slots: { forum: forum.name },
      evaluation: { reference_answers: { exact_match: `${count}` } },
      plan: [...look, stop(`${count}`)],
      nearMisses: {
        "one more": [...look, stop(`${count + 1}`)],
        "all comments": [...look, stop(`${comments.length}`)],
        "another user": [...look, stop(`${other === count ? count + 2 : other}`)],
      },
    };
  },
};

export const ownAnswers: Template = {
  name: "forum-own-answers",
  sites: ["reddit"],
  kind: "find",
  intent:
    'How many comments did the person who started the thread "{{title}}" in {{forum}} write in that thread? Answer with the number alone.',
  draw(random) {
    const post = drawThread(random, 9, 40);
    if (!post) return undefined;
    const count = commentsOn(post).filter(({ user }) => user === post.user).length;
    if (count === 0 || count === post.comments) return undefined;
    const look = toThread(post);
    return {
      slots: { title: post.title, forum: forumOf(post).name },
      evaluation: { reference_answers: { exact_match: `${count}` } },
      plan: [...look, stop(`${count}`)],
      nearMisses: {
        "all comments of the thread": [...look, stop(`${post.comments}`)],
        "one too few": [...look, stop(`${count - 1}`)],
      },
    };
  },
};

export const mostSubscribers: Template = {
  name: "forum-most-subscribers",
  sites: ["reddit"],
  kind: "find",
  intent:
    "Which of the forums {{first}}, {{second}}, {{third}} and {{fourth}} has the most subscribers? Answer with its name alone.",
  draw(random) {
    const some = random.sample(forums(), 4);
    const [first, second, third, fourth] = some.map(({ name }) => name) as [string, string, string, string];
    const [most, next, ...rest] = [...some].sort((one, other) => other.subscribers - one.subscribers);
    if (!most || !next || most.subscribers - next.subscribers < 20) return undefined;
    const look = [click("link", "Forums"), click("link", "By subscribers")];
    const bySubmissions = [...some]
      .sort((one, other) => other.submissions - one.submissions)
      .find((one) => one !== most);
    return {
      slots: { first, second, third, fourth },
      evaluation: { reference_answers: { exact_match: most.name } },
      plan: [...look, stop(most.name)],
      nearMisses: {
        "the second": [...look, stop(next.name)],
        "the last": [...look, stop((rest.at(-1) ?? next).name)],
        "one with more submissions": [...look, stop((bySubmissions ?? next).name)],
      },
    };
  },
};

export const moderatedForums: Template = {
  name: "forum-moderated-by",
  sites: ["reddit"],
  kind: "find",
  intent:
    "{{user}} moderates the forum {{forum}}. Which other forums does {{user}} moderate? Answer with their names, in alphabetical order and separated by commas.",
  draw(random) {
    const { moderators, users } = forumBase();
    const member = random.choice([...moderators.values()].filter(({ user }) => user !== 1));
    const names = [...moderators.values()]
      .filter(({ user }) => user === member.user)
      .map(({ forum }) => forumBase().forums.get(forum)?.name as string);
    const forum = forumBase().forums.get(member.forum) as ReturnType<typeof forums>[number];
    const others = names.filter((name) => name !== forum.name);
    if (others.length < 2) return undefined;
    const user = users.get(member.user)?.name as string;
    const look = [...toForum(forum), click("link", user)];
    return {
      slots: { user, forum: forum.name },
      evaluation: { reference_answers: { exact_match: listed(others) } },
      plan: [...look, stop(listed(others))],
      nearMisses: {
        "one is missing": [...look, stop(listed(others.slice(1)))],
        "with the forum of the question": [...look, stop(listed(names))],
        "only the forum of the question": [...toForum(forum), stop(forum.name)],
      },
    };
  },
};

export const oldestAccount: Template = {
  name: "forum-oldest-account",
  sites: ["reddit"],
  kind: "find",
  intent:
    "Take the authors of the three posts with the highest scores of all time in the forum {{forum}}. Who of them joined the site first? Answer with the user name alone.",
  draw(random) {
    const forum = random.choice(forums());
    const posts = submissionsIn(forum, "top");
    const authors = posts.slice(0, 3).map(userOf);
    if (!areApart(posts, 3, scoreOf) || new Set(authors).size < 3) return undefined;
    const [first, second, third] = [...authors].sort((one, other) => one.created - other.created);
    if (!first || !second || !third || second.created - first.created < 2 * 86_400_000) return undefined;
    const look: PlanStep[] = [
      ...toList(forum, "top"),
      ...authors.flatMap(({ name }, at) => [...(at > 0 ? [back] : []), click("link", name)]),
    ];
    return {
      slots: { forum: forum.name },
      evaluation: { reference_answers: { exact_match: first.name } },
      plan: [...look, stop(first.name)],
      nearMisses: {
        "the second": [...look, stop(second.name)],
        "the newest account": [...look, stop(third.name)],
        "no answer": [...look, stop()],
      },
    };
  },
};

export const linkPosts: Template = {
  name: "forum-link-posts",
  sites: ["reddit"],
  kind: "find",
  intent:
    "How many of the {{count}} newest posts in the forum {{forum}} link to another site? Answer with the number alone.",
  draw(random) {
    const forum = random.choice(forums());
    const count = random.between(8, 18);
    const posts = submissionsIn(forum, "new");
    const countOf = (size: number) => posts.slice(0, size).filter(({ url }) => url !== null).length;
    const links = countOf(count);
    if (posts.length < 25 || links === 0 || links === count) return undefined;
    const look = toList(forum, "new");
    return {
      slots: { count, forum: forum.name },
      evaluation: { reference_answers: { exact_match: `${links}` } },
      plan: [...look, stop(`${links}`)],
      nearMisses: {
        "one too many": [...look, stop(`${links + 1}`)],
        "the posts without a link": [...look, stop(`${count - links === links ? links + 2 : count - links}`)],
      },
    };
  },
};

export const bestCommenter: Template = {
  name: "forum-best-commenter",
  sites: ["reddit"],
  kind: "find",
  intent:
    "Who wrote the comment with the highest score on the most commented post of the {{span}} in the forum {{forum}}? Answer with the user name alone.",
  draw(random) {
    const forum = random.choice(forums());
    const span = random.choice(Object.keys(spans));
    const posts = submissionsIn(forum, "most_commented", spans[span]);
    const [post] = posts;
    if (!post || !isPlain(post) || post.comments < 4 || !areApart(posts, 1, ({ comments }) => comments))
      return undefined;
    const comments = bestFirst(commentsOn(post));
    const [best, next] = comments;
    if (!best || !next || !areApart(comments, 1, scoreOf) || best.user === next.user) return undefined;
    const look = [...toList(forum, "most_commented", spans[span]), click("link", post.title)];
    const worst = comments.findLast(({ user }) => user !== best.user);
    return {
      slots: { span, forum: forum.name },
      evaluation: { reference_answers: { exact_match: userOf(best).name } },
      plan: [...look, stop(userOf(best).name)],
      nearMisses: {
        "the second": [...look, stop(userOf(next).name)],
        "the last": [...look, stop(worst ? userOf(worst).name : "")],
        "no answer": [...look, stop()],
      },
    };
  },
};
