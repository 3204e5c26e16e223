/** Articles about companies. */
import { type Company, companies } from "../facts/companies.js";
import { type Draft, grouped, link } from "./article.js";
import { Prose } from "./prose.js";

export function companyArticles(): Draft[] {
  const prose = new Prose("companies");
  return companies().map((company) => companyArticle(company, prose));
}

function companyArticle(company: Company, prose: Prose): Draft {
  const { name, town, founded, industry, products, employees, founder } = company;
  const after = (low: number, high: number) => Math.min(2016, founded + prose.between(low, high));
  const slots = { product: products, fire: after(3, 25), strike: after(8, 40), sold: after(30, 70) };
  return {
    title: name,
    facts: [
      ["Headquarters", link(town.name)],
      ["Founded", `${founded}`],
      ["Founder", link(founder.name)],
      ["Industry", industry],
      ["Products", products],
      ["Employees", grouped(employees)],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is a company in ${link(town.name)} that was founded by ${link(founder.name)} in ${founded}. Its business is ${products}, and it has ${grouped(employees)} employees.`,
        ],
      },
      { heading: "History", paragraphs: [prose.paragraph("company.body", 3, slots)] },
      { heading: "Present", paragraphs: [prose.paragraph("company.body", 2, slots)] },
    ],
    seeAlso: ["List of companies of Haldane", town.name],
    categories: ["Companies of Haldane", town.name],
  };
}
