/** Companies and their founders. */
import { townOf } from "../../../seed/landmarks.js";
import type { Town } from "../../../seed/region.js";
import { companyRows } from "../data.js";
import { type Person, people } from "./people.js";

export interface Company {
  name: string;
  town: Town;
  founded: number;
  industry: string;
  products: string;
  employees: number;
  founder: Person;
}

let known: readonly Company[] | undefined;

export function companies(): readonly Company[] {
  known ??= companyRows.map(([name, town, founded, industry, products, employees]) => ({
    name,
    town: townOf(town),
    founded,
    industry,
    products,
    employees,
    founder: people().find(({ company }) => company === name) as Person,
  }));
  return known;
}
