/** The HTML document of a page. */
import { raw } from "hono/html";
import type { FC, PropsWithChildren } from "hono/jsx";
import { styles } from "./assets.js";

/** @param props `site` selects the stylesheet, and `look` is the CSS class of the body */
export const Document: FC<PropsWithChildren<{ site: string; title: string; look?: string }>> = ({
  site,
  title,
  look,
  children,
}) => (
  <>
    {raw("<!doctype html>")}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title}</title>
        {/* Browsers request a default icon if a page names no icon. */}
        <link rel="icon" href="data:," />
        <style>{styles(site)}</style>
      </head>
      <body class={look}>{children}</body>
    </html>
  </>
);
