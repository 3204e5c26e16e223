/** Generates the comments on one submission. */
import { day, now } from "../../../clock.js";
import type { Random } from "../../../seed/random.js";
import type { Manner, Material, Topic } from "./material.js";
import type { Bound, Phrases } from "./phrases.js";

/** A generated comment, before it gets an id. */
export interface Said {
  parent: Said | null;
  user: number;
  body: string;
  created: number;
  up: number;
  down: number;
}

/** The submission that a conversation is about. */
export interface Occasion {
  user: number;
  created: number;
  /** Number of upvotes of the submission. */
  up: number;
  bound: Bound;
  /** Number of comments. */
  count: number;
}

interface Surroundings {
  random: Random;
  phrases: Phrases;
  material: Material;
  topic: Topic;
  author(): number;
}

const deepest = 6;
const minute = 60_000;

export class Conversation {
  constructor(private readonly around: Surroundings) {}

  about(occasion: Occasion): Said[] {
    const said: { comment: Said; depth: number }[] = [];
    for (let at = 0; at < occasion.count; at++) {
      const open = said.filter(({ depth }) => depth < deepest).slice(-9);
      const isAnswer = open.length > 0 && this.around.random.chance(0.58);
      const parent = isAnswer ? this.around.random.choice(open) : undefined;
      const comment = this.comment(occasion, parent?.comment ?? null);
      said.push({ comment, depth: (parent?.depth ?? 0) + 1 });
    }
    return said.map(({ comment }) => comment);
  }

  private comment(occasion: Occasion, parent: Said | null): Said {
    const { random } = this.around;
    const user = this.speaker(occasion, parent);
    const manner = user === occasion.user && parent ? "thanks" : this.manner(parent !== null);
    const after = parent?.created ?? occasion.created;
    const delay = Math.min(minute + 2.5 * day * random.random() ** 3, (now - after) * (0.05 + 0.9 * random.random()));
    const warmth = 1 + Math.floor(occasion.up * (parent ? 0.12 : 0.35) * random.random() ** 3) + random.between(0, 6);
    const isCold = random.chance(manner === "disagree" ? 0.34 : 0.07);
    const down = isCold ? warmth + random.between(1, 14) : Math.floor(warmth * random.random() ** 4);
    const body = this.body(manner, occasion.bound);
    return { parent, user, body, created: Math.floor(after + delay), up: warmth, down };
  }

  private speaker({ user }: Occasion, parent: Said | null): number {
    const { random, author } = this.around;
    if (parent && parent.user !== user && random.chance(0.24)) return user;
    for (let draw = 0; draw < 4; draw++) {
      const one = author();
      if (one !== (parent?.user ?? user)) return one;
    }
    return author();
  }

  private manner(isAnswer: boolean): Manner {
    const { random } = this.around;
    return isAnswer
      ? random.weighted<Manner>({ ...silent, agree: 4, disagree: 3.4, ask: 2, joke: 1.4, anecdote: 1.6 })
      : random.weighted<Manner>({ ...silent, reaction: 2.2, anecdote: 2.6, ask: 1.6, joke: 0.9, reason: 4 });
  }

  /** Generates one to four sentences. Only a comment of the kind `reason` begins with a remark on the subject. */
  private body(manner: Manner, bound: Bound): string {
    const { random, phrases, material, topic } = this.around;
    const remark = () => phrases.say(topic.remarks, random.chance(0.6) ? new Map(bound) : undefined);
    const tail = () => (random.chance(0.35) ? [phrases.say(random.choice([material.reason, material.anecdote]))] : []);
    switch (manner) {
      case "joke":
        return random.chance(0.5) ? phrases.say(material.joke) : `${remark()} ${phrases.say(material.joke)}`;
      case "ask":
        return random.chance(0.3) ? phrases.say(material.ask) : `${remark()} ${phrases.say(material.ask)}`;
      case "reason":
        return [remark(), ...(random.chance(0.3) ? [remark()] : []), ...tail()].join(" ");
      case "disagree":
        return [phrases.say(material.disagree), random.chance(0.5) ? remark() : phrases.say(material.reason)].join(" ");
      default: {
        const isWhole = manner === "agree" || manner === "thanks";
        const rest = !isWhole || random.chance(0.7) ? [remark()] : [];
        const text = [phrases.say(material[manner]), ...rest, ...tail()];
        return text.length > 2 && random.chance(0.3) ? `${text[0]}\n\n${text.slice(1).join(" ")}` : text.join(" ");
      }
    }
  }
}

const silent: Record<Manner, number> = {
  agree: 0,
  disagree: 0,
  reason: 0,
  anecdote: 0,
  ask: 0,
  thanks: 0,
  joke: 0,
  reaction: 0,
};
