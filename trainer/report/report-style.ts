/** Styles of reports, light and dark. */
export const reportStyle = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b2030; --soft: #667085; --line: #e4e7ec;
  --c0: #2563eb; --c1: #d97706; --c2: #059669; --c3: #c026d3;
  --c4: #dc2626; --c5: #0891b2; --c6: #65a30d; --c7: #7c3aed; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1117; --card: #171b24; --ink: #e6e9f0; --soft: #8d97aa;
  --line: #283042; --c0: #6ea8fe; --c1: #fbbf24; --c2: #34d399; --c3: #e879f9;
  --c4: #f87171; --c5: #22d3ee; --c6: #a3e635; --c7: #a78bfa; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 32px 24px 64px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 17px; margin: 40px 0 12px; }
.sub { color: var(--soft); margin: 0 0 24px; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; }
@media (max-width: 760px) { .tiles { grid-template-columns: repeat(2, 1fr); } body { padding: 20px 12px 40px; } }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: 12px 16px; }
.tile b { display: block; font-size: 24px; line-height: 1.3; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.tile span { color: var(--soft); font-size: 13px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 16px; }
.card { margin: 0; padding: 14px 16px 8px; min-width: 0; }
figcaption { font-weight: 600; display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; margin-bottom: 6px; }
figcaption small { font-weight: 400; color: var(--soft); font-size: 12.5px; }
.legend { margin-left: auto; display: flex; flex-wrap: wrap; gap: 2px 14px; font-weight: 400; font-size: 12.5px; color: var(--soft); }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.key i { display: inline-block; width: 9px; height: 9px; border-radius: 3px; margin-right: 5px; }
i.c0 { background: var(--c0); } i.c1 { background: var(--c1); } i.c2 { background: var(--c2); } i.c3 { background: var(--c3); }
i.c4 { background: var(--c4); } i.c5 { background: var(--c5); } i.c6 { background: var(--c6); } i.c7 { background: var(--c7); }
svg { display: block; width: 100%; height: auto; }
h2 + figure.card > svg { max-height: 320px; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
path { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.curve { stroke-width: 2.2; } .raw { stroke-width: 1.2; opacity: 0.28; }
path.c0 { stroke: var(--c0); } path.c1 { stroke: var(--c1); } path.c2 { stroke: var(--c2); } path.c3 { stroke: var(--c3); }
path.c4 { stroke: var(--c4); } path.c5 { stroke: var(--c5); } path.c6 { stroke: var(--c6); } path.c7 { stroke: var(--c7); }
circle.c0 { fill: var(--c0); } circle.c1 { fill: var(--c1); } circle.c2 { fill: var(--c2); } circle.c3 { fill: var(--c3); }
circle.c4 { fill: var(--c4); } circle.c5 { fill: var(--c5); } circle.c6 { fill: var(--c6); } circle.c7 { fill: var(--c7); }
.bar { fill: var(--c0); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
td, th { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td:first-child { white-space: nowrap; color: var(--soft); width: 1%; padding-right: 28px; }
.figures td:not(:first-child), .figures th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
h2 + .card:has(+ .card) { margin-bottom: 16px; }
td code { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.empty { color: var(--soft); }
@media print { body { background: #fff; } .card, .tile { break-inside: avoid; } }
`;
