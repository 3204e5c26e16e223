/** The operations of `/v1/judgments`: people judge pairs of a caller's episodes. */
import { agreementOf } from "../judging/agreement.js";
import { judgmentPage } from "../judging/judgment.js";
import { judge, nextPair } from "../judging/pairs.js";
import { findErrors, operation } from "./operation.js";
import { PlayedEpisodes, type ReadingOperations } from "./played-episodes.js";
import {
  Agreement,
  Judgment,
  JudgmentBody,
  JudgmentPage,
  JudgmentQuery,
  NextPair,
  NextPairQuery,
} from "./schemas/judgment.js";

/** @param reading operations that read the episodes of other gyms */
export const judgmentOperations = (reading: ReadingOperations) => ({
  judge: operation({
    method: "POST",
    url: "/v1/judgments",
    summary: "Stores which of two episodes of one task a person finds better.",
    body: JudgmentBody,
    reply: Judgment,
    errors: [...findErrors, "PAIR_INVALID", "LIMIT_TOKEN_JUDGMENTS", "JUDGMENTS_FAILED"],
    async run(call, request) {
      const { judgments, caller } = call;
      return JSON.stringify(await judge(judgments, caller.owner, new PlayedEpisodes(call, reading), request));
    },
  }),

  listJudgments: operation({
    method: "GET",
    url: "/v1/judgments",
    summary: "Lists the caller's judgments, newest first, a page at a time.",
    query: JudgmentQuery,
    reply: JudgmentPage,
    errors: ["JUDGMENTS_FAILED"],
    async run({ judgments, caller }, { before, limit }) {
      return JSON.stringify(judgmentPage(await judgments.of(caller.owner), before, limit));
    },
  }),

  nextPair: operation({
    method: "GET",
    url: "/v1/judgments/next",
    summary: "Returns a pair of the caller's episodes that a rater has not judged.",
    query: NextPairQuery,
    reply: NextPair,
    errors: [...findErrors, "JUDGMENTS_FAILED"],
    async run(call, request) {
      const { judgments, caller } = call;
      return JSON.stringify(await nextPair(judgments, caller.owner, new PlayedEpisodes(call, reading), request));
    },
  }),

  agreement: operation({
    method: "GET",
    url: "/v1/judgments/agreement",
    summary: "Returns how far the raters of the caller's judgments agree.",
    reply: Agreement,
    errors: ["JUDGMENTS_FAILED"],
    async run({ judgments, caller }) {
      return JSON.stringify(agreementOf(await judgments.of(caller.owner)));
    },
  }),
});
