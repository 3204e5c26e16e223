import type { PageWording } from "./wording.js";

const element: PageWording = {
  kind: "element",
  pronouns: ["The element", "It"],
  paragraphs: [
    [
      { property: "number", says: ["{s} is the chemical element with the atomic number {v}."] },
      { property: "symbol", says: ["Its symbol is {v}.", "Chemists write it with the symbol {v}."] },
      { property: "class", says: ["It belongs to this class of elements: {v}.", "It is classed as this: {v}."] },
      { property: "group", says: ["In the periodic table it stands in {v}."] },
      {
        property: "period",
        says: ["It is part of {v} of the periodic table.", "Its row of the periodic table is {v}."],
      },
      { property: "next", says: ["The element that follows it in the table is {v}.", "It is followed by {v}."] },
      { property: "previous", says: ["The element before it is {v}.", "It comes directly after {v}."] },
    ],
    [
      { property: "mass", says: ["The atomic mass is {v} u.", "One atom has a mass of {v} u on average."] },
      { property: "configuration", says: ["The electron configuration is {v}."] },
      { property: "state", says: ["At room temperature it is a {v}."] },
      { property: "melting", says: ["{s} melts at {v} K.", "Its melting point is {v} K."] },
      { property: "boiling", says: ["{s} boils at {v} K.", "Its boiling point is {v} K."] },
      { property: "density", says: ["The density is {v} g/cm³.", "Its density is given as {v} g/cm³."] },
      { property: "electronegativity", says: ["On the Pauling scale its electronegativity is {v}."] },
      {
        property: "discovered",
        says: ["It was discovered in {v}.", "The year of its discovery is {v}."],
        write: "plain",
      },
    ],
  ],
};

const elements = (kind: string, pronoun: string, says: string): PageWording => ({
  kind,
  pronouns: [pronoun],
  paragraphs: [[{ property: "elements", says: [says], many: [says] }]],
});

const star: PageWording = {
  kind: "star",
  pronouns: ["The star", "It"],
  paragraphs: [
    [
      {
        property: "constellation",
        says: ["{s} is a star in the constellation {v}.", "{s} is one of the named stars of the constellation {v}."],
      },
      {
        property: "designation",
        says: ["Its Bayer designation is {v}.", "Astronomers also call it {v}, its Bayer designation."],
      },
      { property: "flamsteed", says: ["In Flamsteed's catalogue it is {v}."] },
      {
        property: "hipparcos",
        says: ["Its number in the Hipparcos catalogue is {v}.", "The Hipparcos catalogue lists it as {v}."],
      },
      { property: "draper", says: ["In the Henry Draper catalogue it is {v}."] },
      { property: "magnitude", says: ["Its apparent magnitude is {v}.", "Seen from Earth it has a magnitude of {v}."] },
      { property: "colour", says: ["The B-V colour index is {v}."] },
    ],
  ],
};

const constellation: PageWording = {
  kind: "constellation",
  pronouns: ["The constellation", "It"],
  paragraphs: [
    [
      {
        property: "meaning",
        says: ["{s} is a constellation whose English name is {v}.", "{s} is a constellation, in English {v}."],
      },
      { property: "genitive", says: ["The Latin genitive, as used in the names of its stars, is {v}."] },
      { property: "abbreviation", says: ["Its abbreviation is {v}.", "It is abbreviated to {v}."] },
      {
        property: "stars",
        says: ["One of its stars has a page here: {v}."],
        many: ["{n} of its stars have a page here: {v}."],
      },
    ],
  ],
};

const messier: PageWording = {
  kind: "messier",
  pronouns: ["The object", "It"],
  paragraphs: [
    [
      { property: "type", says: ["{s} is a {v} in Messier's catalogue.", "{s} is an object of this type: {v}."] },
      { property: "common", says: ["It is popularly called {v}.", "Its popular name is {v}."] },
      { property: "catalogue", says: ["It is also catalogued as {v}.", "Another catalogue lists it as {v}."] },
      {
        property: "magnitude",
        says: ["Its apparent magnitude is {v}.", "It shines with an apparent magnitude of {v}."],
      },
      { property: "size", says: ["In the sky it measures {v} arc minutes across."] },
    ],
  ],
};

const skytype: PageWording = {
  kind: "skytype",
  pronouns: ["The type"],
  paragraphs: [
    [
      {
        property: "objects",
        says: ["{s}: one Messier object is of this type, {v}."],
        many: ["{s}: {n} Messier objects are of this type, namely {v}."],
      },
    ],
  ],
};

export const sciencePages: readonly PageWording[] = [
  element,
  elements("elementclass", "The class", "{s} is a class of {n} chemical elements: {v}."),
  elements("group", "The group", "{s} of the periodic table has {n} elements: {v}."),
  elements("period", "The period", "{s} of the periodic table has {n} elements: {v}."),
  star,
  constellation,
  messier,
  skytype,
];
