/** Tasks in the forum that create or change submissions and comments. */
import type { HtmlTarget } from "../../../shared/web-tasks/evaluators/program-html.js";
import { choose, click, goto, stop, type } from "../../plan.js";
import { type Comment, type Submission, scoreOf } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import type { Template } from "../common/template.js";
import {
  areApart,
  commentsOn,
  drawThread,
  forumNamed,
  forumOf,
  forums,
  isPlain,
  own,
  pathOf,
  pathTo,
  site,
  spans,
  submissionsIn,
  toForum,
  toList,
  toThread,
  userOf,
} from "./records.js";
import { questions, replies } from "./texts.js";

const lastPost = "func:reddit_get_post_url('__last_url__')";

function shown(url: string, selector: string, text: string): HtmlTarget {
  return {
    url,
    locator: `document.querySelector(${JSON.stringify(selector)}).outerText`,
    required_contents: { exact_match: text },
  };
}

const create = click("button", "Create submission");

export const submitText: Template = {
  name: "forum-submit-text",
  sites: ["reddit"],
  kind: "change",
  intent: 'Post in the forum {{forum}}: the title is "{{title}}" and the body is "{{body}}"',
  draw(random) {
    const [forum, other] = random.sample(forums(), 2);
    const [title, body] = random.choice(questions);
    if (!forum || !other || other.name.startsWith(forum.name)) return undefined;
    const write = [type("Title", title), type("Body", body)];
    const open = [...toForum(forum), click("link", "Submit to this forum")];
    return {
      slots: { forum: forum.name, title, body },
      evaluation: {
        reference_url: `${site}/f/${forum.name}`,
        program_html: [shown(lastPost, ".submission__link", title), shown(lastPost, ".submission__body", body)],
      },
      plan: [...open, ...write, create, stop()],
      nearMisses: {
        "another forum": [click("link", "Submit"), ...write, choose("Forum", other.name), create, stop()],
        "not sent": [...open, ...write, stop()],
        "without the body": [...open, type("Title", title), create, stop()],
      },
    };
  },
};

export const submitAnywhere: Template = {
  name: "forum-submit-with-menu",
  sites: ["reddit"],
  kind: "change",
  intent:
    'Submit the link https://www.{{host}}.example/{{page}} with the title "{{title}}" to the forum {{forum}}, without a text.',
  draw(random) {
    const [forum, other] = random.sample(forums(), 2);
    const [host, page] = [random.choice(["tidepost", "slowradio", "mapdesk", "weekender"]), random.between(1000, 9999)];
    const [title] = random.choice(questions);
    if (!forum || !other || other.name.startsWith(forum.name)) return undefined;
    const url = `https://www.${host}.example/${page}`;
    const write = [click("link", "Submit"), type("URL", url), type("Title", title)];
    return {
      slots: { host, page, title, forum: forum.name },
      evaluation: {
        reference_url: `${site}/f/${forum.name}`,
        program_html: [
          shown(lastPost, ".submission__link", title),
          {
            url: lastPost,
            locator: "document.querySelector('.submission__host').getAttribute('href')",
            required_contents: { exact_match: url },
          },
          {
            url: lastPost,
            locator: "document.querySelectorAll('.submission__body').length",
            required_contents: { exact_match: "0" },
          },
        ],
      },
      plan: [...write, choose("Forum", forum.name), create, stop()],
      nearMisses: {
        "another forum": [...write, choose("Forum", other.name), create, stop()],
        "no forum": [...write, create, stop()],
        "with a text": [...write, type("Body", url), choose("Forum", forum.name), create, stop()],
        "the link as a text": [
          click("link", "Submit"),
          type("Title", title),
          type("Body", url),
          choose("Forum", forum.name),
          create,
          stop(),
        ],
      },
    };
  },
};

