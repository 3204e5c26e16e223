/** Operations for the player of one seat, in episodes with several players. */
import { knownOptions, toolsOf } from "../../envs/registry.js";
import { instructionsOf, settingsOf } from "../episodes/episode/settings.js";
import type { SeatView as View } from "../episodes/seat-table.js";
import type { ErrorCode } from "../errors.js";
import { type Call, operation } from "./operation.js";
import { SeatQuery, SeatStepBody, SeatView, seatPath } from "./schemas/seat.js";

/** @param errors errors of a step of any episode, and of a step in the wrong order */
export function seatOperations(errors: { ofStep: readonly ErrorCode[]; ofOrder: readonly ErrorCode[] }) {
  return {
    seat: operation({
      method: "GET",
      url: "/v1/episodes/:episodeId/seats/:seat",
      summary: "Returns an episode as the player of one seat sees it, and can wait for the seat's turn.",
      path: seatPath,
      query: SeatQuery,
      reply: SeatView,
      errors: [...errors.ofStep, "SEAT_UNKNOWN", "LIMIT_TOKEN_WAITS"],
      async run(call, { episodeId, seat, waitMs }) {
        const { gym, caller, client } = call;
        return viewText(call, episodeId, await gym.seats.view(caller.owner, episodeId, seat, waitMs, client));
      },
    }),

    seatStep: operation({
      method: "POST",
      url: "/v1/episodes/:episodeId/seats/:seat/step",
      summary:
        "Takes one step as the player of a seat. The reply does not have what other seats observe. A retry is safe, as for `step`.",
      path: seatPath,
      body: SeatStepBody,
      reply: SeatView,
      errors: [...errors.ofStep, ...errors.ofOrder, "SEAT_UNKNOWN", "SEAT_TURN", "LIMIT_TOKEN_WAITS"],
      async run(call, { seat, waitMs, ...request }) {
        const { gym, caller, client } = call;
        const view = await gym.seats.step(caller.owner, seat, request, waitMs, client);
        client.plays?.(request.episodeId);
        return viewText(call, request.episodeId, view);
      },
    }),
  };
}

async function viewText({ gym, caller }: Call, id: string, view: View): Promise<string> {
  const { spec, row } = await gym.find(caller.owner, id);
  const settings = settingsOf(row);
  const prompt = instructionsOf(spec, settings, view.seat);
  const tools = toolsOf(spec, knownOptions(spec, settings.options), view.seat);
  return JSON.stringify({ ...view, prompt, tools });
}
