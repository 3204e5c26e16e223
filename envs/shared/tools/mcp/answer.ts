/** Converts results of MCP tools to answers for an agent. */
import type { ObservationPart } from "../../../env.js";
import { bounded, type ToolAnswer } from "../tool-kit.js";
import type { McpConnection } from "./server.js";

type Result = Awaited<ReturnType<McpConnection["call"]>>;
type Block = Result["content"][number];
type Picture = ObservationPart & { type: "image" };

/** Maximum total number of Base64 characters of the images in one answer. */
const mostPicture = 4 * 2 ** 20;

/**
 * Converts a result to an answer: joins the texts, attaches PNG images, and replaces all other content with its name.
 */
export function answerOf({
  content,
  structuredContent,
  isError,
}: Result & { structuredContent?: unknown }): ToolAnswer {
  const texts: string[] = [];
  const parts: Picture[] = [];
  let room = mostPicture;
  for (const block of content) {
    const picture = pictureIn(block);
    if (picture && picture.data.length <= room) {
      room -= picture.data.length;
      parts.push(picture);
    } else texts.push(picture ? `[an image of ${picture.data.length} characters is too large]` : textOf(block));
  }
  if (content.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  const text = bounded(texts.join("\n")) || (parts.length > 0 ? "" : "The answer is empty.");
  return { text, ...(parts.length > 0 && { parts }), ...(isError && { isError: true }) };
}

function pictureIn(block: Block): Picture | undefined {
  if (block.type !== "image" || block.mimeType !== "image/png") return undefined;
  return { type: "image", mediaType: "image/png", data: block.data };
}

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource" && "text" in block.resource) return String(block.resource.text);
  if (block.type === "resource_link") return `[resource ${block.name}: ${block.uri}]`;
  const type = "mimeType" in block ? block.mimeType : block.type;
  return `[${type} that cannot be shown]`;
}
