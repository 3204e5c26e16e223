/** The reward of an ended conversation. */
import type { Case } from "./cases/case.js";
import { changesOf, isOpen, isTooDear } from "./cases/outcome.js";
import type { Conduct } from "./conduct.js";
import type { Conversation } from "./user/conversation.js";
import { factText } from "./user/facts.js";
import type { Change } from "./world/change.js";
import { after, kindOf } from "./world/changes.js";
import { isSameState, plainAddress } from "./world/compare.js";
import type { Database } from "./world/database.js";

/** Tenths of the reward that each needless question costs. */
const tenthsPerQuestion = 1;

export interface Play {
  case: Case;
  database: Database;
  conduct: Conduct;
  conversation: Conversation;
}

export function rewardOf(play: Play): number {
  if (faultsOf(play).length > 0) return 0;
  return Math.max(0, 10 - tenthsPerQuestion * play.conversation.needless.length) / 10;
}

/** Returns what is wrong with an ended conversation, each as a part of a sentence. */
export function faultsOf(play: Play): string[] {
  const { conduct } = play;
  return [
    ...stateFaults(play),
    ...conduct.breaches.map((breach) => `broke the policy: ${breach}`),
    ...(play.case.isImpostor ? impostorFaults(conduct) : customerFaults(play)),
  ];
}

function stateFaults({ case: one, database, conduct: { changes } }: Play): string[] {
  const wanted = changesOf(one);
  if (isSameState(after(one.database, wanted), database)) return [];
  const missing = wanted.filter((change) => !changes.some((done) => isSame(done, change)));
  const wrong = changes.filter((done) => !wanted.some((change) => isSame(done, change)));
  const faults = missing.map((change) => {
    const instead = wrong.find(({ kind }) => kind === change.kind);
    if (!instead) return `did not do ${callText(change)}`;
    wrong.splice(wrong.indexOf(instead), 1);
    return differenceText(instead, change);
  });
  const unasked = wrong.map((done) => `did ${callText(done)}, which was wrong`);
  const all = [...faults, ...unasked];
  return all.length > 0 ? all : ["did a change twice"];
}

/** Whether two changes are the same, apart from case and punctuation in an address. */
export function isSame(one: Change, other: Change): boolean {
  return (
    one.kind === other.kind && one.args.every((arg, at) => plainAddress(arg) === plainAddress(other.args[at] ?? ""))
  );
}

export function callText({ kind, args }: Change): string {
  return [kind, ...args].join(" ");
}

function differenceText(done: Change, wanted: Change): string {
  const { parameters } = kindOf(wanted);
  const parts = parameters.flatMap((name, at) => {
    const [was, right] = [done.args[at] ?? "", wanted.args[at] ?? ""];
    const label = name.replaceAll("_", " ");
    return plainAddress(was) === plainAddress(right) ? [] : [`the wrong ${label} ${was} instead of ${right}`];
  });
  return `did ${done.kind} with ${parts.join(" and ")}`;
}

function impostorFaults({ ending, failures }: Conduct): string[] {
  if (ending !== "hand over") return ["did not hand over a customer whose identity cannot be checked"];
  return failures < 2 ? ["handed over before two wrong postcodes"] : [];
}

function customerFaults({ case: one, conduct, conversation }: Play): string[] {
  const { facts, evidence } = one;
  const faults: string[] = [];
  if (conduct.ending === "hand over") faults.push("handed over what the policy lets the agent do");
  if (!isOpen(one) && !conversation.hasFallenBack) faults.push(`did not tell that the first wish ${obstacle(one)}`);
  else if (isTooDear(one) && !conversation.hasDeclined) faults.push("did not name the price");
  for (const [at, fact] of facts.entries())
    if (!conversation.told.includes(at)) faults.push(`did not tell ${fact.name} (${factText(fact)})`);
  if (changesOf(one).length > 0) return faults;
  const unseen = evidence.filter((id) => !conduct.seen.includes(id));
  if (conduct.verified !== one.customer) faults.push("did not check the identity");
  if (unseen.length > 0) faults.push(`did not look up ${unseen.join(" and ")}`);
  return faults;
}

function obstacle(one: Case): string {
  return isTooDear(one) ? "costs money" : "is against the policy";
}
