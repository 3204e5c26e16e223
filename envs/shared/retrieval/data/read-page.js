/**
 * Runs in a web page. Text of the page: Readability finds the article, Turndown writes it as Markdown.
 *
 * Gives `{title, text, links: [{id, title}]}`, or null where the page is no text.
 */
({ Readability, TurndownService, gfm }, { mostCharacters, mostLinkTitle }) => {
  const { contentType, body } = document;
  if (!body || !/^text\/|json|xml/.test(contentType)) return null;
  const title = document.title.trim();
  if (!/html/.test(contentType)) return { title, text: textOf(body), links: [] };
  // Readability takes the document apart.
  const article = new Readability(document.cloneNode(true)).parse();
  const content = new DOMParser().parseFromString(article?.content ?? "", "text/html");
  const links = linksIn(article?.content ? content : document);
  const text = markdownOf(content.body).trim() || textOf(body);
  return { title: (article?.title || title).trim(), text: text.slice(0, mostCharacters), links };

  function textOf(element) {
    return (element.innerText ?? element.textContent).trim().slice(0, mostCharacters);
  }

  function linksIn(root) {
    return [...root.querySelectorAll("a[href]")].flatMap((anchor) => {
      const name = anchor.textContent.trim().replace(/\s+/g, " ").slice(0, mostLinkTitle);
      const address = anchor.getAttribute("href");
      if (!name || !URL.canParse(address, document.baseURI)) return [];
      const url = new URL(address, document.baseURI);
      url.hash = "";
      return /^https?:$/.test(url.protocol) ? [{ id: url.href, title: name }] : [];
    });
  }

  /** Links are told apart from the text, and pictures cannot be told. */
  function markdownOf(root) {
    for (const anchor of root.querySelectorAll("a")) anchor.replaceWith(...anchor.childNodes);
    for (const picture of root.querySelectorAll("img, picture, svg, video, audio, iframe")) picture.remove();
    const markdown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
    markdown.use(gfm);
    return markdown.turndown(root);
  }
};
