/** A study as a paper: data, seeds, intervals, curves, cost, settings, versions and commands. */
import type { Paper, PaperChart, PaperSection } from "../paper/paper.js";
import type { StudyCurve } from "./curves.js";
import { dataSection } from "./data.js";
import { playersSections } from "./players.js";
import type { Study, StudyArm, StudySeed } from "./study.js";
import { gainText, heldOutCells, heldOutColumns, minutes, share, studyNote } from "./study-text.js";

export function studyPaper(study: Study): Paper {
  const { title, arms } = study;
  const runs = arms.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const note = `${runs === 1 ? "One run" : `${runs} runs`} of Palestra. Success is in percent of the episodes that were played to their end.`;
  return { title, note, sections: studySections(study) };
}

/** Returns the sections, which the report of a single run has too. */
export function studySections(study: Study): PaperSection[] {
  const { arms, failed, notes } = study;
  return [
    {
      heading: "Held-out success",
      tables: arms.flatMap((arm) => (arm.heldOut.length > 0 ? [heldOutTable(arm, arms.length > 1)] : [])),
      texts: [studyNote, ...failed.map(({ seed, message }) => `Seed ${seed} failed: ${message}`), ...notes],
    },
    ...playersSections(arms.flatMap(({ seeds }) => seeds.map(({ name, players }) => ({ label: name, players })))),
    { heading: "Seeds", tables: [seedTable(arms)] },
    { heading: "Curves", charts: chartsOf(arms), ...(runsOf(arms) > 1 && { texts: [curveNote] }) },
    dataSection(arms.map((arm) => ({ ...study.settings, ...arm.settings }))),
    { heading: "Cost", tables: [costTable(arms)] },
    { heading: "Settings", facts: settingFacts(study) },
    { heading: "Versions and machine", facts: machineFacts(arms) },
    { heading: "Commands", facts: commandFacts(study) },
  ];
}

const curveNote =
  "Strong line: mean over seeds. Band: Student's 95 % interval over seeds. Thin lines: the seeds. Train steps are joined to " +
  "at most 60 points.";

function heldOutTable(arm: StudyArm, isOneOfSeveral: boolean) {
  const steps = [...new Set(arm.seeds.map(({ lastStep }) => lastStep ?? "none"))].join(", ");
  const title = `Last evaluation, after train step ${steps}`;
  return {
    title: isOneOfSeveral ? `${arm.label}. ${title}` : title,
    columns: heldOutColumns(arm.seeds),
    rows: arm.heldOut.map(heldOutCells),
  };
}

function seedTable(arms: readonly StudyArm[]) {
  const rows = arms.flatMap((arm) =>
    arm.seeds.map((seed, at) => {
      const mean = arm.heldOut.at(-1)?.seeds[at];
      return [
        ...(arms.length > 1 ? [arm.label] : []),
        ...[`${seed.seed}`, seed.name],
        ...(mean ? [share(mean.first), share(mean.last), gainText(mean.gain)] : ["–", "–", "–"]),
        ...[`${seed.cost.trainSteps}`, seed.end],
      ];
    }),
  );
  const arm = arms.length > 1 ? ["settings"] : [];
  const columns = [...arm, "seed", "run", "first", "last", "gain [95 % over tasks]", "train steps", "end"];
  return { title: "Mean of the held-out task sets", columns, rows };
}

function chartsOf(arms: readonly StudyArm[]): PaperChart[] {
  const titles = [...new Set(arms.flatMap(({ curves }) => curves.map(({ title }) => title)))];
  return titles.map((title) => {
    const found = arms.flatMap((arm) => {
      const curve = arm.curves.find((each) => each.title === title);
      return curve ? [{ arm, curve }] : [];
    });
    const { isShare } = (found[0] as { curve: StudyCurve }).curve;
    return {
      title,
      across: "train step",
      isShare,
      series: found.map(({ arm, curve }) => ({
        label: arms.length > 1 ? arm.label : arm.seeds.length > 1 ? "mean" : `seed ${arm.seeds[0]?.seed}`,
        points: curve.mean.map(({ step: x, value: y, low, high }) => ({ x, y, low, high })),
        ...(curve.seeds.length > 1 && { single: curve.seeds.map(({ points }) => points) }),
      })),
    };
  });
}

function costTable(arms: readonly StudyArm[]) {
  const seeds = arms.flatMap((arm) => arm.seeds.map((seed) => ({ arm, seed })));
  const phases = [...new Set(seeds.flatMap(({ seed }) => Object.keys(seed.cost.seconds)))];
  const rows = seeds.map(({ arm, seed: { seed, cost } }) => [
    `${arms.length > 1 ? `${arm.label}, ` : ""}seed ${seed}`,
    ...phases.map((phase) => minutes(cost.seconds[phase] ?? 0)),
    minutes(cost.totalSeconds),
    ...[cost.episodes, cost.sampledTokens, cost.trainedTokens].map((count) => count.toLocaleString("en-US")),
  ]);
  return {
    title: "Wall time by phase, episodes and tokens of reinforcement learning",
    columns: ["run", ...phases, "total", "episodes", "tokens sampled", "tokens trained"],
    rows,
  };
}

function settingFacts({ settings, arms }: Study): [string, string][] {
  const shared = Object.entries(settings).map(([name, value]): [string, string] => [name, text(value)]);
  const own = arms.length > 1 ? arms.map((arm, at): [string, string] => [`settings ${at + 1}`, arm.label]) : [];
  return [...own, ...shared];
}

function machineFacts(arms: readonly StudyArm[]): [string, string][] {
  const facts = new Map<string, Set<string>>();
  for (const { seeds } of arms) {
    for (const { versions, machine, engine } of seeds) {
      for (const [name, value] of Object.entries({ ...versions, ...machine, ...engine })) {
        facts.set(name, (facts.get(name) ?? new Set()).add(text(value)));
      }
    }
  }
  return [...facts].map(([name, values]) => [name, [...values].join("; ")]);
}

function commandFacts({ command, arms }: Study): [string, string][] {
  const seeds = arms.flatMap((arm) => arm.seeds);
  const commands = new Map<string, string[]>();
  for (const { command: own, seed } of seeds) {
    if (own !== undefined) commands.set(own, [...(commands.get(own) ?? []), `${seed}`]);
  }
  const runs = [...commands].map(([own, of]): [string, string] => [`seed ${[...new Set(of)].join(", ")}`, own]);
  const started = seeds.flatMap(({ startedAt }) => startedAt ?? []).sort();
  return [
    ...runs,
    ...(command === undefined ? [] : [["this report", command] as [string, string]]),
    ...(started[0] === undefined ? [] : [["started", started.join(", ")] as [string, string]]),
  ];
}

function runsOf(arms: readonly StudyArm[]): number {
  return arms.reduce((sum, { seeds }: { seeds: readonly StudySeed[] }) => sum + seeds.length, 0);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "unset";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
