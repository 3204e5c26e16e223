import type { PageWording } from "./wording.js";

const city: PageWording = {
  kind: "city",
  pronouns: ["The city", "It"],
  paragraphs: [
    [
      { property: "country", says: ["{s} is a city in {v}.", "{s} is one of the cities of {v}."] },
      { property: "region", says: ["It belongs to the region {v}.", "The city lies in the region {v}."] },
      {
        property: "capitalOf",
        says: ["{s} is the capital of {v}.", "It is the seat of the capital of {v}."].slice(0, 1),
      },
      {
        property: "population",
        says: ["It has a population of {v}.", "The city is home to {v} people.", "GeoNames counts {v} inhabitants."],
      },
    ],
    [
      {
        property: "latitude",
        says: ["Its latitude is {v} degrees.", "On the map it is found at a latitude of {v} degrees."],
      },
      { property: "longitude", says: ["The longitude is {v} degrees.", "Its longitude is {v} degrees."] },
      {
        property: "nearestCity",
        says: [
          "The nearest other city of at least 100,000 people is {v}.",
          "Of the other cities with 100,000 people or more, the nearest is {v}.",
        ],
        amount: ", # km away in a straight line",
      },
      {
        property: "timezone",
        says: ["Clocks in {s} follow the time zone {v}.", "{s} keeps the time of the zone {v}."],
      },
      {
        property: "airports",
        says: ["Scheduled flights to {s} use {v}.", "{s} is served by {v}."],
        many: ["{s} is served by {n} airports: {v}."],
        amount: " (# km from the centre)",
      },
    ],
  ],
};

const region: PageWording = {
  kind: "region",
  pronouns: ["The region", "It"],
  paragraphs: [
    [
      { property: "country", says: ["{s} is a region of {v}.", "{s} is one of the first-level regions of {v}."] },
      {
        property: "cities",
        says: ["Its only city of 100,000 people or more, or capital, is {v}.", "One large city lies there: {v}."],
        many: ["Its large cities, from the most populous down, are {v}."],
        atMost: 60,
        sortedBy: "population",
      },
    ],
  ],
};

const airport: PageWording = {
  kind: "airport",
  pronouns: ["The airport", "It"],
  paragraphs: [
    [
      { property: "country", says: ["{s} is an airport in {v}.", "{s} is an airport of {v} with scheduled flights."] },
      {
        property: "city",
        says: ["It serves the city of {v}.", "The city that it serves is {v}."],
        amount: ", whose centre is # km away",
      },
      { property: "town", says: ["It lies near {v}.", "The nearest place of any size is {v}."].slice(0, 1) },
      { property: "iata", says: ["Its IATA code is {v}.", "On tickets it appears under the IATA code {v}."] },
      { property: "icao", says: ["The ICAO code is {v}.", "Pilots know it by the ICAO code {v}."] },
      {
        property: "elevation",
        says: ["Its elevation is {v} feet above sea level.", "The field lies {v} feet above sea level."],
      },
      { property: "size", says: ["OurAirports ranks it as a {v} airport."] },
    ],
  ],
};

export const placePages: readonly PageWording[] = [city, region, airport];
