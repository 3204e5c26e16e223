/** Styles of a benchmark run's page, in addition to those of reports. */
export const evaluationStyle = `
.tile em { display: block; font-style: normal; font-size: 13px; color: var(--soft); font-variant-numeric: tabular-nums; }
.note { color: var(--soft); font-size: 13.5px; max-width: 80ch; }
.cut { border-left: 4px solid var(--c1); padding: 8px 14px; background: var(--card); }
#worst button { font: inherit; font-size: 13.5px; padding: 2px 0; color: var(--c0); background: none; border: 0; cursor: pointer;
  text-align: left; text-decoration: underline; }
.quoted td { color: var(--soft); font-style: italic; }
.label { fill: var(--ink); font-size: 12px; } .soft { fill: var(--soft); }
.interval .tick { fill: var(--ink); }
.whisker { stroke: var(--c0); stroke-width: 1.6; } .dot { fill: var(--c0); }
#filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin: 12px 0;
  padding: 10px 0; background: var(--page); }
#query { flex: 1 1 260px; font: inherit; padding: 7px 12px; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; }
#count { color: var(--soft); font-variant-numeric: tabular-nums; }
#more { font: inherit; margin-top: 12px; padding: 7px 16px; color: var(--ink); background: var(--card); cursor: pointer;
  border: 1px solid var(--line); border-radius: 8px; }
.episode { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 6px;
  padding: 7px 12px; margin: 6px 0; overflow-wrap: anywhere; }
.episode summary { cursor: pointer; color: var(--soft); } .episode summary b { color: var(--ink); }
.solved { border-left-color: var(--c2); } .unsolved { border-left-color: var(--c1); } .failed { border-left-color: var(--c4); }
.snippet { display: block; font-size: 13px; margin-left: 14px; }
.lost { color: var(--c4); }
mark { background: color-mix(in srgb, var(--c1) 35%, transparent); color: inherit; border-radius: 2px; }
pre { white-space: pre-wrap; font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; margin: 4px 0;
  padding: 8px 12px; border-radius: 6px; }
.seen { background: color-mix(in srgb, var(--soft) 8%, transparent); }
.wrote { background: color-mix(in srgb, var(--c0) 12%, transparent); }
.aside { margin: 0 12px; font-size: 13px; color: var(--soft); }
.turn { display: grid; grid-template-columns: 32px minmax(0, 1fr); } .turn > * { grid-column: 2; }
.turn > h3 { grid-column: 1; grid-row: 1; margin: 10px 0 0; font-size: 12.5px; font-weight: 400; color: var(--soft); }
rect.c1 { fill: var(--c1); } rect.c2 { fill: var(--c2); }
[hidden] { display: none !important; }
`;
