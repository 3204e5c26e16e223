/** Settings of the gym, its tasks and the order in which they are played. */
import { z } from "zod";
import { actionFormatNames } from "../../../server/formats/actions/action-formats.js";
import { parseTaskSet } from "../../gym/task-set.js";
import { setting } from "../setting.js";
import { checkedBy, whole } from "../types.js";

export const taskSets = z.array(z.string().superRefine(checkedBy(parseTaskSet)));

export const gymSettings = {
  gym: setting(
    z.string().optional(),
    "URL of a gym, or spawn to start one. Default: the local gym if one is running, else spawn.",
    { mode: "gym", change: "free", startingModel: "no" },
  ),
  agentgym: setting(z.string().optional(), "URL of an AgentGym server to use instead of a gym. Default: none.", {
    mode: "gym",
    change: "free",
    startingModel: "no",
  }),
  train_tasks: setting(
    taskSets.default([]),
    "Tasks to train on, as environment:split[:first-last][*weight], separated by commas.",
    { mode: "gym", change: "never", startingModel: "yes" },
  ),
  eval_tasks: setting(
    taskSets.default([]),
    "Held-out tasks in the same format, without use of weights. The policy is evaluated on them and never trained on them.",
    { mode: "gym", change: "free", startingModel: "no" },
  ),
  max_rounds: setting(
    whole(1).default(10),
    "Maximum number of replies in an episode, of each player if there are several.",
    {
      mode: "gym",
      change: "asked",
      startingModel: "yes",
    },
  ),
  rounds_ctrl: setting(
    z.array(whole(1)).min(1).optional(),
    "ScalingInter: maximum number of replies in an episode, for each stage, such as 10,20,30. Default: max_rounds in every stage.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  steps_scaling_inter: setting(whole(1).default(100), "Train steps of each stage of rounds_ctrl.", {
    mode: "gym",
    change: "asked",
    startingModel: "no",
  }),
  task_mixing: setting(
    z.enum(["fixed", "learnability"]).default("fixed"),
    "learnability: multiply each weight by p (1 - p), where p is the success rate of the task set.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  difficulty_filter: setting(
    z.boolean().default(false),
    "Leave out tasks that the policy solves almost always or almost never.",
    { mode: "gym", change: "never", startingModel: "no" },
  ),
  prompt_examples: setting(
    whole(0).max(100).default(0),
    "Number of worked examples in the instructions of each environment: experts' shortest episodes of training tasks.",
    { mode: "gym", change: "asked", startingModel: "yes" },
  ),
  action_format: setting(z.enum(actionFormatNames).default("plain"), "Format of the action in a reply.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
};
