/**
 * Tasks about Mendelian genetics (10-1 and 10-2). The agent crosses two purebred plants to find out whether a trait of
 * peas, or of an unknown plant, is dominant or recessive.
 */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import { makeWith } from "../engine/breeding.js";
import { type Allele, drawAlleles, othersThan, purebred, type Trait } from "../engine/genetics.js";
import type { Kind, Thing, World } from "../engine/thing.js";
import { pea, peaTraits } from "../facts/living/peas.js";
import { unknownPlants } from "../facts/living/unknown-plants.js";
import { ceramicCup, flowerPot } from "../facts/matter/containers.js";
import { soil } from "../facts/matter/substances.js";
import { focusOn } from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import * as around from "../goals/surroundings.js";
import { type BoxPair, boxPairs } from "./setting/answer-boxes.js";
import * as gardening from "./setting/gardening.js";
import { drawForEach, repeated } from "./setting/many-draws.js";
import { put } from "./setting/placing.js";
import { drawPotNumbers, potNumbers } from "./setting/pot-numbers.js";
import type { Assignment, Task } from "./task.js";

/** A plant that questions ask about. */
interface Subject {
  readonly kind: Kind;
  readonly traits: readonly Trait[];
  /** Names of the traits that questions ask about, in the order of the variations. */
  readonly asked: readonly string[];
  readonly isUnknown: boolean;
}

interface Question {
  readonly subject: Subject;
  readonly trait: Trait;
  /** Whether the trait is dominant or recessive. */
  readonly answer: Allele;
}

const alleles: readonly Allele[] = ["dominant", "recessive"];

function questionsAbout(subject: Subject): Question[] {
  return subject.asked
    .flatMap((name) => subject.traits.filter((trait) => trait.name === name))
    .flatMap((trait) => alleles.map((answer) => ({ subject, trait, answer })));
}

const arrangementsOfPots = 5;
const potsInEach = 6;
/** Pairs of answer boxes. The first box of a pair is for "dominant". */
const boxes = boxPairs.slice(0, 3);

function breeding(name: string, subjects: readonly Subject[]): Task {
  const questions = subjects.flatMap(questionsAbout);
  return {
    name,
    variations: questions.length * arrangementsOfPots * boxes.length,
    draw: (random) => [
      ...drawForEach(subjects, (subject) => drawJars(subject, random)),
      ...repeated(arrangementsOfPots, () => drawPotNumbers(random)),
    ],
    prepare(variation, drawn, world) {
      const rest = Math.floor(variation / boxes.length);
      const [at, arrangement] = [Math.floor(rest / arrangementsOfPots), rest % arrangementsOfPots];
      const question = questions[at] as Question;
      const pots = drawn.slice(questions.length * drawnForJar + arrangement * potNumbers).slice(0, potsInEach);
      const pair = boxes[variation % boxes.length] as BoxPair;
      const jar = jarOf(question, drawn.slice(at * drawnForJar), world);
      const made = [jar, ...potsOf(pots, world), ...pair.map((kind) => world.make(kind))];
      return ({ universe }) => {
        for (const thing of made) put({ thing, name: thing.name, room: gardening.greenhouse }, universe, world);
        return assign(question, pots.map(potName), pair);
      };
    },
  };
}

/**
 * Number of random draws for a seed: for each parent, one for each trait except the trait in the question. All plants
 * have the same number of traits as peas.
 */
const drawnForSeed = 2 * (peaTraits.length - 1);
/**
 * Number of random draws for a jar, which contains a seed with the dominant trait and a seed with the recessive trait.
 */
const drawnForJar = alleles.length * drawnForSeed;

/**
 * Makes the random draws for the jars of all questions about a plant, as ScienceWorld does. ScienceWorld first makes
 * half a genome and two unknown plants, only to read the names of traits. It draws genes twice for an unknown plant
 * without given genes. For an unknown plant with given genes it draws genes once, and discards them.
 */
function drawJars(subject: Subject, random: JavaRandom): number[] {
  const { traits, isUnknown } = subject;
  for (const _ of traits) random.nextInt(alleles.length);
  if (isUnknown) repeated(4, () => drawAlleles(traits, random));
  return drawForEach(questionsAbout(subject), ({ trait }) =>
    repeated(alleles.length, () => {
      const drawn = drawAlleles(othersThan(trait.name, traits), random);
      if (isUnknown) drawAlleles(traits, random);
      return drawn;
    }),
  );
}

/** Makes a jar with two purebred seeds. @param drawn random draws, starting with those of this jar */
function jarOf({ subject, trait }: Question, drawn: readonly number[], world: World): Thing {
  const makeJar = () => world.make(ceramicCup, gardening.seedJar);
  // The jar of unknown plants is older than the plants.
  const older = subject.isUnknown ? makeJar() : undefined;
  const seeds = alleles.map((allele, at) => {
    const genome = purebred(trait.name, allele, subject.traits, drawn.slice(at * drawnForSeed));
    return makeWith(genome, subject.kind, world);
  });
  const jar = older ?? makeJar();
  for (const seed of seeds) jar.add(seed);
  return jar;
}

const potName = (number: number) => `flower pot ${number}`;

/** Makes flower pots, in the order of their numbers as in ScienceWorld. */
function potsOf(numbers: readonly number[], world: World): Thing[] {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted.map((number) => {
    const pot = world.make(flowerPot, potName(number));
    pot.add(world.make(soil));
    return pot;
  });
}

function assign(
  { subject, trait, answer }: Question,
  pots: readonly string[],
  [dominant, recessive]: BoxPair,
): Assignment {
  const species = subject.kind.life?.species ?? "";
  const right = answer === "dominant" ? dominant : recessive;
  const last = focusOn(right.name, "focus on the correct answer box", { defocuses: true });
  return {
    description: `Your task is to determine whether ${trait[answer]} ${trait.name} is a dominant or recessive trait in the ${species} plant. If the trait is dominant, focus on the ${dominant.name}. If the trait is recessive, focus on the ${recessive.name}. `,
    goals: new GoalSequence([last], towardsOffspring(species, pots)),
  };
}

function towardsOffspring(species: string, pots: readonly string[]): Goal[] {
  const { onceInBloom } = gardening;
  return [
    ...gardening.takingSeeds(),
    ...gardening.going(),
    ...gardening.potting(pots, species),
    ...gardening.growth(species, potsInEach),
    gardening.openHive(onceInBloom),
    gardening.nearBees(),
    around.nearTo(species, { as: "grown seed", ...onceInBloom }),
  ];
}

/**
 * Traits that questions ask about, for plants for which their order differs from the order of inheritance. For peas,
 * one trait occurs twice and one never.
 */
const askedOf: Readonly<Record<string, readonly string[]>> = {
  pea: ["plant height", "seed shape", "seed color", "seed shape"],
  "unknown E": ["seed color", "seed shape", "leaf shape", "flower size"],
};

function subject(kind: Kind, traits: readonly Trait[], isUnknown: boolean): Subject {
  return { kind, traits, asked: askedOf[kind.name] ?? traits.map(({ name }) => name), isUnknown };
}

export const genetics: readonly Task[] = [
  breeding("mendelian-genetics-known-plant", [subject(pea, peaTraits, false)]),
  breeding(
    "mendelian-genetics-unknown-plant",
    unknownPlants.map(({ kind, traits }) => subject(kind, traits, true)),
  ),
];
