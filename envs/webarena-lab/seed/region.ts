/**
 * The invented region of all sites. The encyclopedia describes its towns, the map shows them, and the shop's customers
 * live in them.
 */

export interface Town {
  name: string;
  /** Latitude in degrees. */
  latitude: number;
  longitude: number;
  inhabitants: number;
  founded: number;
  /** Elevation in meters above sea level. */
  elevation: number;
  river: string | undefined;
  district: string;
  /** Digits at the start of the town's postal codes. */
  postcode: string;
}

/**
 * Rows of towns. Columns: name, latitude, longitude, inhabitants, year of foundation, elevation, river, district,
 * postcode.
 */
const rows: readonly (readonly [string, number, number, number, number, number, string | undefined, string, string])[] =
  [
    ["Port Alder", 44.62, -63.58, 418_300, 1749, 12, "Alder", "Alder Bay", "10"],
    ["Brindlecombe", 44.91, -63.12, 96_450, 1782, 64, "Alder", "Alder Bay", "12"],
    ["Saltmere", 44.41, -63.91, 41_870, 1761, 5, undefined, "Alder Bay", "13"],
    ["Cray Harbour", 44.28, -64.33, 23_940, 1768, 8, undefined, "South Shore", "20"],
    ["Lunding", 44.37, -64.71, 18_260, 1753, 22, "Mersa", "South Shore", "21"],
    ["Mersa Falls", 44.52, -64.98, 31_510, 1804, 118, "Mersa", "South Shore", "22"],
    ["Whitlock", 44.73, -64.42, 12_980, 1811, 173, "Mersa", "Uplands", "30"],
    ["Harrow Hill", 44.98, -64.11, 27_730, 1790, 246, "Tane", "Uplands", "31"],
    ["Ostrava Mills", 45.12, -63.77, 54_620, 1799, 88, "Tane", "Uplands", "32"],
    ["Kestrel Bay", 45.31, -63.29, 38_190, 1771, 9, "Tane", "North Coast", "40"],
    ["Pellworth", 45.52, -62.94, 15_440, 1785, 31, undefined, "North Coast", "41"],
    ["Garrick", 45.47, -63.61, 9_870, 1823, 102, undefined, "North Coast", "42"],
    ["Tamsin Cross", 45.07, -62.71, 20_330, 1794, 77, "Orr", "Orr Valley", "50"],
    ["Orrbridge", 45.2, -62.38, 71_150, 1766, 41, "Orr", "Orr Valley", "51"],
    ["Dunmarrow", 45.38, -62.05, 33_020, 1776, 14, "Orr", "Orr Valley", "52"],
    ["Fallow Green", 44.83, -62.46, 11_690, 1832, 133, "Orr", "Orr Valley", "53"],
    ["Wexley", 44.69, -62.83, 48_580, 1758, 19, undefined, "Eastern Shore", "60"],
    ["Sable Point", 44.77, -62.18, 7_410, 1802, 4, undefined, "Eastern Shore", "61"],
    ["Corran", 44.95, -61.87, 17_850, 1797, 27, "Lisk", "Eastern Shore", "62"],
    ["Liskeath", 45.16, -61.59, 25_260, 1780, 52, "Lisk", "Eastern Shore", "63"],
    ["Thornby", 45.41, -61.72, 13_370, 1819, 68, "Lisk", "North Coast", "43"],
    ["Marlowe", 44.58, -64.09, 60_240, 1774, 58, undefined, "Uplands", "33"],
    ["Ashgrove", 44.86, -64.77, 16_120, 1808, 201, "Mersa", "Uplands", "34"],
    ["Venn", 44.24, -64.94, 29_480, 1764, 16, undefined, "South Shore", "23"],
  ];

export const country = "Haldane";

export const towns: readonly Town[] = rows.map(
  ([name, latitude, longitude, inhabitants, founded, elevation, river, district, postcode]) => ({
    name,
    latitude,
    longitude,
    inhabitants,
    founded,
    elevation,
    river,
    district,
    postcode,
  }),
);

export interface River {
  name: string;
  /** Length in kilometers. */
  length: number;
  source: string;
}

export const rivers: readonly River[] = [
  { name: "Alder", length: 148, source: "Lake Corriden" },
  { name: "Mersa", length: 211, source: "Mount Ferrow" },
  { name: "Tane", length: 173, source: "Hollin Moor" },
  { name: "Orr", length: 264, source: "Mount Sallis" },
  { name: "Lisk", length: 96, source: "Pike Tarn" },
];

