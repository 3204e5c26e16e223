import { jsonFile } from "../shared/kept/data-file.js";
import type { Case, Domain } from "./cases/case.js";
import type { Customer, Database } from "./world/database.js";
import { dateOf } from "./world/days.js";
import { customerText, recordText } from "./world/records.js";

export interface DomainWords {
  /** Rules of the policy. */
  policy: readonly string[];
  /** Commands of the domain, apart from plain text. */
  commands: readonly string[];
}

export const domainWords = jsonFile<Readonly<Record<Domain, DomainWords>>>(
  new URL("./data/domains.json", import.meta.url),
);

export const prompt = `You are an agent of a company's customer service, and write with one customer. Each reply is one command in a line of its own, or plain text, which the customer reads. Keep the policy. Answer the customer's questions. Ask the customer only for what the records do not tell: needless questions cost reward. When the customer has what the policy allows, end the conversation.`;

export const ended = "The conversation has ended.";
export const handedOver = "A colleague takes over. The conversation has ended.";

export function opening({ domain, database, introduction, customer, opening: message }: Case): string {
  const { policy, commands } = domainWords()[domain];
  const signed = introduction === "signed in" ? `signed in as ${customer}` : "not signed in";
  return [
    `Today is ${dateOf(database.today)}. Policy:`,
    ...policy.map((rule, at) => `${at + 1}. ${rule}`),
    "Commands:",
    ...commands,
    `The customer is ${signed}.`,
    customerSays(message),
  ].join("\n");
}

export function customerSays(message: string): string {
  return `Customer: ${message}`;
}

export function invalid(domain: Domain, received: string): string {
  const names = domainWords()[domain].commands.map((command) => command.split(" ")[0]);
  return `Error: expected a message or one of the commands ${names.join(", ")}, but received ${received}.`;
}

export function wrong(reason: string): string {
  return `Error: ${reason}.`;
}

export function found(database: Database, text: string, customers: readonly Customer[]): string {
  const [only, ...others] = customers;
  if (!only) return `No customer has the name or e-mail ${quoted(text)}. Use the full name or the e-mail.`;
  if (others.length === 0) return customerText(database, only);
  return `${customers.length} customers: ${customers.map(({ id, name, email }) => `${id} ${name}, ${email}`).join("; ")}`;
}

export function record(database: Database, id: string): string {
  return recordText(database, id) ?? `Error: expected the id of a record, such as A310, but received ${quoted(id)}.`;
}

export function verified(id: string): string {
  return `The postcode matches. ${id} is checked.`;
}

export function mismatch(id: string): string {
  return `The postcode does not match that of ${id}.`;
}

/** Quotes a text of the model in an observation, shortened if it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text);
}
