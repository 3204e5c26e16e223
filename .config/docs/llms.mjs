/** Writes the pages for language models: llms.txt lists them, as https://llmstxt.org describes, and llms-full.txt has them all. */

/**
 * @param outline sections `{ title, entries }` of pages `{ name, file, summary, text }`
 * @param site URL or path of the site, without a slash at its end
 */
export function llmsText(outline, site) {
  const [first] = outline[0].entries;
  const lists = outline.map(({ title, entries }) => {
    const lines = entries.map(
      ({ name, file, summary }) => `- [${name}](${site}/${file})${summary ? `: ${shortened(summary)}` : ""}`,
    );
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `${[`# Palestra`, `> ${first.summary}`, ...lists].join("\n\n")}\n`;
}

/** All pages one after another, each with its address. */
export function llmsFullText(outline, site) {
  const pages = outline.flatMap(({ entries }) => entries);
  return pages.map(({ file, text }) => `<!-- ${site}/${file} -->\n\n${text.trim()}\n`).join("\n");
}

/** The first sentence. */
function shortened(summary) {
  const [sentence] = /^.*?[.:](?= |$)/.exec(summary) ?? [summary];
  return sentence.replace(/:$/, ".");
}
