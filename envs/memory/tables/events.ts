/**
 * Kinds of events that the user takes part in several times. Questions ask for their number, their order, or the sum of
 * their costs.
 */
import { jsonFile } from "../../shared/kept/data-file.js";

/** Placeholders in sentences: `{x}` is the item, such as the title of a book, and `{amount}` its cost. */
export interface EventKind {
  topic: string;
  /** Noun phrase for the events in the titles of tasks. */
  title: string;
  items: readonly string[];
  did: readonly string[];
  /** Sentences that mention an earlier event again. */
  again: readonly string[];
  /** Sentences about an event that did not take place. */
  miss: readonly string[];
  /** Questions for the number of events, or for the sum of their costs. */
  ask: readonly string[];
  /** Beginnings of questions for the order of several events; the list of the events follows. */
  askOrder?: readonly string[];
  /** Questions for the event at the position `{place}`: second, third or fourth. */
  askPlace?: readonly string[];
  replies: readonly string[];
}

export interface EventKinds {
  /** Events of which questions ask for the number and the order. */
  counted: readonly EventKind[];
  /** Events that cost money, of which questions ask for the sum. */
  paid: readonly EventKind[];
}

export const eventKinds = jsonFile<EventKinds>(new URL("../data/events.json", import.meta.url));
