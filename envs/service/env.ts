/** The environment: the agent of a customer service writes with a customer, and changes records. */
import type { Environment, Info, ResetRequest, ResetResult, StepResult } from "../env.js";
import { readAction, type ServiceAction } from "./actions.js";
import type { Case } from "./cases/case.js";
import { breachesOf, type Conduct, type Ending, newConduct, tellsPrivate } from "./conduct.js";
import { faultsOf, type Play, rewardOf } from "./score.js";
import { caseOf } from "./tasks.js";
import { asksOf } from "./user/asks.js";
import { type Conversation, factsIn, newConversation, type Scene } from "./user/conversation.js";
import { understand } from "./user/heard.js";
import { scriptedUser } from "./user/scripted.js";
import type { UserTurn } from "./user/user.js";
import * as words from "./words.js";
import { changeKinds } from "./world/changes.js";
import { type Database, rowOf } from "./world/database.js";
import { foundCustomers, recordText } from "./world/records.js";

type Told = Omit<StepResult, "truncated">;

export class Service implements Environment {
  /** The current task. Undefined before the first reset. */
  case: Case | undefined;
  database!: Database;
  conduct!: Conduct;
  conversation!: Conversation;
  private seed = 0;
  /** All that the customer has written. */
  private said = "";

  reset({ task, seed }: ResetRequest): ResetResult {
    const one = caseOf(task);
    this.case = one;
    this.database = structuredClone(one.database);
    this.conduct = newConduct(one);
    this.conversation = newConversation();
    this.seed = seed;
    this.said = one.opening;
    return { observation: words.opening(one), info: { domain: one.domain, family: one.family } };
  }

  step(text: string): StepResult {
    return { ...this.take(readAction(text)), truncated: false };
  }

  clone(): Service {
    const copy = new Service();
    Object.assign(copy, this, {
      database: structuredClone(this.database),
      conduct: structuredClone(this.conduct),
      conversation: structuredClone(this.conversation),
    });
    return copy;
  }

  close(): void {
    this.case = undefined;
  }

  /** The play so far. Only after a reset. */
  get play(): Play {
    const { case: one, database, conduct, conversation } = this;
    return { case: one as Case, database, conduct, conversation };
  }

  private take(action: ServiceAction): Told {
    if (action.kind === "say") return this.say(action.message);
    if (action.kind === "invalid")
      return seen(words.invalid((this.case as Case).domain, action.received), { action: "invalid" });
    const { name, args } = action;
    const info = { action: name, arguments: args };
    if (Object.hasOwn(changeKinds, name)) return seen(this.change(name, args), info);
    if (name === "end_conversation") return this.end("end", words.ended, info);
    if (name === "hand_over") return this.end("hand over", words.handedOver, info);
    const [first = "", second = ""] = args;
    if (name === "find_customer") return seen(this.find(first), info);
    if (name === "verify_customer") return seen(this.verify(first, second), info);
    return seen(this.lookUp(first), info);
  }

  private find(text: string): string {
    const customers = foundCustomers(this.database, text);
    const [only] = customers;
    if (customers.length === 1 && only) this.conduct.seen.push(only.id);
    return words.found(this.database, text, customers);
  }

  private lookUp(id: string): string {
    if (recordText(this.database, id) !== undefined) this.conduct.seen.push(id);
    return words.record(this.database, id);
  }

  private verify(id: string, postcode: string): string {
    const customer = rowOf(this.database.customers, id);
    if (!customer) return words.record(this.database, id);
    if (postcode === customer.postcode) {
      this.conduct.verified = id;
      return words.verified(id);
    }
    this.conduct.failures += 1;
    return words.mismatch(id);
  }

  private change(kind: string, args: readonly string[]): string {
    const { database, conduct } = this;
    const rules = changeKinds[kind] as (typeof changeKinds)[string];
    const wrong = rules.wrong(database, args);
    if (wrong) return words.wrong(wrong);
    const change = { kind, args };
    conduct.breaches.push(...breachesOf(database, change, conduct, this.conversation));
    conduct.changes.push(change);
    conduct.hasReported = false;
    return rules.perform(database, args);
  }

  private say(message: string): Told {
    const { case: one, conversation, conduct, seed } = this;
    const scene: Scene = { case: one as Case, conversation, seed };
    if (conduct.verified === undefined && tellsPrivate(scene.case, message, this.said))
      conduct.breaches.push("told private data before the identity was checked");
    const told = factsIn(scene, message);
    conversation.told = [...new Set([...conversation.told, ...told])];
    const heard = understand(message);
    const asks = asksOf(heard, scene);
    const needless = asks.filter(({ isNeedless }) => isNeedless).map(({ about }) => String(about));
    conversation.needless.push(...needless);
    const turn = scriptedUser.reply({ text: message, heard, asks, tells: told.length > 0 }, scene);
    this.note(turn, heard.amounts);
    const asked = asks.map(({ about }) => String(about));
    return seen(words.customerSays(turn.text), { action: "say", asked, needless, isUnderstood: turn.isUnderstood });
  }

  private note({ text, answers, says, fallsBack }: UserTurn, amounts: readonly number[]): void {
    const { conversation } = this;
    this.said += `\n${text}`;
    this.conduct.hasReported = true;
    conversation.messages += 1;
    for (const topic of answers) conversation.answers[topic] = (conversation.answers[topic] ?? 0) + 1;
    if (says === "yes") conversation.agreed.push(...amounts);
    if (says === "no" && fallsBack) conversation.hasDeclined = true;
    if (fallsBack) conversation.hasFallenBack = true;
  }

  private end(ending: Ending, observation: string, info: Info): Told {
    this.conduct.ending = ending;
    const { play } = this;
    const reward = rewardOf(play);
    const faults = faultsOf(play);
    return {
      observation,
      reward,
      terminated: true,
      info: { ...info, faults, needless: [...this.conversation.needless] },
    };
  }
}

function seen(observation: string, info: Info): Told {
  return { observation, reward: 0, terminated: false, info };
}
