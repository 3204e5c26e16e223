/** Word lists for the texts in databases. A pattern names the lists that it uses. */

const lists: Record<string, string> = {
  first:
    "Anna Ben Clara David Elena Felix Grace Hugo Irene Jonas Kira Leo Maria Nils Olga Peter Quinn Rosa Samuel Tara Umar Vera Walter Xenia Yusuf Zoe Amara Bruno Chloe Diego Emma Farah Gustav Hana Ivan Julia Karim Lucia Marco Nadia",
  last: "Adams Baker Costa Dubois Ekström Fischer Garcia Hansen Ivanov Jansen Keller Lopez Moreau Novak Okafor Peters Quist Rossi Schmidt Tanaka Usman Varga Weber Xu Yilmaz Zimmer Almeida Brown Carter Diaz O'Neill Fontaine Greene Haas Ito Jensen Kowalski Lindberg Meyer Nguyen",
  city: "Amsterdam Berlin Cork Dublin Edinburgh Florence Geneva Hamburg Istanbul Jena Krakow Lisbon Madrid Naples Oslo Porto Riga Seville Turin Utrecht Vienna Warsaw Zagreb Lyon Ghent Malmö Tallinn Graz Bern Split",
  country:
    "Germany France Spain Italy Portugal Poland Norway Sweden Denmark Ireland Austria Croatia Estonia Latvia Belgium Japan Brazil Kenya Canada Turkey",
  street: "Mill High Station Church Park Garden Harbour Bridge Market School River Castle Forest Hill Lake",
  adjective:
    "Blue Quiet Golden Broken Small Northern Silent Red Hidden Old Bright Cold Wild Distant Green Heavy Lost Paper Silver Late",
  noun: "River Garden Lamp Mirror Harbour Winter Letter Tower Bird Stone Window Forest Road Island Clock Song Bridge Storm Train Orchard",
  ware: "Kettle Chair Lamp Desk Backpack Jacket Blanket Teapot Shelf Mug Knife Pan Tent Scarf Notebook Bottle Radio Pillow Clock Basket",
  material: "Oak Steel Cotton Glass Bamboo Leather Ceramic Linen Copper Wool",
  trade: "Trading Supply Works Imports Brothers Partners Logistics Foods Textiles Tools",
  subject:
    "Algebra Biology Chemistry Drawing Economics French Geometry History Informatics Logic Music Physics Poetry Statistics Zoology",
  level: "Introduction_to Advanced Applied Modern Topics_in",
  illness: "asthma fracture migraine influenza diabetes hypertension anaemia pneumonia arthritis bronchitis",
  drug: "Amoxil Bravona Cetrizol Dolomin Enaprex Fluvast Gastrol Hydrocil Ibuvan Kardiol Lumivox Metrodin",
  team: "United Rovers City Athletic Wanderers Rangers Albion Sporting Dynamo Olympic",
  plane: "A220 A320 A321 A350 B737 B787 E190 E195 Q400 CRJ9",
  cargo: "Machinery Fruit Timber Paper Electronics Furniture Medicine Steel Grain Clothing",
};

const byName = new Map(
  Object.entries(lists).map(([name, list]) => [name, list.split(" ").map((word) => word.replaceAll("_", " "))]),
);

/** @throws {Error} the list does not exist */
export function wordList(name: string): readonly string[] {
  const list = byName.get(name);
  if (!list) throw new Error(`expected one of the lists ${[...byName.keys()].join(", ")}, but received ${name}`);
  return list;
}
