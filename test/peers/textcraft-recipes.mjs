/**
 * Writes TextCraft's recipe table from a recording of the reference engine, and holds the table against a second,
 * independent source: the recipes of Minecraft 1.16.5 in the npm package minecraft-data (MIT).
 *
 *   npm install --prefix DIR minecraft-data@3.117.0          (433 MB, so outside the repository)
 *   node test/peers/textcraft-recipes.mjs --minecraft-data DIR [--write TEXTCRAFT_DATA.json.gz]
 *
 * minecraft-data has every tag already expanded into its members and knows neither groups nor the order of the recipe
 * files, which decide tags, goals and skipped cycles in TextCraft. So it can check the table but not be its source.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

const tablePath = new URL("../../envs/textcraft/data/recipes.json", import.meta.url);
const { values: options } = parseArgs({
  options: { "minecraft-data": { type: "string" }, write: { type: "string" } },
});
if (options.write) writeTable(options.write);
if (options["minecraft-data"]) checkTable(options["minecraft-data"]);

function writeTable(recordingPath) {
  const recording = JSON.parse(gunzipSync(readFileSync(recordingPath)).toString());
  const bare = (id) => id.replace("minecraft:", "");
  const recipes = recording.recipes.map(({ output, count, group, ingredients }) => ({
    output: bare(output),
    count,
    ...(group && { group: bare(group) }),
    ingredients: Object.fromEntries(ingredients.map((i) => [(i.isTag ? "#" : "") + bare(i.name), i.count])),
  }));
  const named = new Set(recipes.flatMap(({ output, ingredients }) => [output, ...Object.keys(ingredients)]));
  const otherItems = recording.itemIds.map(bare).filter((item) => !named.has(item));
  const lines = recipes.map((recipe) => `    ${JSON.stringify(recipe, null, 1).replace(/\n */g, " ")}`);
  writeFileSync(
    tablePath,
    `{\n  "recipes": [\n${lines.join(",\n")}\n  ],\n  "otherItems": ${JSON.stringify(otherItems).replaceAll(",", ", ")}\n}\n`,
  );
  console.log(`wrote ${recipes.length} recipes`);
}

function checkTable(directory) {
  const minecraftData = createRequire(resolve(directory, "package.json"))("minecraft-data")("1.16.5");
  const table = JSON.parse(readFileSync(tablePath, "utf8"));
  const items = new Set(Object.keys(minecraftData.itemsByName));
  const expansions = expandedRecipes(minecraftData);
  const used = new Set();
  let exact = 0;
  for (const recipe of table.recipes) {
    const matches = expansions.filter((expansion) => agrees(recipe, expansion, items));
    if (matches.length === 0) throw new Error(`expected a recipe of Minecraft, but received ${JSON.stringify(recipe)}`);
    if (Object.keys(recipe.ingredients).every((name) => items.has(name))) exact += 1;
    for (const match of matches) used.add(match);
  }
  console.log(
    `${table.recipes.length} of ${table.recipes.length} recipes agree: ${exact} exactly, the rest by a member of each tag`,
  );
  explainUnused(
    expansions.filter((expansion) => !used.has(expansion)),
    table,
  );
}

/** Every recipe as output, count and ingredient counts by item name; two layouts of the same ingredients count once. */
function expandedRecipes({ recipes, items }) {
  const unique = new Map();
  for (const { result, ingredients, inShape } of Object.values(recipes).flat()) {
    const ids = (ingredients ?? inShape.flat()).filter((id) => id !== null);
    const counts = {};
    for (const id of ids) counts[items[id].name] = (counts[items[id].name] ?? 0) + 1;
    const recipe = { output: items[result.id].name, count: result.count, ingredients: counts };
    const ordered = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
    unique.set(JSON.stringify([recipe.output, recipe.count, ordered]), recipe);
  }
  return [...unique.values()];
}

/** Items must match by name and count. A tag, or a tag that became an item, matches any item of the same count. */
function agrees(recipe, expansion, items) {
  if (recipe.output !== expansion.output || recipe.count !== expansion.count) return false;
  const rest = { ...expansion.ingredients };
  const generic = [];
  for (const [name, count] of Object.entries(recipe.ingredients)) {
    if (!items.has(name)) generic.push(count);
    else if (rest[name] === count) delete rest[name];
    else return false;
  }
  const left = Object.values(rest);
  return left.length === generic.length && left.sort().join() === generic.sort().join();
}

/** The table leaves out only the recipes that TextCraft's loading rules drop. */
function explainUnused(expansions, table) {
  const isBlock = (names) => names.length === 1 && names[0].endsWith("_block");
  const blockOutputs = new Set(expansions.filter((e) => isBlock(Object.keys(e.ingredients))).map((e) => e.output));
  const reasonOf = ({ output, ingredients }) => {
    const names = Object.keys(ingredients);
    if (isBlock(names)) return "the only input is a block";
    if (blockOutputs.has(output)) return "an alternative to a block as the only input";
    if (table.recipes.some((r) => names.includes(r.output) && r.ingredients[output])) return "closes a cycle";
    if (table.recipes.some((r) => r.output === output)) return "an alternative to the first choice of an ingredient";
    throw new Error(`expected a rule that drops ${output} from ${names.join(", ")}, but received none`);
  };
  const counts = {};
  for (const reason of expansions.map(reasonOf)) counts[reason] = (counts[reason] ?? 0) + 1;
  for (const [reason, count] of Object.entries(counts)) console.log(`left out ${count}: ${reason}`);
}
