/** Generates thirteen seasons of the football league. Each match is simulated. */
import { type Club, clubs } from "../../../seed/landmarks.js";
import { Random } from "../../../seed/random.js";
import { firstNames, lastNames } from "../../../seed/region.js";

export interface Standing {
  club: Club;
  won: number;
  drawn: number;
  lost: number;
  scored: number;
  conceded: number;
  points: number;
}

export interface Season {
  /** Name such as `2014–15`. */
  name: string;
  year: number;
  /** Final table of the season, with the champion first. */
  table: readonly Standing[];
  topScorer: string;
  topGoals: number;
  topClub: Club;
}

const firstSeason = 2010;
const seasonCount = 13;

let known: readonly Season[] | undefined;

export function seasons(): readonly Season[] {
  known ??= Array.from({ length: seasonCount }, (_, at) => season(firstSeason + at));
  return known;
}

function season(year: number): Season {
  const random = Random.of(`wiki season ${year}`);
  const form = new Map(clubs.map((club) => [club, club.strength + random.between(-14, 14)]));
  const table = clubs.map((club) => ({ club, won: 0, drawn: 0, lost: 0, scored: 0, conceded: 0, points: 0 }));
  for (const home of table) {
    for (const away of table) {
      if (home === away) continue;
      const edge = ((form.get(home.club) ?? 0) - (form.get(away.club) ?? 0)) / 22 + 0.25;
      play(home, away, goals(random, 1.4 + edge * 0.6), goals(random, 1.3 - edge * 0.6));
    }
  }
  table.sort((one, other) => other.points - one.points || difference(other) - difference(one));
  const topClub = (table[random.between(0, 3)] as Standing).club;
  return {
    name: `${year}–${`${year + 1}`.slice(2)}`,
    year,
    table,
    topClub,
    topGoals: random.between(13, 27),
    topScorer: `${random.choice(firstNames)} ${random.choice(lastNames)}`,
  };
}

function goals(random: Random, mean: number): number {
  let count = 0;
  for (let rest = random.random(), share = Math.exp(-Math.max(0.2, mean)); rest > share && count < 7; ) {
    rest -= share;
    count += 1;
    share *= Math.max(0.2, mean) / count;
  }
  return count;
}

function play(home: Standing, away: Standing, homeGoals: number, awayGoals: number): void {
  add(home, homeGoals, awayGoals);
  add(away, awayGoals, homeGoals);
}

function add(standing: Standing, scored: number, conceded: number): void {
  standing.scored += scored;
  standing.conceded += conceded;
  if (scored > conceded) standing.won += 1;
  else if (scored === conceded) standing.drawn += 1;
  else standing.lost += 1;
  standing.points = standing.won * 3 + standing.drawn;
}

export function difference({ scored, conceded }: Standing): number {
  return scored - conceded;
}
