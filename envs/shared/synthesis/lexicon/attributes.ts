import type { AttributeWords } from "./words.js";

/** Wordings for attributes, by "kind.attribute". Questions do not use attributes without wordings. */
export const attributes: Readonly<Record<string, AttributeWords>> = {
  "country.population": {
    ask: [
      "According to the estimate of 2015, what was the population of {}?",
      "According to the estimate of 2015, how many people lived in {}?",
    ],
    most: "with the largest population in 2015",
    least: "with the smallest population in 2015",
    more: "had more inhabitants in 2015",
    fewer: "had fewer inhabitants in 2015",
    query: "population estimate 2015 inhabitants",
  },
  "country.area": {
    ask: [
      "In square kilometres, what is the total area of {}?",
      "What is the total area, in square kilometres, of {}?",
    ],
    most: "with the largest total area",
    least: "with the smallest total area",
    more: "has the larger total area",
    fewer: "has the smaller total area",
    query: "total area square kilometres",
  },
  "country.coastline": {
    ask: ["How many kilometres long is the coastline of {}?"],
    more: "has the longer coastline",
    fewer: "has the shorter coastline",
    query: "coastline km",
  },
  "country.highestPoint": {
    ask: ["What is the highest point of {}?", "Which place is the highest point of {}?"],
    test: ["whose highest point is {}"],
    query: "highest point",
  },
  "country.highestElevation": {
    ask: [
      "How many metres high is the highest point of {}?",
      "What is the elevation, in metres, of the highest point of {}?",
    ],
    most: "with the highest summit",
    more: "has the highest point of greater elevation",
    fewer: "has the highest point of lower elevation",
    query: "highest point elevation metres",
  },
  "country.lifeExpectancy": {
    ask: ["In 2015, what was the life expectancy at birth, in years, in {}?"],
    most: "with the highest life expectancy in 2015",
    more: "had the higher life expectancy in 2015",
    query: "life expectancy birth 2015",
  },
  "country.medianAge": { ask: ["What was the median age, in years, of the people of {}?"], query: "median age" },
  "country.railways": {
    ask: ["How many kilometres long is the railway network of {}?"],
    more: "has the longer railway network",
    query: "railway km",
  },
  "country.roads": { ask: ["How many kilometres long is the road network of {}?"], query: "roads km" },
  "country.independence": {
    ask: ["What is the date of independence of {}?"],
    query: "independence date",
    write: "date",
  },
  "country.anthem": {
    ask: ["In 2015, what was the title of the national anthem of {}?"],
    test: ['whose national anthem in 2015 was titled "{}"'],
    query: "national anthem title",
  },
  "country.symbol": { ask: [], test: ['whose national symbols are given as "{}"'], query: "national symbols" },
  "country.callingCode": {
    ask: ["What is the international calling code of {}?"],
    test: ["with the international calling code {}"],
    query: "international calling code",
  },
  "country.domain": {
    ask: ["What is the top-level internet domain of {}?"],
    test: ["with the top-level internet domain {}"],
    query: "internet domain",
  },
  "country.officialName": { ask: ["What is the full name of {}?"], query: "full name known" },
  "country.code": { ask: ["What is the two-letter ISO code of {}?"], query: "two-letter ISO code" },
  "city.population": {
    ask: ["What is the population of {}?", "How many people live in {}?"],
    most: "with the largest population",
    least: "with the smallest population",
    more: "has more inhabitants",
    fewer: "has fewer inhabitants",
    query: "population city",
  },
  "airport.iata": {
    ask: ["What is the IATA code of {}?", "Which IATA code stands for {}?"],
    test: ["with the IATA code {}"],
    query: "IATA code airport",
  },
  "airport.icao": {
    ask: ["What is the ICAO code of {}?", "Under which ICAO code do pilots know {}?"],
    test: ["with the ICAO code {}"],
    query: "ICAO code airport",
  },
  "airport.elevation": {
    ask: ["What is the elevation, in feet, of {}?", "How many feet above sea level is {}?"],
    more: "lies higher above sea level",
    fewer: "lies lower above sea level",
    query: "airport elevation feet",
  },
  "currency.code": {
    ask: ["What is the ISO 4217 code of {}?", "Which ISO 4217 code stands for {}?"],
    test: ["with the ISO 4217 code {}"],
    query: "ISO 4217 code",
  },
  "currency.number": { ask: ["What is the numeric ISO code of {}?"], query: "numeric ISO code", write: "plain" },
  "language.nativeName": {
    ask: ["What is the native name of {}?", "What do the speakers of {} call their language?"],
    test: ["whose native name is {}"],
    query: "native name language",
  },
  "language.longCode": { ask: ["What is the ISO 639-3 code of {}?"], query: "ISO 639-3 code" },
  "element.number": {
    ask: ["What is the atomic number of {}?"],
    test: ["with the atomic number {}"],
    query: "atomic number",
  },
  "element.symbol": {
    ask: ["What is the chemical symbol of {}?", "With which symbol do chemists write {}?"],
    test: ["with the symbol {}"],
    query: "chemical symbol",
  },
  "element.mass": {
    ask: ["What is the atomic mass, in u, of {}?"],
    most: "with the largest atomic mass",
    query: "atomic mass",
  },
  "element.melting": {
    ask: ["What is the melting point, in kelvins, of {}?"],
    most: "with the highest melting point",
    least: "with the lowest melting point",
    more: "has the higher melting point",
    fewer: "has the lower melting point",
    query: "melting point",
  },
  "element.boiling": {
    ask: ["What is the boiling point, in kelvins, of {}?"],
    more: "has the higher boiling point",
    fewer: "has the lower boiling point",
    query: "boiling point",
  },
  "element.density": {
    ask: ["What is the density, in grams per cubic centimetre, of {}?"],
    most: "with the highest density",
    more: "is denser",
    query: "density",
  },
  "element.electronegativity": {
    ask: ["On the Pauling scale, what is the electronegativity of {}?"],
    most: "with the highest electronegativity",
    more: "is more electronegative",
    query: "electronegativity Pauling scale",
  },
  "element.discovered": { ask: ["What is the year of the discovery of {}?"], query: "discovered year", write: "plain" },
  "star.designation": {
    ask: ["What is the Bayer designation of {}?"],
    test: ["whose Bayer designation is {}"],
    query: "Bayer designation star",
  },
  "star.hipparcos": {
    ask: ["In the Hipparcos catalogue, what is the number of {}?"],
    test: ["listed as {} in the Hipparcos catalogue"],
    query: "Hipparcos catalogue star",
  },
  "star.draper": {
    ask: ["In the Henry Draper catalogue, what is the designation of {}?"],
    test: ["listed as {} in the Henry Draper catalogue"],
    query: "Henry Draper catalogue star",
  },
  "star.magnitude": {
    ask: ["What is the apparent magnitude of {}?"],
    least: "that appears brightest from Earth",
    fewer: "is brighter as seen from Earth",
    query: "apparent magnitude star",
  },
  "constellation.meaning": {
    ask: ["What is the English name of {}?"],
    test: ["whose English name is {}"],
    query: "constellation English name",
  },
  "constellation.abbreviation": { ask: ["What is the abbreviation of {}?"], query: "constellation abbreviation" },
  "constellation.genitive": {
    ask: ["What is the Latin genitive, as used in the names of stars, of {}?"],
    query: "constellation Latin genitive",
  },
  "messier.catalogue": {
    ask: ["What is the NGC or IC number of {}?"],
    test: ["that is also catalogued as {}"],
    query: "catalogued",
  },
  "messier.magnitude": { ask: ["What is the apparent magnitude of {}?"], query: "apparent magnitude" },
  "messier.common": { ask: ["What is the popular name of {}?"], test: ["popularly called {}"], query: "popular name" },
  "item.durability": {
    ask: ["In Minecraft, what is the durability, in uses, of {}?"],
    query: "Minecraft durability uses",
  },
  "item.food": {
    ask: ["In Minecraft, how many food points are restored by eating {}?"],
    query: "Minecraft food points",
  },
  "item.hardness": { ask: ["In Minecraft, what is the hardness of {}?"], query: "Minecraft block hardness" },
  "item.resistance": {
    ask: ["In Minecraft, what is the blast resistance of {}?"],
    query: "Minecraft blast resistance",
  },
  "item.stack": { ask: ["In Minecraft, what is the stack size of {}?"], query: "Minecraft stack" },
  "mob.height": {
    ask: ["In Minecraft, how many blocks tall is the {}?"],
    more: "is taller",
    fewer: "is shorter",
    query: "Minecraft creature tall height",
  },
  "mob.width": { ask: ["In Minecraft, how many blocks wide is the {}?"], query: "Minecraft creature wide width" },
  "biome.temperature": {
    ask: ["In Minecraft, what is the temperature value of the biome {}?"],
    more: "has the higher temperature value",
    query: "Minecraft biome temperature",
  },
  "enchantment.levels": {
    ask: ["In Minecraft, what is the highest level of the enchantment {}?"],
    query: "Minecraft enchantment highest level",
  },
  "enchantment.weight": {
    ask: ["In Minecraft, what is the weight of the enchantment {} at the enchanting table?"],
    query: "Minecraft enchantment weight",
  },
};
