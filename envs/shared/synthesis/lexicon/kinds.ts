import type { KindWords } from "./words.js";

export const kinds: Readonly<Record<string, KindWords>> = {
  country: { noun: "country", plural: "countries" },
  city: { noun: "city", plural: "cities" },
  region: { noun: "region", plural: "regions" },
  airport: { noun: "airport", plural: "airports" },
  currency: { noun: "currency", plural: "currencies" },
  language: { noun: "language", plural: "languages" },
  organisation: { noun: "international organisation", plural: "international organisations" },
  timezone: { noun: "time zone", plural: "time zones" },
  element: { noun: "chemical element", plural: "chemical elements" },
  elementclass: { noun: "class of elements", plural: "classes of elements" },
  star: { noun: "star", plural: "stars" },
  constellation: { noun: "constellation", plural: "constellations" },
  messier: { noun: "Messier object", plural: "Messier objects" },
  item: { noun: "Minecraft item", plural: "Minecraft items" },
  mob: { noun: "Minecraft creature", plural: "Minecraft creatures" },
  biome: { noun: "Minecraft biome", plural: "Minecraft biomes" },
  enchantment: { noun: "Minecraft enchantment", plural: "Minecraft enchantments" },
};

/** ISO codes of territories that are not sovereign states, which questions do not call countries. */
export const territories: ReadonlySet<string> = new Set(
  (
    "AS AI AW AX BM VG KY CX CC CK CW EH FK FO GF PF GI GL GP GU GG HK IM JE MO MQ YT MS NC NU NF MP PN PR BL SH " +
    "MF PM SX SJ TK TC VI WF RE"
  ).split(" "),
);
