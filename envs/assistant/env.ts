import type { Environment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { type AssistantAction, readAction } from "./actions.js";
import { disturbanceCost, type Fault, faultOf, mostDisturbances, type Situation, wantedIn } from "./situation.js";
import { dayOf } from "./tasks.js";
import * as words from "./words.js";
import type { Item } from "./world/day.js";
import { topics } from "./world/topics.js";

type Told = Omit<StepResult, "truncated">;

/** The environment: an assistant proposes what a user would want in the course of a day, or keeps still. */
export class Assistant implements Environment {
  /** Undefined before the first reset. */
  situation: Situation | undefined;

  /** Starts a day. The seed has no effect: all rollouts of a task have the same day. */
  reset({ task, options }: ResetRequest): ResetResult {
    const day = dayOf(task);
    const isShown = options.history === "shown";
    const seen = isShown ? [...day.history.keys()] : [];
    this.situation = { day, now: 0, settled: [], accepted: [], disturbances: [], seen };
    const wanted = wantedIn(day).length;
    return { observation: words.opening(day, isShown), info: { moments: day.moments.length, wanted } };
  }

  step(text: string): StepResult {
    return { ...this.take(readAction(text)), truncated: false };
  }

  close(): void {}

  clone(): Assistant {
    return Object.assign(new Assistant(), this);
  }

  private take(action: AssistantAction): Told {
    switch (action.verb) {
      case "wait":
        return this.wait();
      case "look":
        return this.look(action.what);
      case "propose":
        return this.propose(action);
      case "none":
        return goesOn(words.invalid);
    }
  }

  private wait(): Told {
    const situation = this.situation as Situation;
    const now = situation.now + 1;
    this.situation = { ...situation, now };
    if (now < situation.day.moments.length) return goesOn(words.moment(situation.day, now));
    return { observation: words.over, reward: 0, terminated: true, info: {} };
  }

  private look(what: string): Told {
    const situation = this.situation as Situation;
    const { day, seen, now } = situation;
    if (what === "calendar") return goesOn(words.calendar(day, now));
    if (what === "mails") return goesOn(words.mails(day, now));
    const lines = day.history.get(what);
    if (!lines) return goesOn(words.unknownTable(what, [...day.history.keys()]));
    this.situation = { ...situation, seen: [...new Set([...seen, what])] };
    return goesOn(words.table(what, lines));
  }

  private propose({ proposal: verb, id, argument }: AssistantAction & { verb: "propose" }): Told {
    const situation = this.situation as Situation;
    const { day, now } = situation;
    const known = day.items.filter(({ from }) => from <= now);
    const item = known.find((each) => each.id === id);
    if (!item) return goesOn(words.unknownNews(id, known));
    const topic = topics[item.topic];
    const fits = topic.argument === undefined || topic.argument.pattern.test(argument);
    if (topic.verb !== verb || !fits) return goesOn(words.malformed(item));
    const proposal = topic.argument ? `${verb} ${id} ${argument}` : `${verb} ${id}`;
    const fault = faultOf(situation, item, proposal);
    return fault === null ? this.accept(item, proposal) : this.disturb(item, proposal, fault);
  }

  private accept({ id }: Item, proposal: string): Told {
    const situation = this.situation as Situation;
    const { day, accepted, settled } = situation;
    this.situation = { ...situation, accepted: [...accepted, proposal], settled: [...settled, id] };
    const reward = 1 / wantedIn(day).length;
    return { observation: words.accepted, reward, terminated: false, info: { proposal, isWanted: true } };
  }

  private disturb({ id }: Item, proposal: string, fault: Fault): Told {
    const situation = this.situation as Situation;
    const disturbances = [...situation.disturbances, { proposal, fault }];
    // A busy user has not looked at the proposal.
    const settled = fault === "busy" ? situation.settled : [...situation.settled, id];
    this.situation = { ...situation, disturbances, settled };
    const isOff = disturbances.length >= mostDisturbances;
    return {
      observation: words.disturbed(fault, isOff),
      reward: -disturbanceCost / wantedIn(situation.day).length,
      terminated: isOff,
      info: { proposal, isWanted: false, fault },
    };
  }
}

function goesOn(observation: string): Told {
  return { observation, reward: 0, terminated: false, info: {} };
}
