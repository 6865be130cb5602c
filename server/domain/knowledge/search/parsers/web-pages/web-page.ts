// One page of the web → what a reader sees of it, and what a crawler needs. Nothing is loaded or run.
import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import type { Block } from '../../chunking/blocks.ts'
import { decode } from '../encoding/encoding.ts'
import { parseHtml } from '../html/html.ts'

export type WebPage = {
  /** Empty when the page has none. */
  title: string
  /** Headings begin with `#`; rows of tables keep the names of their columns. Empty when there is nothing to read. */
  text: string
  /** Of title and text: another one when a reader would see something else. */
  contentHash: string
  /** Whole http(s) addresses without fragments, in the order of the page, each once. */
  links: string[]
  /** What the page itself allows to robots. */
  mayIndex: boolean
  mayFollow: boolean
}

const LINKS_MAX = 2000
const TITLE_MAX = 200
const URL_MAX = 2000

/** Reads the HTML of a page that was found at `url`. */
export function readWebPage(bytes: Uint8Array, url: string, characters: number): WebPage {
  const text = parseHtml(bytes, { url })
    .blocks.map(lineOf)
    .join('\n')
    .slice(0, characters)
    .replaceAll('\0', '')
    .toWellFormed()
  const { title, links, robots } = readHead(decode(bytes, true).text, url)
  return {
    title,
    text,
    contentHash: createHash('sha256').update(`${title}\n${text}`).digest('hex'),
    links,
    mayIndex: !robots.has('noindex') && !robots.has('none'),
    mayFollow: !robots.has('nofollow') && !robots.has('none'),
  }
}

function lineOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`
    case 'item':
      return `- ${block.text}`
    case 'row':
      return block.header ? `${block.header}: ${block.text}` : block.text
    case 'text':
      return block.text
    default:
      return block satisfies never
  }
}

function readHead(html: string, url: string) {
  let base = url
  let title = ''
  let isInTitle = false
  const robots = new Set<string>()
  const links = new Set<string>()
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title' && title === '') isInTitle = true
      else if (name === 'base' && attributes.href && base === url) base = URL.parse(attributes.href, url)?.href ?? url
      else if (name === 'meta') for (const word of robotsWords(attributes)) robots.add(word)
      else if (name === 'a' && links.size < LINKS_MAX) {
        const link = linkOf(attributes, base)
        if (link) links.add(link)
      }
    },
    ontext(text) {
      if (isInTitle) title += text
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false
    },
  })
  parser.write(html)
  parser.end()
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX).toWellFormed(), links: [...links], robots }
}

function robotsWords({ name = '', content = '' }: Record<string, string>): string[] {
  return /^(?:robots|parley)$/i.test(name) ? content.toLowerCase().split(/[\s,]+/) : []
}

function linkOf({ href, rel = '' }: Record<string, string>, base: string): string | undefined {
  if (!href || href.length > URL_MAX || /\bnofollow\b/i.test(rel)) return undefined
  const url = URL.parse(href, base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  url.hash = ''
  return url.href
}
