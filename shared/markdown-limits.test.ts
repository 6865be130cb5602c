// Which texts are read as Markdown.
import { describe, expect, it } from 'vitest'
import { isBearableMarkdown } from './markdown-limits.ts'

describe('a text is read as Markdown', () => {
  it.each([
    ['an empty one', ''],
    ['a table of a hundred rows', `| a | b |\n|---|---|\n${'| **1** | [2](https://a.example) |\n'.repeat(100)}`],
    ['rules of any length', `a\n\n${'- '.repeat(80)}\n\n${'* * *'.repeat(30)}\n\n> ${'_ '.repeat(60)}`],
    ['lists ten deep', Array.from({ length: 10 }, (_, at) => `${'  '.repeat(at)}- item`).join('\n')],
    ['quotes five deep', '> > > > > why?'],
    ['code that is far indented', `\`\`\`\n${' '.repeat(90)}return [1, 2]\n\`\`\``],
    ['many paragraphs with many marks', '**a** _b_ `c` [d](e) '.repeat(30).concat('\n\n').repeat(30)],
    ['a long answer', 'A sentence with **bold** words.\n\n'.repeat(900)],
  ])('%s', (_, text) => expect(isBearableMarkdown(text)).toBe(true))
})

describe('a text is shown plainly', () => {
  it.each([
    ['quotes', '>'.repeat(10_000)],
    ['quotes with spaces', '> '.repeat(5000)],
    ['quotes of a line deep inside', `fine\n\nfine\n${'>'.repeat(100)} a`],
    ['lists', `${'- '.repeat(5000)}a`],
    ['numbers', `${'1. '.repeat(3000)}a`],
    ['both', '> - 1. '.repeat(50)],
    ['lists by indentation', Array.from({ length: 200 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
    ['lists by tabs', Array.from({ length: 100 }, (_, at) => `${'\t'.repeat(at)}+ a`).join('\r\n')],
    ['brackets', `${'['.repeat(5000)}a${']'.repeat(5000)}`],
    ['pictures', '!['.repeat(5000)],
    ['marks that nothing closes', '*a_ '.repeat(2500)],
    ['marks over several lines', '*a_ \n'.repeat(900)],
    ['code signs', '`a``b'.repeat(1000)],
    ['headings', '|\n---\n'.repeat(5000)],
    ['empty lines', '\n'.repeat(10_000)],
    ['far too much', 'a'.repeat(100_000)],
  ])('%s', (_, text) => expect(isBearableMarkdown(text)).toBe(false))
})
