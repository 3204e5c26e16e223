/** Articles about the football league, the clubs and the seasons. */
import { type Club, clubs } from "../../../seed/landmarks.js";
import { difference, type Season, type Standing, seasons } from "../facts/league.js";
import { type Draft, grouped, link } from "./article.js";
import { Prose } from "./prose.js";

const league = "Haldane Football League";

export function seasonPage({ name }: Season): string {
  return `${name} ${league}`;
}

export function footballArticles(): Draft[] {
  const prose = new Prose("football");
  return [
    leagueArticle(),
    ...clubs.map((club) => clubArticle(club, prose)),
    ...seasons().map((season, at) => seasonArticle(season, at)),
  ];
}

function clubArticle(club: Club, prose: Prose): Draft {
  const { name, town, founded, stadium, capacity, colours, nickname } = club;
  const places = seasons().map((season) => {
    const place = season.table.findIndex((one) => one.club === club) + 1;
    const { points } = season.table[place - 1] as Standing;
    return [link(seasonPage(season), season.name), `${place}`, `${points}`];
  });
  const titles = places.filter(([, place]) => place === "1").length;
  return {
    title: name,
    facts: [
      ["Town", link(town.name)],
      ["Nickname", nickname],
      ["Founded", `${founded}`],
      ["Stadium", stadium],
      ["Capacity", grouped(capacity)],
      ["Colours", colours],
      ["League titles since 2010", `${titles}`],
    ],
    sections: [
      {
        paragraphs: [
          `${name}, nicknamed ${nickname}, is a football club from ${link(town.name)}. It was founded in ${founded}, plays in ${colours} at ${stadium} and takes part in the ${link(league)}.`,
        ],
      },
      { heading: "Club", paragraphs: [prose.paragraph("club.body", 3, { stadium, capacity: grouped(capacity) })] },
      {
        heading: "Seasons",
        table: { caption: `${name} by season`, head: ["Season", "Place", "Points"], rows: places },
      },
    ],
    seeAlso: [league, town.name],
    categories: ["Football clubs in Haldane", town.name],
  };
}

function seasonArticle(season: Season, at: number): Draft {
  const { name, table, topScorer, topGoals, topClub } = season;
  const [champion, second] = table as [Standing, Standing];
  const around = [seasons()[at - 1], seasons()[at + 1]].flatMap((one) => (one ? [seasonPage(one)] : []));
  return {
    title: seasonPage(season),
    facts: [
      ["Champions", link(champion.club.name)],
      ["Runners-up", link(second.club.name)],
      ["Matches", `${clubs.length * (clubs.length - 1)}`],
      ["Goals", `${table.reduce((sum, { scored }) => sum + scored, 0)}`],
      ["Top scorer", `${topScorer} (${topClub.name}), ${topGoals} goals`],
    ],
    sections: [
      {
        paragraphs: [
          `The ${name} season of the ${link(league)} was won by ${link(champion.club.name)} with ${champion.points} points, ${margin(champion, second)} ${link(second.club.name)}.`,
        ],
      },
      {
        heading: "Table",
        table: {
          caption: `Final table ${name}`,
          head: ["Place", "Club", "Won", "Drawn", "Lost", "Goals for", "Goals against", "Difference", "Points"],
          rows: table.map(rowOf),
        },
      },
    ],
    seeAlso: [league, ...around],
    categories: ["Seasons of the Haldane Football League"],
  };
}

function margin(champion: Standing, second: Standing): string {
  const ahead = champion.points - second.points;
  return ahead === 0 ? "on goal difference ahead of" : `${ahead} more than`;
}

function rowOf(standing: Standing, at: number): string[] {
  const { club, won, drawn, lost, scored, conceded, points } = standing;
  const goals = difference(standing);
  return [
    `${at + 1}`,
    link(club.name),
    `${won}`,
    `${drawn}`,
    `${lost}`,
    `${scored}`,
    `${conceded}`,
    goals > 0 ? `+${goals}` : `${goals}`.replace("-", "−"),
    `${points}`,
  ];
}

function leagueArticle(): Draft {
  const [champion] = (seasons().at(-1) as Season).table as [Standing];
  return {
    title: league,
    facts: [
      ["Country", link("Haldane")],
      ["Clubs", `${clubs.length}`],
      ["Most recent champions", link(champion.club.name)],
    ],
    sections: [
      {
        paragraphs: [
          `The ${league} is the first division of football in ${link("Haldane")}. Each of its ${clubs.length} clubs plays twice against every other. A win gives three points and a draw one.`,
        ],
      },
      {
        heading: "Champions",
        table: {
          caption: "Champions by season",
          head: ["Season", "Champions", "Points"],
          rows: seasons().map((one) => {
            const { club, points } = one.table[0] as Standing;
            return [link(seasonPage(one), one.name), link(club.name), `${points}`];
          }),
        },
      },
      { heading: "Clubs", items: clubs.map(({ name, town }) => `${link(name)}, ${town.name}`) },
    ],
    seeAlso: ["Haldane"],
    categories: ["Sport in Haldane"],
  };
}
