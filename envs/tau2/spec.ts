/** The environments of the domains, which differ in their data, policy and tools. */
import type { AsyncEnvironmentSpec, EnvironmentOption } from "../env.js";
import type { DomainName } from "./domains/domain.js";
import { exported, Tau2 } from "./env.js";
import { messageValue } from "./episode/message.js";
import { nextAction } from "./expert.js";
import { dataFolder, missingFile, policyOf } from "./folder.js";
import { scoreRecorded } from "./recorded.js";
import { tau2Data } from "./requirement.js";
import { splitsOf } from "./tasks.js";
import { toolsOf } from "./tools.js";
import { scriptsVariable } from "./user/fixed.js";
import { hasModelUser } from "./user/model.js";
import { verdict } from "./verdict.js";
import { promptFor } from "./words.js";

/** Returns the ways in which the user can write on this machine. */
function users(): EnvironmentOption {
  return {
    summary: "How the user writes.",
    values: {
      letter: { summary: "Writes the whole scenario in the first message, and ends the conversation with the second." },
      ...(process.env[scriptsVariable] && {
        script: { summary: `Writes the task's messages in ${scriptsVariable}, and then ends the conversation.` },
      }),
      ...(hasModelUser() && { model: { summary: "A model at PALESTRA_USER_URL, with tau2-bench's guidelines." } }),
    },
  };
}

/** Returns the environment of a domain. */
export function specOf(domain: DomainName): AsyncEnvironmentSpec<Tau2> {
  const data = dataFolder();
  const policy = data !== undefined && missingFile(data, domain) === undefined ? policyOf(data, domain) : undefined;
  return {
    isAsync: true,
    id: `tau2-${domain}`,
    version: 1,
    summary: `tau2-bench's ${domain}: serve a user by a policy with tools, in your own copy of the benchmark's data.`,
    splits: splitsOf(domain),
    options: { user: users() },
    maxSteps: 100,
    rewardRange: [0, 1],
    prompt: promptFor(policy),
    tools: toolsOf(domain),
    requirements: [tau2Data(domain)],
    restore: "replay",
    deadlineMs: 600_000,
    create: (context) => new Tau2(context, domain),
    expert: async (environment) => nextAction(environment),
    verify: async (submission) => scoreRecorded(domain, submission),
    verdict: async (environment, end) => verdict(environment, end),
    queries: {
      messages: {
        summary: "The conversation with all calls, in the format of tau2-bench's results.",
        answer: async (environment) => exported(environment, messageValue),
      },
    },
  };
}
