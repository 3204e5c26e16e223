/** Generates the seeded submissions and their comments. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import type { Comment, Submission, User } from "../rows.js";
import { slugOf } from "../slug.js";
import { Conversation, type Said } from "./conversation.js";
import type { Material, Topic } from "./material.js";
import { commonWords } from "./people.js";
import { type Bound, Phrases } from "./phrases.js";

/** Number of submissions per unit of `Topic.weight`. */
const perWeight = 6.4;
const hosts = [
  "alderpost",
  "haldanetoday",
  "harbourgazette",
  "thelongread",
  "openshelf",
  "uplandsherald",
  "plainfacts",
];
const minute = 60_000;

/** A submission and its comments, before they get ids. */
interface Draft {
  submission: Omit<Submission, "id">;
  comments: readonly Said[];
}

export function seedThreads(
  topics: readonly Topic[],
  users: readonly User[],
  material: Material,
): { submissions: Submission[]; comments: Comment[] } {
  const drafts = topics
    .flatMap((topic, at) => new Threads(topic, at + 1, users, material).all())
    .sort((one, other) => one.submission.created - other.submission.created);
  const random = Random.of("forum numbers");
  let number = 20_000;
  const submissions = drafts.map(({ submission }) => {
    number += random.between(1, 30);
    return { ...submission, id: number };
  });
  return { submissions, comments: numbered(drafts, submissions) };
}

/** Assigns ids to comments in chronological order. */
function numbered(drafts: readonly Draft[], submissions: readonly Submission[]): Comment[] {
  const random = Random.of("forum comment numbers");
  const all = drafts.flatMap(({ comments }, at) =>
    comments.map((said) => ({ said, submission: (submissions[at] as Submission).id })),
  );
  all.sort((one, other) => one.said.created - other.said.created);
  const numbers = new Map<Said, number>();
  let number = 400_000;
  for (const { said } of all) {
    number += random.between(1, 40);
    numbers.set(said, number);
  }
  return all.map(({ said, submission }) => ({
    id: numbers.get(said) as number,
    submission,
    parent: said.parent === null ? null : (numbers.get(said.parent) as number),
    user: said.user,
    body: said.body,
    created: said.created,
    edited: null,
    isDeleted: false,
    up: said.up,
    down: said.down,
  }));
}

/** Generator of one forum's threads. */
class Threads {
  private readonly random: Random;
  private readonly phrases: Phrases;
  private readonly regulars: readonly number[];
  private readonly titles = new Set<string>();

  constructor(
    private readonly topic: Topic,
    private readonly forum: number,
    private readonly users: readonly User[],
    private readonly material: Material,
  ) {
    this.random = Random.of(`forum threads ${topic.name}`);
    this.phrases = new Phrases(this.random, { ...commonWords(material), ...topic.words });
    this.regulars = this.random.sample(
      users.map(({ id }) => id),
      28,
    );
  }

  all(): Draft[] {
    const count = Math.round(this.topic.weight * perWeight) + 3;
    return Array.from({ length: count }, () => this.one()).filter((draft) => draft !== undefined);
  }

  /** Draws an author for a submission. A few authors write most submissions. */
  private author(ownShare: number): number {
    const { random, users, regulars } = this;
    if (random.chance(ownShare)) return 1;
    if (random.chance(0.55)) return regulars[Math.floor(regulars.length * random.random() ** 1.7)] as number;
    return 2 + Math.floor((users.length - 1) * random.random() ** 1.6);
  }

  private one(): Draft | undefined {
    const { random, topic, phrases } = this;
    const bound: Bound = new Map();
    const text = this.title(bound);
    if (!text) return undefined;
    const { title, body, isLink } = text;
    const age = 5 * minute + Math.floor(420 * day * random.random() ** 1.7);
    const created = now - age;
    const heat = random.random();
    const up = 1 + Math.floor(heat ** 7 * 260 * topic.weight * (0.4 + random.random())) + random.between(0, 24);
    const [user, down] = [this.author(0.014), Math.floor(up * random.random() ** 3 * 1.1)];
    const count = Math.min(age < day ? 14 : 70, Math.floor(heat ** 8 * 33) + random.between(0, 3));
    const conversation = new Conversation({
      random,
      phrases,
      material: this.material,
      topic,
      author: () => this.author(0.005),
    });
    const comments = conversation.about({ user, created, up, bound, count });
    const active = comments.reduce((last, comment) => Math.max(last, comment.created), created);
    const url = isLink ? this.address(title, created) : null;
    const submission = { forum: this.forum, user, title, url, body, created, edited: null, up, down };
    return { submission: { ...submission, comments: comments.length, active }, comments };
  }

  /** Draws a title that is unique in the forum. */
  private title(bound: Bound): { title: string; body: string; isLink: boolean } | undefined {
    for (let draw = 0; draw < 12; draw++) {
      bound.clear();
      const text = this.drawTitle(bound);
      if (this.titles.has(text.title)) continue;
      this.titles.add(text.title);
      return text;
    }
    return undefined;
  }

  private drawTitle(bound: Bound): { title: string; body: string; isLink: boolean } {
    const { random, topic, phrases, material } = this;
    const { subject, links, posts } = topic;
    if (subject && random.chance(0.22)) {
      const title = phrases.fill(phrases.draw(material.titles).replace("{x}", `{${subject}}`), bound);
      const sentences = [
        phrases.say(material.anecdote),
        phrases.say(topic.remarks, bound),
        phrases.say(material.closers),
      ];
      return { title, body: sentences.slice(random.between(0, 1)).join(" "), isLink: false };
    }
    const share = links.length / (links.length + posts.length);
    if (links.length > 0 && random.chance(share + 0.1))
      return { title: phrases.fill(phrases.draw(links), bound), body: "", isLink: true };
    const { title: pattern, body } = posts[random.integers(0, posts.length)] as Topic["posts"][number];
    const title = phrases.fill(pattern, bound);
    const said = body.map((sentence) => phrases.fill(sentence, bound));
    const tail = said.length > 0 && random.chance(0.45) ? [phrases.say(material.closers)] : [];
    const paragraphs =
      said.length > 2 && random.chance(0.4) ? [said.slice(0, 2), [...said.slice(2), ...tail]] : [[...said, ...tail]];
    return { title, body: paragraphs.map((sentences) => sentences.join(" ")).join("\n\n"), isLink: false };
  }

  private address(title: string, created: number): string {
    const { random, topic } = this;
    if (topic.name === "pics")
      return `https://img.pixhaven.example/${random.between(16 ** 9, 16 ** 10).toString(16)}.jpg`;
    return `https://www.${random.choice(hosts)}.example/${new Date(created).getUTCFullYear()}/${slugOf(title)}`;
  }
}
