/** Settings of environments with several players: who plays the seats, and what each seat learns from. */
import { z } from "zod";
import { seatRewards } from "../../rollout/episode-rollout.js";
import { parsePartner } from "../partner.js";
import { setting } from "../setting.js";
import { checkedBy, share, whole } from "../types.js";

export const seatSettings = {
  partner: setting(
    z.string().superRefine(checkedBy(parsePartner)).default("self"),
    "Player of the other seats: self, earlier (earlier versions of the policy), run:FOLDER (newest model of another run), or a policy such as expert, native:FOLDER or openai:URL#model.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  partner_share: setting(
    share.optional(),
    "Share of the groups that are played with the partner; in the others the policy plays all seats. Default: 1, or 0.2 with partner earlier.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  learner_seats: setting(
    z.array(z.string().min(1)).min(1).optional(),
    "Seats that the policy plays beside a partner: one in each group, in turn. Default: all seats of the environment.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  earlier_versions: setting(
    whole(1).default(4),
    "With partner earlier: maximum number of earlier versions to draw from.",
    {
      mode: "gym",
      change: "asked",
      startingModel: "no",
    },
  ),
  earlier_freq_steps: setting(whole(1).default(10), "With partner earlier: train steps between two saved versions.", {
    mode: "gym",
    change: "asked",
    startingModel: "no",
  }),
  seat_rewards: setting(
    z.enum(seatRewards).default("own"),
    "Rewards that a seat learns from. own: its own, where the environment gives seats rewards, else those of the episode; shared: those of the episode.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
};
