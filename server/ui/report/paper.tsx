/** A page for print: sections of facts, tables, charts and texts. */
import { Facts, TextTable } from "../pages/runs/training/facts.js";
import { Inline } from "../parts/text.js";
import { BandChart } from "./band-chart.js";
import type { PaperData, PaperSection } from "./report.js";
import "./paper.css";

export function PaperPage({ report: { title, note, sections } }: { report: PaperData }) {
  return (
    <section class="run paper">
      <ReportHead title={title} note={note} />
      <PaperSections sections={sections} />
    </section>
  );
}

export function ReportHead({ title, note }: { title: string; note: string }) {
  return (
    <>
      <h1>
        <Inline text={title} most={300} />
      </h1>
      <p class="quiet">
        <Inline text={note} />
      </p>
    </>
  );
}

export function PaperSections({ sections }: { sections: readonly PaperSection[] }) {
  return (
    <>
      {sections.map((section) => (
        <Section key={section.heading} {...section} />
      ))}
    </>
  );
}

function Section({ heading, texts = [], facts = [], tables = [], charts = [] }: PaperSection) {
  const isEmpty = [texts, facts, tables, charts].every(({ length }) => length === 0);
  if (isEmpty) return null;
  return (
    <>
      <h2>
        <Inline text={heading} most={200} />
      </h2>
      {facts.length > 0 && <Facts label={heading} facts={facts} />}
      {tables.map(({ title, ...table }, at) => (
        <div key={at} class="paper-table">
          {title !== "" && (
            <p>
              <Inline text={title} />
            </p>
          )}
          <TextTable label={title === "" ? heading : title} {...table} areNumbers />
        </div>
      ))}
      {charts.length > 0 && (
        <div class="charts">
          {charts.map((chart) => (
            <BandChart key={chart.title} {...chart} />
          ))}
        </div>
      )}
      {texts.map((text) => (
        <p class="note" key={text}>
          <Inline text={text} />
        </p>
      ))}
    </>
  );
}
