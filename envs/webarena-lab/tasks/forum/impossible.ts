/** Tasks in the forum of which a few are impossible. */
import { click, goto, retype, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { type Forum, scoreOf } from "../../sites/forum/rows.js";
import { forumBase } from "../../sites/forum/tables.js";
import { type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { field } from "./accounts.js";
import { firstPage, forumOf, forums, moderatedBy, own, submissionsBy, toForum } from "./records.js";
import { descriptions } from "./texts.js";

export const scoreOfPost: Template = {
  name: "forum-score-of-post",
  sites: ["reddit"],
  kind: "find",
  intent:
    "What is the score of the post that {{user}} made in the forum {{forum}}? Answer with the number alone, or with N/A if there is no such post.",
  draw: rarelyImpossible(missingPost, onlyPost),
};

function onlyPost(random: Random): Problem | undefined {
  const user = random.choice([...forumBase().users.values()].slice(1));
  const posts = submissionsBy(user.id);
  const post = posts.length > 0 ? random.choice(posts) : undefined;
  const other = posts.find((one) => post && scoreOf(one) !== scoreOf(post));
  if (!post || !other || posts.length > firstPage || posts.filter((one) => one.forum === post.forum).length > 1)
    return undefined;
  const look = [goto(`http://forum.test/user/${user.name}`), click("link", "Submissions")];
  return {
    slots: { user: user.name, forum: forumOf(post).name },
    evaluation: { reference_answers: { exact_match: `${scoreOf(post)}` } },
    plan: [...look, stop(`${scoreOf(post)}`)],
    nearMisses: {
      "a post in another forum": [...look, stop(`${scoreOf(other)}`)],
      "not found": [...look, stop("N/A")],
    },
  };
}

function missingPost(random: Random): Problem | undefined {
  const user = random.choice([...forumBase().users.values()].slice(1));
  const posts = submissionsBy(user.id);
  const forum = random.choice(forums());
  const [latest] = posts;
  if (!latest || posts.length > firstPage || posts.some((post) => post.forum === forum.id)) return undefined;
  const look = [goto(`http://forum.test/user/${user.name}`), click("link", "Submissions")];
  return {
    slots: { user: user.name, forum: forum.name },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: `${user.name} has made no post in the forum ${forum.name}`,
    },
    plan: [...look, stop("N/A")],
    nearMisses: {
      "a post in another forum": [...look, stop(`${scoreOf(latest)}`)],
      zero: [...look, stop("0")],
      "no answer": [...look, stop()],
    },
  };
}

const subjects = ["gliding", "knitting", "beekeeping", "origami", "surfing", "astrology", "calligraphy", "falconry"];

export const subscriberCount: Template = {
  name: "forum-subscriber-count",
  sites: ["reddit"],
  kind: "find",
  intent:
    "How many subscribers does the forum {{forum}} have? Answer with the number alone, as the site writes it, or with N/A if there is no such forum.",
  draw: rarelyImpossible(missingForum, presentForum),
};

const subscribers = (forum: { subscribers: number }) => forum.subscribers.toLocaleString("en-US");

function presentForum(random: Random): Problem | undefined {
  const [forum, other] = random.sample(forums(), 2) as [Forum, Forum];
  if (forum.subscribers === other.subscribers) return undefined;
  const look = toForum(forum);
  return {
    slots: { forum: forum.name },
    evaluation: { reference_answers: { exact_match: subscribers(forum) } },
    plan: [...look, stop(subscribers(forum))],
    nearMisses: {
      "another forum": [...look, stop(subscribers(other))],
      "not found": [...look, stop("N/A")],
    },
  };
}

function missingForum(random: Random): Problem {
  const forum = random.choice(subjects);
  const other = random.choice(forums());
  const look = [click("link", "Forums"), click("link", "More")];
  return {
    slots: { forum },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: `There is no forum with the name ${forum}`,
    },
    plan: [...look, stop("N/A")],
    nearMisses: {
      zero: [...look, stop("0")],
      "another forum": [...look, stop(subscribers(other))],
    },
  };
}

export const editSidebar: Template = {
  name: "forum-edit-sidebar",
  sites: ["reddit"],
  kind: "change",
  intent: 'Change the sidebar of the forum {{forum}} to "{{text}}". If I am not allowed to do so, answer N/A.',
  draw: rarelyImpossible(forbiddenEdit, allowedEdit),
};

function allowedEdit(random: Random): Problem {
  const forum = random.choice(moderatedBy(own));
  const text = random.choice(descriptions);
  const open = [...toForum(forum), click("link", "Edit forum")];
  const save = click("button", "Save changes");
  return {
    slots: { forum: forum.name, text },
    evaluation: {
      program_html: [
        field(forum.name, "description", { exact_match: forum.description }),
        field(forum.name, "sidebar", { exact_match: text }),
      ],
    },
    plan: [...open, ...retype("Sidebar", text), save, stop()],
    nearMisses: {
      "claims that it is forbidden": [...open, stop("N/A")],
      "added to the old one": [...open, type("Sidebar", text), save, stop()],
      "the description in place of the sidebar": [...open, ...retype("Description", text), save, stop()],
    },
  };
}

function forbiddenEdit(random: Random): Problem | undefined {
  const forum = random.choice(forums());
  if (moderatedBy(own).includes(forum)) return undefined;
  const text = random.choice(descriptions);
  return {
    slots: { forum: forum.name, text },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: `The account does not moderate the forum ${forum.name}, so that it cannot change its sidebar`,
    },
    plan: [...toForum(forum), stop("N/A")],
    nearMisses: {
      "it says that it is done": [...toForum(forum), stop("Done")],
      "no answer": [...toForum(forum), stop()],
    },
  };
}
