// Texts made to break their readers: input for catastrophic backtracking, deep nesting, odd encodings, wrong and double types.
import { type Hostile, READABLE } from './hostile.ts'

const text = (content: string) => () => Buffer.from(content)
const LOTS = 200_000

/** For each expression that could look for the end of a mark again from every beginning. */
const MARKS = ['*', '**a ', '_', '__a', '[', '[a](', '![', '`', '> ', '| ', '\\|'].map((mark) => mark.repeat(LOTS))
const SPACED = [`# ${' '.repeat(LOTS)}x`, `# ${'# '.repeat(LOTS)}x`, `- ${' '.repeat(LOTS)}x`, `|${' -'.repeat(LOTS)}x`]
const SENTENCES = ['!'.repeat(LOTS), '.»'.repeat(LOTS), ', '.repeat(LOTS), `1.${'1.'.repeat(LOTS)}`, 'е.'.repeat(LOTS)]

export const TEXTS: Hostile[] = [
  {
    name: 'columns.csv',
    content: text(`${'a,'.repeat(1_000_000)}\n1`),
    ends: { documents: 'ready', tables: 'too_large' },
  },
  { name: 'quotes.csv', content: text(`"${'"",'.repeat(1_000_000)}`), ends: { documents: 'ready', tables: 'empty' } },
  {
    name: 'expressions.csv',
    content: text(`a;b\n${'1'.repeat(LOTS)}e;${' '.repeat(LOTS)}x\n${'1 '.repeat(LOTS)};${'-'.repeat(LOTS)}`),
    ends: { documents: 'ready', tables: 'ready' },
  },
  { name: 'expressions.md', content: text([...MARKS, ...SPACED, READABLE].join('\n\n')), ends: { documents: 'ready' } },
  { name: 'expressions.txt', content: text([...SENTENCES, READABLE].join('\n\n')), ends: { documents: 'ready' } },
  {
    name: 'expressions.html',
    content: text(`<p>${READABLE}</p>${'<'.repeat(LOTS)}${'<!--'.repeat(LOTS)}${'&'.repeat(LOTS)}`),
    ends: { documents: 'ready' },
  },
  { name: 'deep.html', content: text(`${'<div>'.repeat(50_000)}${READABLE}`), ends: { documents: 'ready' } },
  {
    name: 'deep-tables.html',
    content: text(`${'<table><tr><td>'.repeat(20_000)}${READABLE}${'</table>'.repeat(20_000)}`),
    ends: { documents: 'ready' },
  },
  { name: 'rows.html', content: text(`<table>${'<tr>'.repeat(LOTS)}<td>${READABLE}`), ends: { documents: 'ready' } },
  { name: 'deep.json', content: text('['.repeat(2_000_000)), ends: { documents: 'invalid_json' } },
  { name: 'closed.json', content: text('['.repeat(LOTS) + ']'.repeat(LOTS)), ends: { documents: 'damaged' } },
  {
    name: 'names.json',
    content: text(
      `{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"text":"${READABLE}"}`,
    ),
    ends: { documents: 'ready' },
  },
  {
    name: 'utf7.html',
    content: text('<meta charset="utf-7"><p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>'),
    ends: { documents: 'ready' },
  },
  {
    name: 'halves.txt', // UTF-16 with a half of a character and half of a unit at its end
    content: () => Buffer.concat([Buffer.from(`\uFEFF${READABLE}\uD800\uDC00\uD800`, 'utf16le'), Buffer.from([0x41])]),
    ends: { documents: 'ready' },
  },
  { name: 'nothing.txt', content: () => Buffer.alloc(1_000_000), ends: { documents: 'empty' } },
  { name: 'unseen.md', content: text(' \n\u200b\uFEFF\n'.repeat(1_000)), ends: { documents: 'empty' } },
  { name: 'page.html', content: text(`<p>${READABLE}</p><!-- %PDF-1.7 -->`), ends: { documents: 'type_mismatch' } },
  { name: 'rich.txt', content: text('{\\rtf1\\ansi {\\*\\objdata 0105}}'), ends: { documents: 'type_mismatch' } },
  {
    name: 'old.docx',
    content: () =>
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array.from({ length: 600 }, () => 0xff)]),
    ends: { documents: 'type_mismatch' },
  },
]
