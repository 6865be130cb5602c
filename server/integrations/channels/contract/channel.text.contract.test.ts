// What customers read of an answer, tried on every channel over the fake of its provider: the same Markdown, as each of them shows it.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import type { Markup } from '#shared/channels/manifest.ts'
import { PROVIDERS, type ProviderStage } from '#tests/channel-stages.ts'

/** `plain` is what customers of VK, Avito and Instagram read; `whatsapp` and `html` only where they differ from it. */
type Case = { source: string; plain: string; whatsapp?: string; html?: string }

/** Less than any fake takes in a row. */
const SENDS_AT_ONCE = 15

const table = '| A | B |\n|---|---|\n| 1 | 2 |'
const CASES: Case[] = [
  {
    source: `# Delivery\n\n**Bold** and [site](https://a.example/x)\n\n- one\n- two\n\n${table}`,
    plain: 'Delivery\n\nBold and site: https://a.example/x\n\n• one\n• two\n\nA: 1 · B: 2',
    whatsapp: '*Delivery*\n\n*Bold* and site: https://a.example/x\n\n• one\n• two\n\nA: 1 · B: 2',
    html: '<b>Delivery</b>\n\n<b>Bold</b> and <a href="https://a.example/x">site</a>\n\n• one\n• two\n\n<pre>A  B\n1  2</pre>',
  },
  // Marks
  { source: '**Bold** word', plain: 'Bold word', whatsapp: '*Bold* word', html: '<b>Bold</b> word' },
  { source: '__Bold__ word', plain: 'Bold word', whatsapp: '*Bold* word', html: '<b>Bold</b> word' },
  { source: '*thin* word', plain: 'thin word', whatsapp: '_thin_ word', html: '<i>thin</i> word' },
  { source: '_тонко_, да', plain: 'тонко, да', whatsapp: '_тонко_, да', html: '<i>тонко</i>, да' },
  { source: '~~gone~~ word', plain: 'gone word', whatsapp: '~gone~ word', html: '<s>gone</s> word' },
  {
    source: 'Цена ~~10 000~~ 7 000 ₸, доставка 500 ~~900~~ ₸',
    plain: 'Цена 10 000 → 7 000 ₸, доставка 500 ← 900 ₸',
    whatsapp: 'Цена ~10 000~ 7 000 ₸, доставка 500 ~900~ ₸',
    html: 'Цена <s>10 000</s> 7 000 ₸, доставка 500 <s>900</s> ₸',
  },
  {
    source: '| Тариф | Цена |\n|---|---|\n| А | ~~1000~~ 700 |',
    plain: 'Тариф: А · Цена: 1000 → 700',
    whatsapp: 'Тариф: А · Цена: ~1000~ 700',
    html: '<pre>Тариф  Цена\nА      1000 → 700</pre>',
  },
  { source: '***both***', plain: 'both', whatsapp: '*_both_*', html: '<b><i>both</i></b>' },
  { source: '**a _b_ c**', plain: 'a b c', whatsapp: '*a _b_ c*', html: '<b>a <i>b</i> c</b>' },
  { source: '**Астана**да қалдық', plain: 'Астанада қалдық', html: '<b>Астана</b>да қалдық' },
  {
    source: 'Сағат **тоғызда** келіңіз',
    plain: 'Сағат тоғызда келіңіз',
    whatsapp: 'Сағат *тоғызда* келіңіз',
    html: 'Сағат <b>тоғызда</b> келіңіз',
  },
  { source: '**Цена:**4990', plain: 'Цена:4990', html: '<b>Цена:</b>4990' },
  { source: '**Цена:** 4990', plain: 'Цена: 4990', whatsapp: '*Цена:* 4990', html: '<b>Цена:</b> 4990' },
  { source: '**مرحبا** بكم', plain: 'مرحبا بكم', whatsapp: '*مرحبا* بكم', html: '<b>مرحبا</b> بكم' },
  {
    source: 'a\u200b **b**\u200b',
    plain: 'a\u200b b\u200b',
    whatsapp: 'a\u200b *b*\u200b',
    html: 'a\u200b <b>b</b>\u200b',
  },
  { source: '**one\ntwo**', plain: 'one\ntwo', whatsapp: '*one*\n*two*', html: '<b>one\ntwo</b>' },
  { source: '**2*3**', plain: '2*3', html: '<b>2*3</b>' },
  { source: '😀 **смело**', plain: '😀 смело', whatsapp: '😀 *смело*', html: '😀 <b>смело</b>' },
  // Headings and rules
  { source: '## Title', plain: 'Title', whatsapp: '*Title*', html: '<b>Title</b>' },
  { source: '# **Title** of it', plain: 'Title of it', whatsapp: '*Title of it*', html: '<b>Title of it</b>' },
  { source: 'Title\n===', plain: 'Title', whatsapp: '*Title*', html: '<b>Title</b>' },
  { source: 'above\n\n---\n\nbelow', plain: 'above\n\n———\n\nbelow' },
  // Links
  {
    source: 'See [site](https://a.kz/x_y).',
    plain: 'See site: https://a.kz/x_y.',
    html: 'See <a href="https://a.kz/x_y">site</a>.',
  },
  { source: '[https://a.kz](https://a.kz)', plain: 'https://a.kz' },
  { source: '[a.kz](https://a.kz/)', plain: 'a.kz', html: '<a href="https://a.kz/">a.kz</a>' },
  { source: '[Site:](https://a.kz)', plain: 'Site: https://a.kz', html: '<a href="https://a.kz">Site:</a>' },
  {
    source: '**[Site](https://a.kz)**',
    plain: 'Site: https://a.kz',
    whatsapp: '*Site:* https://a.kz',
    html: '<a href="https://a.kz"><b>Site</b></a>',
  },
  { source: '**https://a.kz/x**', plain: 'https://a.kz/x', html: '<b>https://a.kz/x</b>' },
  { source: '<https://a.kz/x_y>', plain: 'https://a.kz/x_y' },
  { source: 'https://ru.wikipedia.org/wiki/A_(b)_c', plain: 'https://ru.wikipedia.org/wiki/A_(b)_c' },
  { source: 'www.a.kz/x_y_z', plain: 'www.a.kz/x_y_z' },
  { source: 'Write to a_b@c.kz', plain: 'Write to a_b@c.kz' },
  { source: '[mail](mailto:a@b.kz)', plain: 'mail: a@b.kz', html: 'mail (mailto:a@b.kz)' },
  { source: '[+7 (701) 555](tel:+7701555)', plain: '+7 (701) 555' },
  { source: '[page][1]\n\n[1]: https://a.kz', plain: 'page: https://a.kz', html: '<a href="https://a.kz">page</a>' },
  {
    source: '![Red](https://a.kz/p.png)',
    plain: 'Red: https://a.kz/p.png',
    html: '<a href="https://a.kz/p.png">Red</a>',
  },
  { source: '![](https://a.kz/p.png)', plain: 'https://a.kz/p.png' },
  {
    source: '[![Red](https://i.kz/p)](https://a.kz)',
    plain: 'Red: https://a.kz',
    html: '<a href="https://a.kz">Red</a>',
  },
  { source: 'so[^1]\n\n[^1]: why', plain: 'so[1]\n\n[1] why' },
  // Lists
  { source: '- a\n- b\n  - c', plain: '• a\n• b\n  • c' },
  { source: '* a\n* b', plain: '• a\n• b' },
  { source: '3. a\n4. b', plain: '3. a\n4. b' },
  { source: '5. a\n7. b', plain: '5. a\n7. b' },
  { source: '1. a\n1. b', plain: '1. a\n2. b' },
  { source: '1) a\n2) b', plain: '1) a\n2) b' },
  { source: '- [x] done\n- [ ] open', plain: '☑ done\n☐ open' },
  { source: '1. **a**: b\n2. c', plain: '1. a: b\n2. c', whatsapp: '1. *a*: b\n2. c', html: '1. <b>a</b>: b\n2. c' },
  // Quotes, code, tables
  {
    source: '> one\n> **two**',
    plain: '│ one\n│ two',
    whatsapp: '> one\n> *two*',
    html: '<blockquote>one\n<b>two</b></blockquote>',
  },
  {
    source: 'Code `PROMO_10` now',
    plain: 'Code PROMO_10 now',
    whatsapp: 'Code ```PROMO_10``` now',
    html: 'Code <code>PROMO_10</code> now',
  },
  {
    source: '```js\na * b\n\n_c_\n```',
    plain: 'a * b\n\n_c_',
    whatsapp: '```a * b\n\n_c_```',
    html: '<pre>a * b\n\n_c_</pre>',
  },
  {
    source: '| A | B | C | D |\n|-|-|-|-|\n| 1 | | 3 | **4** |',
    plain: 'A: 1 · C: 3 · D: 4',
    whatsapp: 'A: 1 · C: 3 · D: *4*',
    html: '<pre>A  B  C  D\n1     3  4</pre>',
  },
  { source: '| A | B |\n|-|-|', plain: 'A · B', html: '<pre>A  B</pre>' },
  { source: '| A |\n|-|\n| [s](https://a.kz) |', plain: 'A: s: https://a.kz', html: '<pre>A\ns</pre>' },
  // HTML
  { source: 'a<br>b<br/>c', plain: 'a\nb\nc' },
  { source: '<b>a</b> & <i>b</i>', plain: 'a & b', whatsapp: '*a* & _b_', html: '<b>a</b> &amp; <i>b</i>' },
  { source: '<ul><li>a</li><li>b</li></ul>', plain: '• a\n• b' },
  {
    source: '<a href="https://a.kz?x=1&amp;y=2">s</a>',
    plain: 's: https://a.kz?x=1&y=2',
    html: '<a href="https://a.kz?x=1&amp;y=2">s</a>',
  },
  { source: 'Dear <name>, 2 < 3', plain: 'Dear <name>, 2 < 3' },
  { source: 'AT&amp;T&nbsp;&copy;', plain: 'AT&T\u00a0©' },
  { source: 'a<!-- b -->c', plain: 'ac' },
  // What is no Markdown, though it looks like it
  { source: '2*3*4', plain: '2*3*4' },
  { source: '5*3=15 and 2*4=8', plain: '5*3=15 and 2*4=8' },
  { source: '2**3**4', plain: '2**3**4' },
  { source: '5 * 3 * 2', plain: '5 * 3 * 2' },
  { source: 'snake_case_name and file_name.txt', plain: 'snake_case_name and file_name.txt' },
  { source: '~100 or ~5~', plain: '~100 or ~5~' },
  { source: '+7 (701) 555-00-11', plain: '+7 (701) 555-00-11' },
  { source: '#1 of all', plain: '#1 of all' },
  { source: '1. ', plain: '1.' },
  { source: ':-* see you :-*', plain: ':-* see you :-*' },
  { source: '\\*not bold\\*', plain: '*not bold*' },
  { source: 'one  \ntwo\\\nthree', plain: 'one\ntwo\nthree' },
  { source: 'plain words', plain: 'plain words' },
]