export const firstNames = [
  ...[
    "Aaron",
    "Abigail",
    "Adam",
    "Alice",
    "Amara",
    "Andrew",
    "Anna",
    "Arthur",
    "Beatrice",
    "Benjamin",
    "Bianca",
    "Brian",
  ],
  ...["Callum", "Carla", "Catherine", "Charles", "Chloe", "Clara", "Daniel", "Daphne", "David", "Diana", "Dominic"],
  ...["Edith", "Edward", "Eleanor", "Elias", "Elena", "Emil", "Eric", "Esther", "Felix", "Fiona", "Frances", "Gabriel"],
  ...[
    "George",
    "Grace",
    "Hannah",
    "Harold",
    "Helen",
    "Henry",
    "Hugo",
    "Ida",
    "Ingrid",
    "Irene",
    "Isaac",
    "Ivan",
    "Jacob",
  ],
  ...["Jane", "Joel", "Jonas", "Joseph", "Judith", "Julia", "Kate", "Keith", "Lars", "Laura", "Leo", "Lily", "Linda"],
  ...[
    "Louis",
    "Lucy",
    "Lydia",
    "Malcolm",
    "Margaret",
    "Marcus",
    "Martha",
    "Maya",
    "Miriam",
    "Nadia",
    "Naomi",
    "Nathan",
  ],
  ...[
    "Nina",
    "Noah",
    "Nora",
    "Oliver",
    "Olga",
    "Oscar",
    "Patrick",
    "Paula",
    "Peter",
    "Petra",
    "Philip",
    "Priya",
    "Quentin",
  ],
  ...["Rachel", "Ralph", "Rebecca", "Robert", "Rosa", "Rupert", "Ruth", "Samuel", "Sarah", "Sean", "Simon", "Sofia"],
  ...[
    "Stella",
    "Stephen",
    "Susan",
    "Sven",
    "Tara",
    "Theodore",
    "Thomas",
    "Tobias",
    "Ursula",
    "Vera",
    "Victor",
    "Viola",
  ],
  ...["Walter", "Wendy", "William", "Yara", "Yusuf", "Zachary", "Zoe"],
] as const;

export const lastNames = [
  ...[
    "Abbott",
    "Ainsley",
    "Albright",
    "Amador",
    "Archer",
    "Ashdown",
    "Bancroft",
    "Barlow",
    "Beckett",
    "Bellamy",
    "Bishop",
  ],
  ...["Blackwood", "Bramley", "Briggs", "Calloway", "Carver", "Castellan", "Chandler", "Claremont", "Colby", "Corbin"],
  ...["Crane", "Dalton", "Darrow", "Delacroix", "Denholm", "Draper", "Eastwick", "Ellery", "Emmerich", "Fairbanks"],
  ...["Farrow", "Fenwick", "Fletcher", "Forsythe", "Gallagher", "Garland", "Gibbons", "Granger", "Hadley", "Halloran"],
  ...[
    "Hargrove",
    "Hawkins",
    "Holloway",
    "Huxley",
    "Ibarra",
    "Ivers",
    "Jarvis",
    "Jennings",
    "Kaplan",
    "Keating",
    "Kendrick",
  ],
  ...[
    "Kovacs",
    "Lambert",
    "Langley",
    "Larkin",
    "Lindqvist",
    "Lockwood",
    "Maddox",
    "Marchetti",
    "Mercer",
    "Merriweather",
  ],
  ...[
    "Montrose",
    "Moreau",
    "Nakamura",
    "Nolan",
    "Norwood",
    "Oakley",
    "Okafor",
    "Orlov",
    "Osborne",
    "Palmer",
    "Pemberton",
  ],
  ...[
    "Prescott",
    "Quimby",
    "Radcliffe",
    "Ramsey",
    "Redfern",
    "Rosario",
    "Rutherford",
    "Sandoval",
    "Selwyn",
    "Sinclair",
  ],
  ...[
    "Stanton",
    "Sterling",
    "Thackeray",
    "Thorne",
    "Tolliver",
    "Underhill",
    "Vance",
    "Vasquez",
    "Wakefield",
    "Weatherby",
  ],
  ...["Whitaker", "Winslow", "Wolcott", "Yardley", "Yates", "Zielinski"],
] as const;
