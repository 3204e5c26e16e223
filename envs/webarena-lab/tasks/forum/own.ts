/** Tasks in the forum about submissions and comments of the agent's own account. */
import { click, goto, type PlanStep, press, retype, stop, type } from "../../plan.js";
import type { Submission } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import type { Template } from "../common/template.js";
import {
  commentsBy,
  commentsOn,
  firstPage,
  forumOf,
  isTitledAlone,
  own,
  pathOf,
  pathTo,
  site,
  submissionsBy,
  toThread,
} from "./records.js";
import { lines } from "./texts.js";

function ownPosts(): Submission[] {
  return submissionsBy(own)
    .slice(0, firstPage)
    .filter((one) => one.body !== "" && isTitledAlone(one));
}

const toOwn = [click("link", "MarvelsGrantMan136"), click("link", "Submissions")];

export const editPost: Template = {
  name: "forum-edit-post",
  sites: ["reddit"],
  kind: "change",
  intent: 'Add a line to the end of my post "{{title}}" that says "{{line}}"',
  draw(random) {
    const [post, other] = random.sample(ownPosts(), 2);
    const line = random.choice(lines);
    if (!post || !other || post.body.length > 350) return undefined;
    const add = [click("textbox", "Body"), press("Control+End"), press("Enter"), type("Body", line)];
    const open = ({ title }: Submission) => [...toOwn, click("link", title), click("link", "Edit")];
    const save = click("button", "Edit submission");
    return {
      slots: { title: post.title, line },
      evaluation: {
        program_html: [
          {
            url: `${site}${pathOf(post)}`,
            locator: `document.querySelector(".submission__body").outerText.replace(/\\s+/g, " ")`,
            required_contents: { exact_match: `${post.body.replace(/\s+/g, " ")} ${line}` },
          },
        ],
      },
      plan: [...open(post), ...add, save, stop()],
      nearMisses: {
        "another post": [...open(other), ...add, save, stop()],
        "not saved": [...open(post), ...add, stop()],
        "in place of the text": [...open(post), ...retype("Body", line), save, stop()],
      },
    };
  },
};

export const deleteComment: Template = {
  name: "forum-delete-comment",
  sites: ["reddit"],
  kind: "change",
  intent: 'Delete the comment that I wrote in the thread "{{title}}" of the forum {{forum}}.',
  draw(random) {
    const comment = random.choice(commentsBy(own));
    const post = forumBase().submissions.get(comment.submission) as Submission;
    const thread = commentsOn(post);
    const isOnly = thread.filter(({ user }) => user === own).length === 1;
    const hasAnswers = thread.some(({ parent }) => parent === comment.id);
    if (!isOnly || hasAnswers || post.user === own || !isTitledAlone(post)) return undefined;
    const path = pathTo(comment);
    const look: PlanStep[] = toThread(post);
    const rest = thread.filter(({ id }) => id !== comment.id).map(({ id }) => id);
    return {
      slots: { title: post.title, forum: forumOf(post).name },
      evaluation: {
        program_html: [
          {
            url: `${site}${pathOf(post)}`,
            locator: `[...document.querySelectorAll("article.comment")].map(({ id }) => Number(id.slice(8))).sort((one, other) => one - other).join(" ")`,
            required_contents: { exact_match: rest.join(" ") },
          },
        ],
      },
      plan: [...look, click("link", "Delete"), click("button", "Delete comment"), stop()],
      nearMisses: {
        "not confirmed": [...look, click("link", "Delete"), stop()],
        "emptied in place of deleted": [
          ...look,
          goto(`http://forum.test${path}/edit`),
          ...retype("Comment", "."),
          click("button", "Save"),
          stop(),
        ],
      },
    };
  },
};