/** Where a provider gives a text its formatting, its customers read the words without tags. */
function expected({ source, plain, whatsapp = plain, html = plain }: Case, markup: Markup): string {
  if (markup === 'plain') return plain
  if (markup === 'whatsapp') return whatsapp
  return markup === 'entities' || markup === 'html' ? withoutTags(html) : source
}

function withoutTags(html: string): string {
  return html.replaceAll(/<\/?(?:b|i|s|a|code|pre|blockquote)\b[^>]*>/g, '').replaceAll('&amp;', '&')
}

/** Words with a mark, as a model may write them. */
const word = fc.constantFrom('tea', 'чай', 'сағат', 'مرحبا', '4990', 'https://a.kz/x_y_z', '+7701')
const phrase = fc.oneof(
  word,
  fc.tuple(fc.constantFrom('**', '*', '_', '~~', '__'), word).map(([mark, words]) => `${mark}${words}${mark}`),
  word.map((words) => `\`${words}\``),
  word.map((words) => `[${words}](https://a.kz/${encodeURIComponent(words)})`),
  word.map((words) => `<b>${words}</b>`),
)
const line = fc.array(phrase, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const block = fc.oneof(
  line,
  line.map((words) => `## ${words}`),
  line.map((words) => `> ${words}`),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((each) => `- ${each}`).join('\n')),
  fc
    .array(line, { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((each, at) => `${at + 1}. ${each}`).join('\n')),
  fc.tuple(line, line).map(([one, two]) => `| A | B |\n|---|---|\n| ${one} | ${two} |`),
  line.map((words) => `\`\`\`\n${words.replaceAll(/[*_~`<>[\]()]/g, '')}\n\`\`\``),
)
const markdown = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join('\n\n'))
const WORDS = /tea|чай|сағат|مرحبا|4990|7701/g
const RAW: Partial<Record<Markup, RegExp>> = {
  plain: /\*|~~|(?<![\w/])_|_(?![\w])|`|\]\(|^#|^>|\|/m,
  whatsapp: /\*\*|~~|__|\]\(|^#|\|/m,
  entities: /\*\*|~~|__|```|\]\(|^#|\|---/m,
  html: /\*\*|~~|__|```|\]\(|^#|\|---/m,
}

describe.each(PROVIDERS)('an answer by the channel %s', (_, open) => {
  let stage: ProviderStage
  let sends = 0
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())
  /** Providers take only so much in a second: another of them takes the next. */
  const shown = async (text: string, isPlain = false) => {
    if (++sends % SENDS_AT_ONCE === 0) {
      await stage.close()
      stage = await open()
    }
    const before = stage.sent().length
    await stage.adapter.send(stage.credentials, stage.chatId, text, `text${sends}`, { isPlain })
    expect(stage.sent()).toHaveLength(before + 1)
    return stage.sent().at(-1)?.trim()
  }

  it('shows as what it means, in what the channel can show', async () => {
    const read: [string, string | undefined][] = []
    for (const { source } of CASES) read.push([source, await shown(source)])
    expect(read).toEqual(CASES.map((each) => [each.source, expected(each, stage.adapter.showing.markup).trim()]))
  }, 60_000)

  it('goes as it was typed when a person typed it', async () => {
    for (const { source } of CASES.slice(0, 5)) expect(await shown(source, true)).toBe(source.trim())
  })
})

describe('an answer as HTML', () => {
  it.each(CASES)('$source', ({ source, plain, html = plain }) => {
    expect(sentText(source, 'html').trim()).toBe(html.trim())
  })
})

describe.each(['plain', 'whatsapp', 'entities', 'html'] as const)('any answer as %s', (markup) => {
  it('holds no sign that is shown as it is, and every word in its order', () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const text = sentText(source, markup)
        const words = markup === 'plain' || markup === 'whatsapp' ? text : text.replaceAll(/<a href="[^"]*">/g, '')
        const readable = words.replaceAll(/https?:\/\/\S+/g, '')
        const written = source.replaceAll(/\(https?:[^)]*\)|https?:\/\/[^\s\]*_~`<]+/g, '')
        expect(readable.replaceAll(/https:\/\/a\.kz\/x_y_z/g, '')).not.toMatch(RAW[markup] as RegExp)
        expect(readable.match(WORDS)).toEqual(written.match(WORDS))
      }),
      { numRuns: 300 },
    )
  })
})
