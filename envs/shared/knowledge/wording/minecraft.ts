import type { PageWording } from "./wording.js";

const item: PageWording = {
  kind: "item",
  pronouns: ["The item", "It"],
  paragraphs: [
    [
      {
        property: "stack",
        says: [
          "{s} is an item of Minecraft 1.20, of which {v} fit into one stack.",
          "In Minecraft 1.20, {s} is an item with a stack size of {v}.",
        ],
      },
      {
        property: "ingredient",
        says: ["It is crafted from {v} alone.", "The only ingredient of its recipe is {v}."],
        many: ["Its recipe needs {v}.", "It is crafted from {v}."],
        amount: " (#)",
      },
      { property: "yield", says: ["One crafting gives {v} pieces."] },
      {
        property: "usedFor",
        says: ["{s} is needed for one recipe, that of {v}."],
        many: ["{s} is needed to craft {n} items: {v}."],
        amount: "",
        atMost: 60,
      },
      {
        property: "droppedBy",
        says: ["One creature drops it: the {v}."],
        many: ["It is dropped by {n} creatures: {v}."],
      },
    ],
    [
      { property: "food", says: ["Eating {s} restores {v} food points.", "As a meal it gives {v} food points."] },
      { property: "saturation", says: ["Its saturation value is {v}."] },
      {
        property: "durability",
        says: ["Its durability is {v} uses.", "It lasts for {v} uses, which is its durability."],
      },
      { property: "hardness", says: ["As a block it has a hardness of {v}.", "The hardness of the block is {v}."] },
      {
        property: "resistance",
        says: ["Its blast resistance is {v}.", "Against explosions the block has a blast resistance of {v}."],
      },
      { property: "light", says: ["The block gives off light of level {v}."] },
      {
        property: "tool",
        says: ["The fastest tool to break it is this: {v}.", "Players break it best with this tool: {v}."],
      },
    ],
  ],
};

const mob: PageWording = {
  kind: "mob",
  pronouns: ["The creature", "It"],
  paragraphs: [
    [
      {
        property: "temper",
        says: ["The {s} is a {v} creature of Minecraft 1.20.", "In Minecraft 1.20, the {s} is a {v} creature."],
      },
      { property: "height", says: ["It is {v} blocks tall.", "Its height is {v} blocks."] },
      { property: "width", says: ["It is {v} blocks wide.", "Its width is {v} blocks."] },
      {
        property: "drops",
        says: ["When it dies it may drop {v}."],
        many: ["When it dies it may drop these items: {v}."],
      },
    ],
  ],
};

const biome: PageWording = {
  kind: "biome",
  pronouns: ["The biome", "It"],
  paragraphs: [
    [
      { property: "dimension", says: ["{s} is a biome of {v} in Minecraft 1.20."] },
      { property: "category", says: ["It belongs to this category: {v}.", "Its category is {v}."] },
      {
        property: "temperature",
        says: ["Its temperature value is {v}.", "The game gives it a temperature value of {v}."],
      },
    ],
  ],
};

const enchantment: PageWording = {
  kind: "enchantment",
  pronouns: ["The enchantment", "It"],
  paragraphs: [
    [
      { property: "levels", says: ["{s} is an enchantment of Minecraft 1.20 whose highest level is {v}."] },
      { property: "category", says: ["The category of items that take it is {v}."] },
      { property: "weight", says: ["Its weight at the enchanting table is {v}.", "It has a weight of {v}."] },
      {
        property: "excludes",
        says: ["It cannot be combined with {v}."],
        many: ["It cannot be combined with any of these: {v}."],
      },
    ],
  ],
};

export const minecraftPages: readonly PageWording[] = [item, mob, biome, enchantment];