export const repost: Template = {
  name: "forum-repost",
  sites: ["reddit"],
  kind: "change",
  intent:
    'Take the picture post with the highest score of the {{span}} in the forum pics, and post the same link with the same title in the forum {{forum}}, with the body "from /f/pics".',
  draw(random) {
    const span = random.choice(Object.keys(spans));
    const forum = random.choice(forums().filter(({ name }) => name !== "pics"));
    const posts = submissionsIn(forumNamed("pics"), "top", spans[span]).filter(({ url }) => url !== null);
    const [post, next] = posts;
    if (!post?.url || !next?.url || !areApart(posts, 1, scoreOf) || !isPlain(post)) return undefined;
    const look = [...toList(forumNamed("pics"), "top", spans[span]), click("link", post.title)];
    const write = ({ title, url }: Submission, place: string) => [
      click("link", "Submit"),
      type("URL", url ?? ""),
      type("Title", title),
      type("Body", "from /f/pics"),
      choose("Forum", place),
      create,
      stop(),
    ];
    return {
      slots: { span, forum: forum.name },
      evaluation: {
        reference_url: `${site}/f/${forum.name}`,
        program_html: [
          shown(lastPost, ".submission__link", post.title),
          shown(lastPost, ".submission__body", "from /f/pics"),
          {
            url: lastPost,
            locator:
              "[...document.querySelector('.submission__inner').querySelectorAll('[href],[src]')].map(elem => elem.getAttribute('href') || elem.getAttribute('src')).join(' ')",
            required_contents: { must_include: [post.url] },
          },
        ],
      },
      plan: [...look, ...write(post, forum.name)],
      nearMisses: {
        "the second picture": [...look, ...write(next, forum.name)],
        "in the forum it is from": [...look, ...write(post, "pics")],
        "not sent": [...look, ...write(post, forum.name).slice(0, -2), stop()],
      },
    };
  },
};

/** Returns the page that shows the direct answers to a comment, and their locator on it. */
function answersTo({ id, submission }: Comment): Pick<HtmlTarget, "url" | "locator"> {
  const post = forumBase().submissions.get(submission) as Submission;
  return {
    url: `${site}/f/${forumOf(post).name}/${post.id}/-/comment/${id}`,
    locator: `[...document.querySelectorAll("#comment_${id} > .comment__replies > .comment > .comment__body")].map(({ outerText }) => outerText).join("\\n")`,
  };
}

export const replyTo: Template = {
  name: "forum-reply",
  sites: ["reddit"],
  kind: "change",
  intent: 'Reply to the comment of {{user}} in the thread "{{title}}" of the forum {{forum}} with "{{text}}"',
  draw(random) {
    const post = drawThread(random, 4, 14);
    if (!post) return undefined;
    const comments = commentsOn(post);
    const comment = random.choice(comments);
    const other = comments.find((one) => one.user !== comment.user);
    const isOnly = comments.filter(({ user }) => user === comment.user).length === 1;
    if (!other || !isOnly || [comment.user, post.user].includes(own) || comment.user === post.user) return undefined;
    const text = random.choice(replies);
    const user = userOf(comment).name;
    const look = toThread(post);
    const write = [type("Comment", text), click("button", "Post"), stop()];
    return {
      slots: { user, title: post.title, forum: forumOf(post).name, text },
      evaluation: { program_html: [{ ...answersTo(comment), required_contents: { must_include: [text] } }] },
      plan: [...look, click("link", "Reply", `link '${user}'`), ...write],
      nearMisses: {
        "to the post": [...look, ...write],
        "to another comment": [...look, goto(`http://forum.test${pathTo(other)}`), ...write],
        "not sent": [...look, click("link", "Reply", `link '${user}'`), type("Comment", text), stop()],
      },
    };
  },
};

export const commentOnTop: Template = {
  name: "forum-comment-on-top",
  sites: ["reddit"],
  kind: "change",
  intent: 'Write the comment "{{text}}" below the post with the highest score of the {{span}} in the forum {{forum}}.',
  draw(random) {
    const forum = random.choice(forums());
    const [span, text] = [random.choice(Object.keys(spans)), random.choice(replies)];
    const posts = submissionsIn(forum, "top", spans[span]);
    const [post, next] = posts;
    if (!post || !next || !areApart(posts, 1, scoreOf) || ![post, next].every(isPlain)) return undefined;
    const look = toList(forum, "top", spans[span]);
    const write = [type("Comment", text), click("button", "Post"), stop()];
    return {
      slots: { text, span, forum: forum.name },
      evaluation: {
        program_html: [
          {
            url: `${site}${pathOf(post)}`,
            locator: `[...document.querySelectorAll(".comments > .comment > .comment__body")].map(({ outerText }) => outerText).join("\\n")`,
            required_contents: { must_include: [text] },
          },
        ],
      },
      plan: [...look, click("link", post.title), ...write],
      nearMisses: {
        "below the second": [...look, click("link", next.title), ...write],
        "not sent": [...look, click("link", post.title), type("Comment", text), stop()],
      },
    };
  },
};
