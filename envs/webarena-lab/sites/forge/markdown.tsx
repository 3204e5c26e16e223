/** Renders the subset of Markdown that issues and READMEs use. */
import type { FC } from "hono/jsx";

const inline = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|\/)[^)\s]+\)|@[\w.-]*\w)/;

const Inline: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(inline).map((part) => {
      if (part.startsWith("`") && part.length > 1) return <code>{part.slice(1, -1)}</code>;
      if (part.startsWith("**") && part.length > 4) return <strong>{part.slice(2, -2)}</strong>;
      if (/^@[\w.-]*\w$/.test(part)) return <a href={`/${part.slice(1)}`}>{part}</a>;
      const [, shown, href] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
      return href === undefined ? part : <a href={href}>{shown}</a>;
    })}
  </>
);

const Block: FC<{ text: string }> = ({ text }) => {
  const [, marks = "", heading = ""] = /^(#{1,4}) (.*)/.exec(text) ?? [];
  if (marks) {
    const rest = text.split("\n").slice(1).join("\n").trim();
    const Heading = `h${Math.min(4, marks.length + 1)}` as "h2";
    return (
      <>
        <Heading>{heading}</Heading>
        {rest && <Block text={rest} />}
      </>
    );
  }
  if (text.startsWith("```")) return <pre>{text.replace(/^```\w*\n?|\n?```$/g, "")}</pre>;
  const lines = text.split("\n");
  const marker = lines.every((line) => /^[-*] /.test(line))
    ? /^[-*] /
    : lines.every((line) => /^\d+\. /.test(line))
      ? /^\d+\. /
      : undefined;
  if (!marker)
    return (
      <p>
        <Inline text={text} />
      </p>
    );
  const items = lines.map((line) => (
    <li>
      <Inline text={line.replace(marker, "")} />
    </li>
  ));
  return lines[0]?.startsWith("1.") ? <ol>{items}</ol> : <ul>{items}</ul>;
};

export const Markdown: FC<{ text: string }> = ({ text }) => (
  <>
    {text
      .trim()
      .split(/\n{2,}/)
      .filter(Boolean)
      .map((block) => (
        <Block text={block} />
      ))}
  </>
);
