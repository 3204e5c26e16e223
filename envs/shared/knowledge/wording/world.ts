import type { PageWording } from "./wording.js";

const country: PageWording = {
  kind: "country",
  pronouns: ["The country", "It"],
  paragraphs: [
    [
      {
        property: "continent",
        says: ["{s} is a country or territory in {v}.", "{s} is a country or territory of {v}."],
      },
      { property: "officialName", says: ["Its full name is {v}.", "{s} is known in full as {v}."] },
      { property: "capital", says: ["The capital of {s} is {v}.", "{v} is the capital of {s}."] },
      {
        property: "demonym",
        says: ["A person from {s} is called a {v}.", "The noun for one of its inhabitants is {v}."],
      },
      {
        property: "language",
        says: ["The official or main language is {v}.", "{v} is the official or main language of {s}."],
        many: ["Its official or main languages are {v}.", "{v} are its official or main languages."],
      },
      {
        property: "currency",
        says: ["Payments are made in {v}.", "The currency of {s} is {v}."],
        many: ["Several currencies are in use: {v}.", "The currencies in use are {v}."],
      },
    ],
    [
      {
        property: "borders",
        says: ["{s} shares a land border with only one other country, {v}.", "Its only land neighbour is {v}."],
        many: ["{s} shares land borders with {n} countries: {v}.", "By land {s} borders on {n} countries: {v}."],
        amount: " (# km)",
      },
      {
        property: "area",
        says: ["{s} covers a total area of {v} square kilometres.", "The total area of {s} is {v} square kilometres."],
      },
      { property: "coastline", says: ["The coastline is {v} km long.", "It has {v} km of coast."], unless: [0] },
      { property: "highestPoint", says: ["The highest point of {s} is {v}.", "{v} is the highest point of {s}."] },
      {
        property: "highestElevation",
        says: ["That point reaches an elevation of {v} metres.", "Its elevation is {v} metres above the sea."],
      },
      {
        property: "resources",
        says: ["Natural resources include {v}.", "Among the natural resources of {s} are {v}."],
      },
    ],
    [
      {
        property: "population",
        says: [
          "According to an estimate of 2015, {s} had {v} inhabitants.",
          "The population of {s} was estimated at {v} in 2015.",
        ],
      },
      {
        property: "lifeExpectancy",
        says: [
          "Life expectancy at birth was {v} years in 2015.",
          "A child born there in 2015 could expect to live {v} years.",
        ],
      },
      {
        property: "medianAge",
        says: ["The median age was {v} years.", "Half of the people were older than {v} years, the median age."],
      },
      {
        property: "railways",
        says: ["The railway network of {s} measures {v} km.", "There are {v} km of railway lines."],
      },
      { property: "roads", says: ["The road network of {s} is {v} km long.", "There are {v} km of roads."] },
    ],
    [
      {
        property: "exportsTo",
        says: [
          "In 2014 the largest market for the exports of {s} was {v}.",
          "The largest buyer of its exports in 2014 was {v}.",
        ],
        amount: ", with # percent",
      },
      {
        property: "importsFrom",
        says: [
          "The largest source of its imports in 2014 was {v}.",
          "In 2014 most of its imports came from {v}.",
        ].slice(0, 1),
        amount: ", with # percent",
      },
      {
        property: "mainMarketOf",
        says: ["{s} was in turn the largest export market of {v} in 2014."],
        amount: "",
      },
      {
        property: "mainSupplierOf",
        says: ["{s} was also the largest source of imports of {v} in 2014."],
        amount: "",
      },
      {
        property: "memberOf",
        says: ["In 2015 {s} was a member of {v}."],
        many: ["In 2015 {s} was a member of {n} of the international organisations described here: {v}."],
      },
    ],
    [
      { property: "independence", says: ["{s} became independent on {v}.", "Its independence dates from {v}."] },
      {
        property: "independentFrom",
        says: ["It gained its independence from {v}.", "Before independence it was ruled by {v}."],
      },
      {
        property: "formerlyRuled",
        says: ["One country described here became independent from {s}: {v}."],
        many: ["The countries that became independent from {s} are {v}."],
      },
      {
        property: "anthem",
        says: ["The national anthem was titled {v} in 2015.", "In 2015 its national anthem bore the title {v}."],
        write: "quoted",
      },
      {
        property: "symbol",
        says: ["National symbols of {s}: {v}.", "It is represented by these national symbols: {v}."],
      },
      {
        property: "callingCode",
        says: [
          "The international calling code of {s} is {v}.",
          "Telephone calls from abroad use the calling code {v}.",
        ],
        write: "plain",
      },
      { property: "domain", says: ["Its top-level internet domain is {v}.", "Internet addresses of {s} end in {v}."] },
      { property: "code", says: ["The two-letter ISO code of {s} is {v}."] },
    ],
    [
      {
        property: "cities",
        says: ["The only large city described here is {v}."],
        many: ["Its largest cities are {v}."],
        atMost: 30,
        sortedBy: "population",
      },
      {
        property: "regions",
        says: ["Its largest places lie in one region, {v}."],
        many: ["The regions of {s} with large cities are {v}."],
      },
      {
        property: "airports",
        says: ["One airport with scheduled flights is described here, {v}."],
        many: ["Airports with scheduled flights include {v}."],
        atMost: 40,
      },
      {
        property: "timezones",
        says: ["Clocks follow the time zone {v}."],
        many: ["Clocks follow {n} time zones: {v}."],
      },
    ],
  ],
};

