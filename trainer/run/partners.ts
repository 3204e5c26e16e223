/**
 * The partners of a run: they play the seats that the policy does not play. In a share of the groups the policy plays one seat
 * and the partner the others; in the rest of the groups the policy plays all seats. The policy's seats take turns.
 */
import { join } from "node:path";
import { actionFormat } from "../../server/formats/actions/action-formats.js";
import type { TrainedPolicy } from "../backends/backend.js";
import { keyedRandom } from "../keyed-random.js";
import { openPolicy } from "../policy/policies.js";
import type { Policy } from "../policy/policy.js";
import type { SeatPartners } from "../rollout/episode-rollout.js";
import { parsePartner, partnerShare } from "../settings/partner.js";
import { sequencesOf, type TrainSettings } from "../settings/settings.js";
import { EarlierVersions } from "./earlier-versions.js";
import { OtherRun } from "./other-run.js";
import type { Borrowed, PartnerSource } from "./partner-source.js";

export interface PartnersOptions extends Pick<TrainedPolicy, "save" | "frozen"> {
  readonly settings: TrainSettings;
  say(line: string): void;
}

/** Players of a group's seats. */
export interface Seating {
  readonly partners?: SeatPartners;
  /** Called when the group has been played. */
  release?(): void;
}

export interface SeatingRequest {
  /** Number of the group or of the held-out episode; the policy's seats follow each other by it. */
  readonly number: number;
  readonly seed: number;
  /** Seats of the environment; undefined if it has one player. */
  readonly seats: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Returns the seats in which the policy has something to learn. Default: all. */
  worthwhile?(seats: readonly string[]): readonly string[];
}

export class Partners {
  private readonly source: PartnerSource | undefined;
  private readonly share: number;

  constructor(private readonly options: PartnersOptions) {
    this.share = partnerShare(options.settings);
    this.source = sourceOf(options);
  }

  get state(): unknown {
    return this.source?.state;
  }

  async start(trainStep: number, saved: unknown): Promise<void> {
    await this.source?.start?.(trainStep, saved);
  }

  async learnt(trainStep: number): Promise<void> {
    await this.source?.learnt?.(trainStep);
  }

  async saved(): Promise<void> {
    await this.source?.saved?.();
  }

  /** Decides who plays the seats of a group. */
  async seat(request: SeatingRequest): Promise<Seating> {
    return keyedRandom(request.seed, 2)() < this.share ? this.besidePartner(request) : {};
  }

  /** Decides who plays the seats of a held-out episode: always the partner, unless it is a version of the policy. */
  async seatHeldOut(request: SeatingRequest): Promise<Seating> {
    return ["self", "earlier"].includes(this.options.settings.partner) ? {} : this.besidePartner(request);
  }

  async close(): Promise<void> {
    await this.source?.close();
  }

  private async besidePartner({ number, seed, seats, signal, worthwhile }: SeatingRequest): Promise<Seating> {
    const { source } = this;
    if (!source || !seats) return {};
    const playable = this.options.settings.learner_seats ?? seats;
    const own = worthwhile?.(playable) ?? playable;
    const learner = own[number % own.length];
    const { policy, release } = await source.borrow(seed, signal);
    return { partners: new Map(seats.filter((seat) => seat !== learner).map((seat) => [seat, policy])), release };
  }
}

function sourceOf({ settings, save, frozen, say }: PartnersOptions): PartnerSource | undefined {
  const partner = parsePartner(settings.partner);
  const { output, earlier_freq_steps: every, earlier_versions: most } = settings;
  const open = frozen ?? ((folder: string) => openFixed(`native:${folder}`, settings));
  if (partner.kind === "self") return undefined;
  if (partner.kind === "earlier")
    return new EarlierVersions({ folder: join(output, "earlier"), every, most, save, open });
  if (partner.kind === "run") return new OtherRun({ folder: partner.folder, open, say });
  const { text } = partner;
  const isModel = text.startsWith("native:");
  return new FixedPartner(() => (isModel ? open(text.replace(/^native:/, ""), text) : openFixed(text, settings)));
}

function openFixed(text: string, settings: TrainSettings): Promise<Policy> {
  return openPolicy(text, {
    format: actionFormat(settings.action_format),
    dialogue: "system",
    maxTokens: settings.max_new_tokens,
    timeoutMs: 120_000,
    concurrency: sequencesOf(settings),
  });
}

/** A partner that never changes. */
class FixedPartner implements PartnerSource {
  private policy: Policy | undefined;

  constructor(private readonly open: () => Promise<Policy>) {}

  /** Opens the policy, so that a wrong one ends the run at its start. */
  async start(): Promise<void> {
    this.policy = await this.open();
  }

  async borrow(): Promise<Borrowed> {
    return { policy: this.policy as Policy, release: () => {} };
  }

  async close(): Promise<void> {
    await this.policy?.close();
  }
}
