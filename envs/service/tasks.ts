import type { TaskRef, TaskSplit } from "../env.js";
import { Draw } from "../shared/rng/draw.js";
import { bookingsCase } from "./cases/bookings.js";
import type { Case, Domain } from "./cases/case.js";
import { ordersCase } from "./cases/orders.js";
import type { Half } from "./cases/pools.js";
import { refundsCase } from "./cases/refunds.js";

const sizes: Readonly<Record<Half, number>> = { train: 1_000, test: 100 };

interface Maker {
  domain: Domain;
  make(draw: Draw, half: Half, index: number): Case;
}

const makers: readonly Maker[] = [
  { domain: "orders", make: ordersCase },
  { domain: "refunds", make: refundsCase },
  { domain: "bookings", make: bookingsCase },
];

function splitOf(half: Half, maker?: Maker): TaskSplit {
  const name = splitName(half, maker);
  const of = maker ? `the domain ${maker.domain}` : "all domains in turn";
  return {
    size: sizes[half] * (maker ? 1 : makers.length),
    summary: `Conversations of ${of}, for ${half === "train" ? "training" : "tests: names and goods are others than in training"}.`,
    title: (index) => {
      const { family, title } = caseOf({ split: name, index });
      return `${family}: ${title}`;
    },
  };
}

function splitName(half: Half, maker?: Maker): string {
  if (!maker) return half;
  return half === "train" ? maker.domain : `${maker.domain}-test`;
}

const halves: readonly Half[] = ["train", "test"];

export const splits: Record<string, TaskSplit> = Object.fromEntries(
  [undefined, ...makers].flatMap((maker) => halves.map((half) => [splitName(half, maker), splitOf(half, maker)])),
);

/** Returns the case of a task. Equal references always give the same case, which nobody may change. */
export function caseOf({ split, index }: TaskRef): Case {
  for (const half of halves) {
    for (const [at, maker] of makers.entries()) {
      if (split === splitName(half, maker)) return caseIn(half, at, index);
    }
    if (split === half) return caseIn(half, index % makers.length, Math.floor(index / makers.length));
  }
  throw new RangeError(`expected a split of service, but received ${split}`);
}

function caseIn(half: Half, domain: number, index: number): Case {
  const { make } = makers[domain] as Maker;
  const seed = (BigInt(halves.indexOf(half)) << 48n) + (BigInt(domain) << 40n) + BigInt(index);
  return make(new Draw(seed), half, index);
}