const continent: PageWording = {
  kind: "continent",
  pronouns: ["The continent", "It"],
  paragraphs: [
    [
      {
        property: "countries",
        says: ["{s} has one country: {v}."],
        many: ["{s} has {n} countries and territories that are described here: {v}."],
      },
    ],
  ],
};

const organisation: PageWording = {
  kind: "organisation",
  pronouns: ["The organisation", "It"],
  paragraphs: [
    [
      {
        property: "topic",
        says: [
          "{s} is an international body, best described as this type: {v}.",
          "{s} belongs to this type of international body: {v}.",
        ],
      },
      { property: "abbreviation", says: ["It is often called {v}.", "Its usual short name is {v}."] },
    ],
    [
      {
        property: "member",
        says: ["In 2015 its only member was {v}."],
        many: ["In 2015 {s} had {n} members: {v}.", "The {n} members of {s} in 2015 were {v}."],
      },
    ],
  ],
};

const currency: PageWording = {
  kind: "currency",
  pronouns: ["The currency", "It"],
  paragraphs: [
    [
      {
        property: "usedIn",
        says: ["{s} is the money of {v}.", "{s} is used in {v} alone."].slice(0, 1),
        many: ["{s} is used in {n} countries and territories: {v}."],
      },
      { property: "code", says: ["Its ISO 4217 code is {v}.", "Banks write it with the ISO 4217 code {v}."] },
      {
        property: "number",
        says: ["The numeric ISO code is {v}.", "As a number, its ISO code is {v}."],
        write: "plain",
      },
      { property: "decimals", says: ["Amounts are written with {v} decimal places.", "It has {v} decimal places."] },
    ],
  ],
};

const language: PageWording = {
  kind: "language",
  pronouns: ["The language", "It"],
  paragraphs: [
    [
      {
        property: "spokenIn",
        says: ["{s} is an official or main language of one country or territory, {v}."],
        many: ["{s} is an official or main language in {n} countries and territories: {v}."],
      },
      { property: "nativeName", says: ["Its own speakers call it {v}.", "Its native name is {v}."] },
      { property: "code", says: ["Its two-letter ISO 639-1 code is {v}."] },
      { property: "longCode", says: ["The three-letter ISO 639-3 code is {v}.", "In ISO 639-3 it has the code {v}."] },
    ],
  ],
};

const timezone: PageWording = {
  kind: "timezone",
  pronouns: ["The zone", "It"],
  paragraphs: [
    [
      {
        property: "country",
        says: ["{s} is a time zone that is used in {v}."],
        many: ["{s} is a time zone that is shared by {n} countries and territories: {v}."],
      },
      {
        property: "offset",
        says: ["Its standard time is {v}.", "Outside daylight saving time, clocks show {v}."],
        write: "offset",
      },
      {
        property: "summerOffset",
        says: ["With daylight saving time, where it applies, clocks show {v}."],
        write: "offset",
      },
      {
        property: "cities",
        says: ["One large city keeps this time: {v}."],
        many: ["Large cities that keep this time include {v}."],
        atMost: 25,
        sortedBy: "population",
      },
    ],
  ],
};

export const worldPages: readonly PageWording[] = [country, continent, organisation, currency, language, timezone];
