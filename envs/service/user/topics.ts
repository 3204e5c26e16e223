/** Topics of the agent's questions to the customer. */
export const topics = [
  "postcode",
  "name",
  "email",
  "record",
  "item",
  "target",
  "method",
  "seat",
  "reason",
  "want",
] as const;

export type Topic = (typeof topics)[number];
