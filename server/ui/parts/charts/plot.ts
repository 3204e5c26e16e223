/** Curves drawn by UPlot. */
import UPlot from "uplot";

export interface PlotOptions {
  /** Number of curves. */
  readonly count: number;
  /** Whether the data has a smoothed line for each curve. */
  readonly isSmoothed: boolean;
  readonly isLog: boolean;
  readonly isShare: boolean;
  /** Labels of the axes. Charts with the same label of the horizontal one share their cursor. */
  readonly across: string;
  readonly up: string;
  /** Called with the index of the step under the cursor, or null. */
  readonly onCursor: (index: number | null) => void;
  /** Called with a step that was clicked. */
  readonly onSelect?: (step: number) => void;
}

export interface Plot {
  show(data: unknown): void;
  moveTo(index: number): void;
  destroy(): void;
}

const height = 210;
const labels = { labelFont: "11px system-ui, sans-serif", labelSize: 16, labelGap: 0 };
/** Dashes of the curves. Colour alone does not tell them apart. */
const dashes = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
const axisFont = "11px system-ui, sans-serif";

/** Returns the number of a curve's dashes. Of more than eight curves, those of the same colour have other dashes. */
export function dashOf(curve: number): number {
  return (curve + Math.floor(curve / 8)) % dashes.length;
}

export function plot(box: HTMLElement, options: PlotOptions): Plot {
  const colours = new Map<string, string>();
  const colour = (name: string) => () => {
    const known = colours.get(name) ?? colourOf(box, name);
    colours.set(name, known);
    return known;
  };
  const made = new UPlot(optionsOf(box, options, colour), [[]], box);
  const whenSeen = deferred(box, (data) => made.setData(data as UPlot.AlignedData));
  const resized = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height }));
  resized.observe(box);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => {
    colours.clear();
    made.redraw();
  };
  scheme.addEventListener("change", redraw);
  if (options.onSelect) {
    made.over.addEventListener("click", () => {
      const { idx } = made.cursor;
      if (idx != null) options.onSelect?.(made.data[0][idx] as number);
    });
  }
  return {
    show: whenSeen.take,
    moveTo: (index) => made.setCursor({ left: made.valToPos(made.data[0][index] as number, "x"), top: height / 3 }),
    destroy: () => {
      resized.disconnect();
      whenSeen.end();
      scheme.removeEventListener("change", redraw);
      made.destroy();
    },
  };
}

/**
 * Passes on the first value at once, and later ones only while the box is near the visible part of the page: a live run has
 * many charts below it.
 */
function deferred(box: HTMLElement, pass: (value: unknown) => void): { take(value: unknown): void; end(): void } {
  let isNear = true;
  let waiting: { value: unknown } | null = null;
  const passOn = () => {
    if (!isNear || waiting === null) return;
    const { value } = waiting;
    waiting = null;
    pass(value);
  };
  const seen = new IntersectionObserver(
    (entries) => {
      isNear = entries.at(-1)?.isIntersecting ?? false;
      passOn();
    },
    { rootMargin: `${height}px` },
  );
  seen.observe(box);
  return {
    take(value) {
      waiting = { value };
      passOn();
    },
    end: () => seen.disconnect(),
  };
}

type Colour = (name: string) => () => string;

function optionsOf(box: HTMLElement, options: PlotOptions, colour: Colour): UPlot.Options {
  const axis: UPlot.Axis = {
    stroke: colour("--quiet"),
    font: axisFont,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const digits = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
  const write = (value: number | null) =>
    value === null ? "" : options.isShare ? `${digits.format(value * 100)} %` : shortTick(value, digits);
  return {
    width: box.clientWidth || 400,
    height,
    legend: { show: false },
    cursor: { y: false, sync: { key: options.across, scales: ["x", null] }, drag: { x: true, y: false } },
    scales: {
      x: { time: false },
      y: options.isLog ? { distr: 3 } : { range: (_, low, high) => rangeOf(options.isShare, low, high) },
    },
    series: [{}, ...lines(options, colour)],
    axes: [
      {
        ...axis,
        ...labels,
        label: options.across,
        grid: { show: false },
        size: 26,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5],
      },
      { ...axis, ...labels, label: options.up, size: 46, values: (_, ticks) => ticks.map(write) },
    ],
    hooks: { setCursor: [({ cursor: { idx, left = -1 } }) => options.onCursor(left < 0 ? null : (idx ?? null))] },
  };
}

function lines({ count, isSmoothed }: PlotOptions, colour: Colour): UPlot.Series[] {
  const line = (curve: number, isRaw: boolean): UPlot.Series => ({
    stroke: colour(`--curve-${curve % 8}`),
    width: isRaw ? 1 : 2,
    alpha: isRaw ? 0.35 : 1,
    dash: isRaw ? [] : (dashes[dashOf(curve)] as number[]),
    // An evaluation has points at a few steps only.
    spanGaps: false,
    points: { size: 5, fill: colour(`--curve-${curve % 8}`), filter: pointsToShow },
  });
  const curves = Array.from({ length: count }, (_, curve) => curve);
  return [
    ...curves.map((curve) => line(curve, isSmoothed)),
    ...(isSmoothed ? curves.map((curve) => line(curve, false)) : []),
  ];
}

/** Shows points where there are few of them, and those between gaps, which a line does not show. */
const pointsToShow: UPlot.Series.Points.Filter = (self, series) => {
  const values = self.data[series] as (number | null | undefined)[];
  const known = values.flatMap((value, index) => (value == null ? [] : [index]));
  if (known.length <= 30) return known;
  return known.filter((index) => values[index - 1] === null && values[index + 1] === null);
};

/** The scale includes 0 unless all values are far from it. */
function rangeOf(isShare: boolean, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (isShare) return high > 0.4 ? [Math.min(0, low), 1] : [Math.min(0, low), high * 1.1 || 0.01];
  const from = low > 0 && low < high * 0.6 ? 0 : low;
  if (from === high) return [Math.min(0, low * 1.1), Math.max(0, high * 1.1) || 1];
  return UPlot.rangeNum(from, high, { min: { pad: 0.05, soft: 0, mode: 2 }, max: { pad: 0.08, soft: 0, mode: 2 } }) as [
    number,
    number,
  ];
}

function shortTick(value: number, digits: Intl.NumberFormat): string {
  const size = Math.abs(value);
  return size !== 0 && size < 1e-3 ? value.toExponential(0) : digits.format(value);
}

/** Returns a custom property as a colour that a canvas understands. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
