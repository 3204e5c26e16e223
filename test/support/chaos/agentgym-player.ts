/** A client of AgentGym's protocol, whose requests go to random gyms of a fleet. */
import { AgentgymClient, AgentgymWire, NotOk, type Reply } from "../agentgym-client.js";
import { ConnectionLost } from "../gym-socket.js";
import type { Balancer } from "./balancer.js";
import { partAt, type Stage, type Window } from "./players.js";

/** TextCraft ends an episode of AgentGym after 50 steps. */
const steps = 30;

/** Gets 1, 2, 3, … dirt. At the end, the inventory shows whether an action was lost or taken twice. */
export async function playAgentgym(
  { ledger, pace }: Stage,
  balancer: Balancer,
  name: string,
  window: Window,
): Promise<void> {
  let [gym, sentAt] = ["", 0];
  const failed: string[] = [];
  const wire = new AgentgymWire(() => {
    [gym, sentAt] = [balancer.choose(), performance.now()];
    return `${gym}/agentgym/textcraft`;
  });
  const onFailure = (count: number) => (error: Error) => {
    const times = `${(sentAt / 1_000).toFixed(2)} to ${(performance.now() / 1_000).toFixed(2)} s`;
    failed.push(`${count} at ${gym}, ${times}: ${error.message}`);
  };
  const client = await untilReplied(() => AgentgymClient.create(wire), onFailure(0));
  for (let count = 1; count <= steps; count++) {
    await pace.until(partAt(window, count, steps), () => false);
    const observation = `Got ${count} dirt`;
    const reply = await untilReplied(async (isRepeated): Promise<Reply> => {
      // The protocol has no step numbers, but the client can read the last observation.
      if (isRepeated && (await client.observation()) === observation) return { observation, reward: 0, done: false };
      return client.step(`get ${count} dirt`);
    }, onFailure(count));
    ledger.acknowledged += 1;
    ledger.expectEqual(`${name}: ${count}`, JSON.stringify(reply), JSON.stringify(replyOf(observation)));
  }
  const inventory = await untilReplied(() => client.step("inventory"), onFailure(0));
  const expected = replyOf(`Inventory: [dirt] (${(steps * (steps + 1)) / 2}) `);
  const end = `${name}: in the end, after the failed attempts\n  ${failed.join("\n  ")}\n`;
  ledger.expectEqual(end, JSON.stringify(inventory), JSON.stringify(expected));
  await wire.close();
}

const replyOf = (observation: string): Reply => ({ observation, reward: 0, done: false });

/** Repeats a request until it has a reply. @param attempt sends the request; its argument is true for a repetition */
async function untilReplied<Result>(
  attempt: (isRepeated: boolean) => Promise<Result>,
  onFailure: (error: Error) => void,
): Promise<Result> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await attempt(isRepeated);
    } catch (error) {
      const isPassing = error instanceof ConnectionLost || (error instanceof NotOk && error.status === 503);
      if (!isPassing) throw error;
      onFailure(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
