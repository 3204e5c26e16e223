/** Patterns of the formats of JSON Schema whose values can be held to them. Other formats are annotations. */
const time = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)";
const leapYear = "(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
const dayOfYear = "((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))";
const date = `(\\d{4}-${dayOfYear}|${leapYear}-02-29)`;
const octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const label = "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?";

export const formatPatterns: ReadonlyMap<string, string> = new Map([
  ["date", `^${date}$`],
  ["time", `^${time}$`],
  ["date-time", `^${date}T${time}$`],
  ["uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"],
  ["ipv4", `^${octet}(\\.${octet}){3}$`],
  ["hostname", `^${label}(\\.${label}){0,4}$`],
  ["email", `^[A-Za-z0-9]+([._+-][A-Za-z0-9]+){0,3}@${label}(\\.${label}){1,3}$`],
]);
