/** Schemas of the requests that claim, reward and end rollouts. Unknown parameters are refused. */
import { z } from "zod";
import { seatForm, seatPattern } from "./http.js";

export const RolloutRequest = z.strictObject({
  /** Name of the task. Rollouts of the same task are compared with each other. */
  task: z.string().min(1).max(1000),
  mode: z.enum(["train", "eval"]).default("train"),
});
export type RolloutRequest = z.output<typeof RolloutRequest>;

/** A reward. The limits keep sums of rewards finite. */
const Reward = z.number().min(-1e9).max(1e9);

export const RewardRequest = z
  .strictObject({
    reward: Reward,
    /** Id of the completion that earned the reward. Default: the last completion. */
    call: z.string().optional(),
    /**
     * Seat that earned the reward with its last completion. Default: all seats earn it, if the rollout has seats.
     */
    seat: z.string().regex(seatPattern, `expected ${seatForm}`).optional(),
    /** Whether this is the last reward, which ends the rollout. */
    end: z.boolean().default(false),
    solved: z.boolean().optional(),
  })
  .refine(({ end, solved }) => end || solved === undefined, {
    path: ["solved"],
    error: "expected end: true in the same request",
  })
  .refine(({ call, seat }) => call === undefined || seat === undefined, {
    path: ["seat"],
    error: "expected either call or seat",
  });
export type RewardRequest = z.output<typeof RewardRequest>;

/** Reward of a call without a claimed rollout. */
export const TrafficReward = z
  .strictObject({
    /** Id of the reply that earned the reward. */
    id: z.string().optional(),
    /** Name of the conversation, whose last reply earned the reward. */
    rollout: z.string().optional(),
    reward: Reward,
    /** Whether this is the conversation's last reward. */
    end: z.boolean().default(true),
    solved: z.boolean().optional(),
  })
  .refine(({ id, rollout }) => (id === undefined) !== (rollout === undefined), {
    path: ["id"],
    error: "expected the id of a reply, or the name of a conversation as rollout",
  });
export type TrafficReward = z.output<typeof TrafficReward>;

/** Maximum number of characters of a reason that are kept. */
const reasonLength = 1000;

export const FailRequest = z.strictObject({
  /** Reason for the failure, for the trainer's log and `GET /rollouts/:id`. */
  reason: z
    .string()
    .nullish()
    .transform((reason) => reason?.slice(0, reasonLength) || undefined),
});
export type FailRequest = z.output<typeof FailRequest>;

export const EndRequest = z.strictObject({ solved: z.boolean().optional() });
export type EndRequest = z.output<typeof EndRequest>;
