/** Statements of the user about subjects that the question does not ask for. */
import { attributes } from "../tables/attributes.js";
import { choices } from "../tables/choices.js";
import { eventKinds } from "../tables/events.js";
import { facts } from "../tables/facts.js";
import { occasions } from "../tables/occasions.js";
import type { Draw } from "./draw.js";
import type { Beat, Person } from "./history.js";
import type { Scale } from "./lengths.js";
import { eventThread, factBeat, limitThread, otherBeat, proposalThread, valueThread } from "./threads.js";

/** @param topics topics of the question, which the background statements avoid */
export function background(draw: Draw, scale: Scale, people: readonly Person[], topics: readonly string[]): Beat[] {
  const { sessions, threads, events } = scale;
  const { counted, paid } = eventKinds();
  const free = <T extends { topic: string }>(items: readonly T[], count: number) =>
    draw.some(
      items.filter((item) => !topics.includes(item.topic)),
      count,
    );
  const values = free(attributes(), threads).flatMap((attribute) => {
    const holds = draw.number(1, 3);
    return valueThread(draw, sessions, attribute, {
      holds,
      gap: 2,
      isCorrected: draw.chance(4),
      ideas: draw.number(0, 1),
    }).beats;
  });
  const shared = attributes().filter(({ other }) => other);
  const others = free(shared, Math.ceil(threads / 2)).map((attribute) =>
    otherBeat(draw, sessions, attribute, draw.one(people), draw.one(attribute.values)),
  );
  const told = free(facts(), Math.ceil(threads / 4)).map((fact) =>
    factBeat(draw, sessions, fact, draw.one(fact.values)),
  );
  const kinds = free([...counted, ...paid], Math.ceil(threads / 4)).flatMap((kind) => {
    const isPaid = paid.includes(kind);
    return eventThread(draw, sessions, kind, { count: draw.number(2, events), isPaid, recalls: 1, misses: 1 }).beats;
  });
  const proposals = free(occasions(), Math.ceil(threads / 5)).flatMap(
    (occasion) => proposalThread(draw, sessions, occasion, draw.one(people)).beats,
  );
  const limits = free(choices(), Math.ceil(threads / 8)).flatMap(
    (choice) => limitThread(draw, sessions, choice, people, { active: 2, lifted: 1, others: 1 }).beats,
  );
  return [...values, ...others, ...told, ...kinds, ...proposals, ...limits];
}
