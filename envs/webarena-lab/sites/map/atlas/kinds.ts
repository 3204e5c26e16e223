/** Kinds of places, with labels, tags and search words. */
export interface Kind {
  /** Label in search results, such as `Restaurant`. */
  label: string;
  /** Key and value of the tag that places of this kind have. */
  tag: readonly [key: string, value: string];
  /** Search words for this kind, in lower case. */
  words: readonly string[];
  /** Weight in the ranking of search results that match equally well. */
  weight: number;
}

function kind(label: string, tag: string, words: string, weight = 1): Kind {
  const [key = "", value = ""] = tag.split("=");
  return { label, tag: [key, value], words: words.split(", "), weight };
}

export const kinds = {
  restaurant: kind("Restaurant", "amenity=restaurant", "restaurant, restaurants, place to eat, places to eat"),
  cafe: kind("Cafe", "amenity=cafe", "cafe, cafes, café, cafés, coffee shop, coffee shops, coffee"),
  pub: kind("Pub", "amenity=pub", "pub, pubs, bar, bars"),
  hotel: kind("Hotel", "tourism=hotel", "hotel, hotels, guesthouse, guesthouses", 2),
  museum: kind("Museum", "tourism=museum", "museum, museums, gallery, galleries", 4),
  university: kind("University", "amenity=university", "university, universities, college, colleges", 5),
  hospital: kind("Hospital", "amenity=hospital", "hospital, hospitals, clinic", 4),
  pharmacy: kind("Pharmacy", "amenity=pharmacy", "pharmacy, pharmacies, chemist, drugstore"),
  supermarket: kind("Supermarket", "shop=supermarket", "supermarket, supermarkets, grocery store, grocery stores"),
  park: kind("Park", "leisure=park", "park, parks", 2),
  station: kind(
    "Train Station",
    "railway=station",
    "station, stations, train station, train stations, railway station",
    4,
  ),
  bridge: kind("Bridge", "man_made=bridge", "bridge, bridges", 3),
  library: kind("Library", "amenity=library", "library, libraries", 3),
  airport: kind("Airport", "aeroway=aerodrome", "airport, airports, airfield", 5),
  bakery: kind("Bakery", "shop=bakery", "bakery, bakeries"),
  bank: kind("Bank", "amenity=bank", "bank, banks"),
  post: kind("Post Office", "amenity=post_office", "post office, post offices", 2),
  cinema: kind("Cinema", "amenity=cinema", "cinema, cinemas, movie theater", 2),
  theatre: kind("Theatre", "amenity=theatre", "theatre, theatres, theater", 3),
  bookshop: kind("Book Shop", "shop=books", "bookshop, bookshops, book shop, book shops, bookstore, bookstores"),
  stadium: kind("Stadium", "leisure=stadium", "stadium, stadiums, football ground", 4),
  townhall: kind("Town Hall", "amenity=townhall", "town hall, town halls, city hall", 3),
  school: kind("School", "amenity=school", "school, schools"),
  fuel: kind(
    "Fuel Station",
    "amenity=fuel",
    "fuel station, fuel stations, petrol station, petrol stations, gas station",
  ),
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** Returns the kind of place that a search term names, or undefined. */
export function kindOf(words: string): KindName | undefined {
  const wanted = words.trim().toLowerCase();
  return (Object.keys(kinds) as KindName[]).find((name) => (kinds[name].words as readonly string[]).includes(wanted));
}
