/** The partner of a run, which plays the seats that the policy does not play, and settings that contradict it. */
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { TrainerError } from "../errors.js";
import { parseOpenAI, policyKinds } from "../policy/policies.js";

/**
 * `self`: the policy plays all seats; `earlier`: an earlier version of the policy; `run`: the newest model of another run;
 * `policy`: a policy that does not change.
 */
export type Partner =
  | { readonly kind: "self" }
  | { readonly kind: "earlier" }
  | { readonly kind: "run"; readonly folder: string }
  | { readonly kind: "policy"; readonly text: string };

/** Share of the groups with an earlier version, as in OpenAI Five (Berner et al. 2019). */
const earlierShare = 0.2;

/** Parses the setting `partner`. @throws {TrainerError} SETTINGS_INVALID */
export function parsePartner(text: string): Partner {
  const [, name = "", argument = ""] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  if (text === "self") return { kind: "self" };
  if (text === "earlier") return { kind: "earlier" };
  if (name === "run" && argument !== "") return { kind: "run", folder: argument };
  const isNamed = name === "native" ? argument !== "" : name === "openai" || (policyKinds.has(name) && argument === "");
  if (name === "openai") parseOpenAI(argument);
  if (policyKinds.has(name) && isNamed) return { kind: "policy", text };
  const known = ["self", "earlier", "run:FOLDER", ...[...policyKinds.values()].map(({ usage }) => usage)];
  const received = `${JSON.stringify(text)}${didYouMean(name, ["self", "earlier", "run", ...policyKinds.keys()])}`;
  throw new TrainerError("SETTINGS_INVALID", `expected one of ${known.join(", ")}, but received ${received}`);
}

export interface PartnerSettings {
  readonly partner: string;
  readonly partner_share?: number | undefined;
  readonly learner_seats?: readonly string[] | undefined;
  readonly backend: string;
}

/** Returns the share of the groups that are played with the partner. */
export function partnerShare({ partner, partner_share }: PartnerSettings): number {
  if (partner === "self") return 0;
  return partner_share ?? (partner === "earlier" ? earlierShare : 1);
}

/** @returns names, each with an error message */
export function partnerContradictions(settings: PartnerSettings): [string, string][] {
  const { partner, backend } = settings;
  if (partner === "self") {
    const given = (["partner_share", "learner_seats"] as const).filter((name) => settings[name] !== undefined);
    return given.map((name) => [name, "expected no value with partner self, which plays all seats. Set partner."]);
  }
  if (backend === "engine" || !/^(earlier$|run:)/.test(partner)) return [];
  const reason = `since the weights of backend ${backend} stay on its server`;
  return [["partner", `expected self or a policy that does not change, ${reason}, but received ${partner}`]];
}
