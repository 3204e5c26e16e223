/** Impossible tasks in the forum. */
import { click, goto, stop } from "../plan.js";
import { scoreOf } from "../sites/forum/rows.js";
import { forumBase } from "../sites/forum/tables.js";
import { firstPage, forums, moderatedBy, own, submissionsBy, toForum } from "./forum-records.js";
import { descriptions } from "./forum-texts.js";
import type { Template } from "./template.js";

export const missingPost: Template = {
  name: "forum-missing-post",
  sites: ["reddit"],
  kind: "find",
  intent: "What is the score of the post that {{user}} made in the forum {{forum}}? Answer with the number alone.",
  draw(random) {
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
  },
};

const subjects = ["gliding", "knitting", "beekeeping", "origami", "surfing", "astrology", "calligraphy", "falconry"];

export const missingForum: Template = {
  name: "forum-missing-forum",
  sites: ["reddit"],
  kind: "find",
  intent: "How many subscribers does the forum {{forum}} have? Answer with the number alone.",
  draw(random) {
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
        "another forum": [...look, stop(`${other.subscribers}`)],
      },
    };
  },
};

export const forbiddenEdit: Template = {
  name: "forum-forbidden-edit",
  sites: ["reddit"],
  kind: "find",
  intent: 'Change the sidebar of the forum {{forum}} to "{{text}}"',
  draw(random) {
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
  },
};
