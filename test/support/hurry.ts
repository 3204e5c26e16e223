/** Shorter times for tests that wait until a gym counts as dead. */
import { timesScaledBy } from "#palestra/server/config/times.js";

/**
 * Factor of the times. A gym renews its membership every 250 ms, is fenced after a silence of 2.5 seconds, and survives
 * that a busy machine stalls it for half a second.
 */
export const pace = 1 / 4;

export const hurriedTimes = timesScaledBy(pace);
