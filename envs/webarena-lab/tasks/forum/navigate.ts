/** Tasks in which the agent opens a page of the forum. */
import { click, goto, stop } from "../../plan.js";
import { sorts } from "../../sites/forum/ranking.js";
import { scoreOf } from "../../sites/forum/rows.js";
import type { Template } from "../common/template.js";
import {
  areApart,
  bestFirst,
  commentsOn,
  drawThread,
  forumOf,
  forums,
  isPlain,
  pathOf,
  site,
  spans,
  submissionsIn,
  toForum,
  toList,
  toThread,
  userOf,
} from "./records.js";

export const openMostCommented: Template = {
  name: "forum-open-most-commented",
  sites: ["reddit"],
  kind: "navigate",
  intent: "Open the post of the {{span}} in the forum {{forum}} that has the most comments.",
  draw(random) {
    const forum = random.choice(forums());
    const span = random.choice(Object.keys(spans));
    const posts = submissionsIn(forum, "most_commented", spans[span]);
    const [post, next] = posts;
    const [top] = submissionsIn(forum, "most_commented");
    if (!post || !next || !top || post === top || post.comments === next.comments) return undefined;
    if (![post, next, top].every(isPlain)) return undefined;
    const look = toList(forum, "most_commented", spans[span]);
    return {
      slots: { span, forum: forum.name },
      evaluation: { reference_url: `${site}${pathOf(post)}` },
      plan: [...look, click("link", post.title), stop()],
      nearMisses: {
        "the second": [...look, click("link", next.title), stop()],
        "that of all time": [...toList(forum, "most_commented"), click("link", top.title), stop()],
        "the list alone": [...look, stop()],
      },
    };
  },
};

export const openAuthorComments: Template = {
  name: "forum-open-author-comments",
  sites: ["reddit"],
  kind: "navigate",
  intent: "Show me the page with all comments of the user who made the newest post in the forum {{forum}}.",
  draw(random) {
    const forum = random.choice(forums());
    const [post, next] = submissionsIn(forum, "new");
    if (!post || !next || post.user === next.user) return undefined;
    const [name, other] = [userOf(post).name, userOf(next).name];
    const look = toList(forum, "new");
    return {
      slots: { forum: forum.name },
      evaluation: { reference_url: `${site}/user/${name}/comments` },
      plan: [...look, click("link", name), click("link", "Comments"), stop()],
      nearMisses: {
        "the overview": [...look, click("link", name), stop()],
        "the submissions": [...look, click("link", name), click("link", "Submissions"), stop()],
        "the author of the post below": [...look, click("link", other), click("link", "Comments"), stop()],
      },
    };
  },
};

export const openBestComment: Template = {
  name: "forum-open-best-comment",
  sites: ["reddit"],
  kind: "navigate",
  intent: 'Open the permalink of the comment with the highest score in the thread "{{title}}" of the forum {{forum}}.',
  draw(random) {
    const post = drawThread(random, 5, 30);
    if (!post) return undefined;
    const comments = bestFirst(commentsOn(post));
    const [best, next] = comments;
    if (!best || !next || best.parent !== null || !areApart(comments, 1, scoreOf)) return undefined;
    const path = (id: number) => `/f/${forumOf(post).name}/${post.id}/-/comment/${id}`;
    const look = toThread(post);
    return {
      slots: { title: post.title, forum: forumOf(post).name },
      evaluation: { reference_url: `${site}${path(best.id)}` },
      plan: [...look, click("link", "Permalink"), stop()],
      nearMisses: {
        "the thread": [...look, stop()],
        "the second comment": [...look, goto(`http://forum.test${path(next.id)}`), stop()],
      },
    };
  },
};

export const openRanking: Template = {
  name: "forum-open-ranking",
  sites: ["reddit"],
  kind: "navigate",
  intent: "Show me the posts of the {{span}} in the forum {{forum}}, {{order}}.",
  draw(random) {
    const forum = random.choice(forums());
    const span = random.choice(Object.keys(spans));
    const orders = {
      "the most controversial ones first": "controversial",
      "those with the highest score first": "top",
    } as const;
    const order = random.choice(Object.keys(orders) as (keyof typeof orders)[]);
    const sort = orders[order];
    const other = sort === "top" ? "controversial" : "top";
    return {
      slots: { span, forum: forum.name, order },
      evaluation: { reference_url: `${site}/f/${forum.name}/${sort}?t=${spans[span]}` },
      plan: [...toList(forum, sort, spans[span]), stop()],
      nearMisses: {
        "of all time": [...toForum(forum), click("link", sorts[sort]), stop()],
        "in another order": [...toList(forum, other, spans[span]), stop()],
      },
    };
  },
};
