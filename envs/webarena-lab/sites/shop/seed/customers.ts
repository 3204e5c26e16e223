/** Generates the customers and their addresses. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { country, firstNames, lastNames, towns } from "../../../seed/region.js";
import type { Address, Customer, Place } from "../records.js";
import { readContent } from "./lists.js";

const count = 300;
/** Id of the customer whose account the agent uses. */
export const emmaId = 27;

export function makeCustomers(): { customers: Customer[]; addresses: Address[] } {
  const random = Random.of("shop customers");
  const { streets } = readContent();
  const customers: Customer[] = [];
  const addresses: Address[] = [];
  const taken = new Set<string>(["emma.lopez@gmail.com"]);
  for (let id = 1; id <= count + 1; id++) {
    const names = namesOf(id, taken, random);
    const own = [id === emmaId ? emmaHome : placeOf(names, streets, random)];
    if (id !== emmaId && random.chance(0.2)) own.push(placeOf(names, streets, random));
    const ids = own.map((place) => {
      addresses.push({ id: addresses.length + 1, customer: id, ...place });
      return addresses.length;
    });
    customers.push({
      id,
      ...names,
      password: id === emmaId ? "Password.123" : `Customer.${id}`,
      isSubscribed: random.chance(0.2),
      group: Number(random.weighted({ 1: 88, 2: 8, 3: 4 })),
      createdAt: now - (id === emmaId ? 760 : random.between(760, 1300)) * day + id * 61_000,
      billing: ids[0] as number,
      shipping: (ids[1] ?? ids[0]) as number,
      ...(id === emmaId ? { isSubscribed: false, group: 1 } : {}),
    });
  }
  return { customers, addresses };
}

const emmaHome: Place = {
  firstName: "Emma",
  lastName: "Lopez",
  company: "",
  street: ["101 Quay Street"],
  city: "Port Alder",
  region: "Alder Bay",
  postcode: "HD10 241",
  country,
  telephone: "6505551212",
};

function namesOf(id: number, taken: Set<string>, random: Random) {
  if (id === emmaId) return { firstName: "Emma", lastName: "Lopez", email: "emma.lopez@gmail.com" };
  for (;;) {
    const [firstName, lastName] = [random.choice(firstNames), random.choice(lastNames)];
    const email = `${`${firstName}.${lastName}`.toLowerCase()}@${random.choice(["gmail.com", "haldane.net", "mailbox.hd", "outmail.com"])}`;
    if (taken.has(`${firstName} ${lastName}`)) continue;
    taken.add(`${firstName} ${lastName}`);
    return { firstName, lastName, email };
  }
}

function placeOf(
  { firstName, lastName }: { firstName: string; lastName: string },
  streets: readonly string[],
  random: Random,
): Place {
  const town = random.choice(towns);
  const flat = random.chance(0.2) ? [`Apartment ${random.between(1, 40)}${random.choice(["A", "B", "C", ""])}`] : [];
  return {
    firstName,
    lastName,
    company: random.chance(0.06) ? `${lastName} & Sons` : "",
    street: [`${random.between(1, 240)} ${random.choice(streets)}`, ...flat],
    city: town.name,
    region: town.district,
    country,
    postcode: `HD${town.postcode} ${random.between(100, 999)}`,
    telephone: `${random.between(200, 989)}555${String(random.between(0, 9999)).padStart(4, "0")}`,
  };
}
