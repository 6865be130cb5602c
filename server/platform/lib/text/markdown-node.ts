// What Markdown is read into: the nodes of CommonMark with tables and strikethrough.
import type { fromMarkdown } from 'mdast-util-from-markdown'

/** The whole text. */
export type MarkdownTree = ReturnType<typeof fromMarkdown>

/** Anything in it. */
export type MarkdownNode = MarkdownTree | MarkdownTree['children'][number]
