/** Tasks in the forum about accounts and whole forums. */
import type { HtmlTarget } from "../../../shared/web-tasks/evaluators/program-html.js";
import { click, type PlanStep, retype, stop, type } from "../../plan.js";
import { type Forum, scoreOf } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import type { Template } from "../common/template.js";
import {
  areApart,
  commentsOn,
  drawThread,
  forumOf,
  forums,
  moderatedBy,
  own,
  site,
  toForum,
  toThread,
  userOf,
} from "./records.js";
import { biographies, descriptions, foundations, letters } from "./texts.js";

const me = "MarvelsGrantMan136";

export const biography: Template = {
  name: "forum-biography",
  sites: ["reddit"],
  kind: "change",
  intent: 'Change my biography to "{{text}}"',
  draw(random) {
    const [text, other] = random.sample(biographies, 2) as [string, string];
    const open = [click("link", me), click("link", "Edit biography")];
    return {
      slots: { text },
      evaluation: {
        program_html: [
          {
            url: `${site}/user/${me}`,
            locator: 'document.querySelector(".user-bio__biography").outerText',
            required_contents: { exact_match: text },
          },
        ],
      },
      plan: [...open, type("Biography", text), click("button", "Save"), stop()],
      nearMisses: {
        "another text": [...open, type("Biography", other), click("button", "Save"), stop()],
        "not saved": [...open, type("Biography", text), stop()],
      },
    };
  },
};

/** Returns a check of a field's value in the form for editing a forum. */
export function field(forum: string, name: string, required: HtmlTarget["required_contents"]): HtmlTarget {
  return {
    url: `${site}/f/${forum}/edit`,
    locator: `document.querySelector("#forum_${name}").value`,
    required_contents: required,
  };
}

export const createForum: Template = {
  name: "forum-create",
  sites: ["reddit"],
  kind: "change",
  intent:
    'Create a new forum named {{name}} with the title "{{title}}" and the description "{{description}}". Its sidebar has to name {{entries}}.',
  draw(random) {
    const [name, title, entries] = random.choice(foundations);
    const description = random.choice(descriptions);
    const open = [click("link", "Create new forum")];
    const write = [type("Name", name), type("Title", title), type("Description", description)];
    const send = click("button", "Create forum");
    return {
      slots: { name, title, description, entries: entries.join(", ") },
      evaluation: {
        program_html: [
          field(name, "title", { exact_match: title }),
          field(name, "description", { exact_match: description }),
          field(name, "sidebar", { must_include: entries }),
        ],
      },
      plan: [...open, ...write, type("Sidebar", entries.join(", ")), send, stop()],
      nearMisses: {
        "an entry is missing": [...open, ...write, type("Sidebar", entries.slice(1).join(", ")), send, stop()],
        "not sent": [...open, ...write, type("Sidebar", entries.join(", ")), stop()],
        "title and description are swapped": [
          ...open,
          type("Name", name),
          type("Title", description),
          type("Description", title),
          type("Sidebar", entries.join(", ")),
          send,
          stop(),
        ],
      },
    };
  },
};

export const describeForum: Template = {
  name: "forum-edit-description",
  sites: ["reddit"],
  kind: "change",
  intent: 'Change the description of the forum {{forum}}, which I moderate, to "{{text}}". Leave the rest as it is.',
  draw(random) {
    const [forum, other] = random.sample(moderatedBy(own), 2) as [Forum, Forum];
    const text = random.choice(descriptions);
    const open = (one: Forum): PlanStep[] => [
      click("link", me),
      click("link", one.name, "Moderates"),
      click("link", "Edit forum"),
    ];
    const save = click("button", "Save changes");
    return {
      slots: { forum: forum.name, text },
      evaluation: {
        program_html: [
          field(forum.name, "title", { exact_match: forum.title }),
          field(forum.name, "description", { exact_match: text }),
          field(forum.name, "sidebar", { exact_match: forum.sidebar }),
        ],
      },
      plan: [...open(forum), ...retype("Description", text), save, stop()],
      nearMisses: {
        "the sidebar in place of the description": [...open(forum), ...retype("Sidebar", text), save, stop()],
        "another forum": [...open(other), ...retype("Description", text), save, stop()],
        "added to the old one": [...open(forum), type("Description", text), save, stop()],
        "not saved": [...open(forum), ...retype("Description", text), stop()],
      },
    };
  },
};

export const writeMessage: Template = {
  name: "forum-message",
  sites: ["reddit"],
  kind: "change",
  intent: 'Send the first moderator listed at the forum {{forum}} this message: "{{text}}"',
  draw(random) {
    const forum = random.choice(forums());
    const [first, second] = [...forumBase().moderators.values()].filter((one) => one.forum === forum.id).map(userOf);
    if (!first || !second || first.id === own || second.id === own) return undefined;
    const text = random.choice(letters);
    const open = ({ name }: { name: string }) => [
      ...toForum(forum),
      click("link", name, "Moderators"),
      click("link", "Send message"),
    ];
    const write = [type("Message", text), click("button", "Send"), stop()];
    return {
      slots: { forum: forum.name, text },
      evaluation: {
        program_html: [
          {
            url: `${site}/messages`,
            locator: `[...document.querySelectorAll(".message")].slice(0, 1).map((one) => [...one.querySelectorAll(".message__info a, .message__body")].map(({ outerText }) => outerText.trim()).join(" | ")).join("")`,
            required_contents: { exact_match: `${me} | ${first.name} | ${text}` },
          },
        ],
      },
      plan: [...open(first), ...write],
      nearMisses: {
        "to the second moderator": [...open(second), ...write],
        "not sent": [...open(first), type("Message", text), stop()],
      },
    };
  },
};

export const blockUser: Template = {
  name: "forum-block-user",
  sites: ["reddit"],
  kind: "change",
  intent: 'Block the user whose comment has the lowest score in the thread "{{title}}" of the forum {{forum}}.',
  draw(random) {
    const post = drawThread(random, 5, 16);
    if (!post) return undefined;
    const comments = [...commentsOn(post)].sort((one, other) => scoreOf(one) - scoreOf(other));
    const [worst, next] = comments;
    if (!worst || !next || !areApart(comments, 1, scoreOf) || scoreOf(worst) >= 0) return undefined;
    if (worst.user === next.user || [worst.user, next.user].includes(own)) return undefined;
    const [name, other] = [userOf(worst).name, userOf(next).name];
    const open = (user: string) => [...toThread(post), click("link", user), click("link", "Block user")];
    const send = click("button", "Block user");
    return {
      slots: { title: post.title, forum: forumOf(post).name },
      evaluation: {
        program_html: [
          {
            url: `${site}/block_list`,
            locator: `[...document.querySelectorAll(".block-list a")].map(({ outerText }) => outerText).join(" ")`,
            required_contents: { exact_match: name },
          },
        ],
      },
      plan: [...open(name), send, stop()],
      nearMisses: {
        "the second lowest": [...open(other), send, stop()],
        "not confirmed": [...open(name), stop()],
      },
    };
  },
};
