// Texts that a model, a customer or a document may hold, from everyday Markdown to what is written to stop a page.

/** `shows`: what a reader sees of it, where that is not the text itself. */
export type ContentText = { name: string; text: string; shows?: string }

/** Every form of a character reference: named with and without an end, decimal, hexadecimal, unknown, out of range. */
const ENTITIES: ContentText[] = [
  { name: 'a named entity', text: 'AT&amp;T&nbsp;sells &copy; &eacute;', shows: 'AT&T\u00a0sells © é' },
  { name: 'numeric entities', text: 'one &#169; two &#xA9; three &#X41;', shows: 'one © two © three A' },
  { name: 'a long entity', text: 'end &CounterClockwiseContourIntegral; here', shows: 'end ∳ here' },
  { name: 'an entity of two characters', text: 'a &NotEqualTilde; b', shows: 'a ≂̸ b' },
  { name: 'what is no entity', text: 'a &nothing; b & c &; d &# e &notit; f', shows: 'a &nothing; b & c' },
  { name: 'an entity without its end', text: 'a &amp b &copy c', shows: 'a &amp b &copy c' },
  { name: 'entities out of range', text: 'a &#0; b &#x110000; c &#xD800; d', shows: 'a \ufffd b' },
  { name: 'an entity that would be markup', text: '&lt;img src=x onerror=alert(1)&gt;', shows: '<img src=x' },
  { name: 'an entity in code', text: '`AT&amp;T` and `&lt;`', shows: 'AT&amp;T' },
  { name: 'an entity in a link', text: '[AT&amp;T](https://example.com/?a=1&amp;b=2 "A&nbsp;B")', shows: 'AT&T' },
  { name: 'an entity in a definition', text: '[one][two]\n\n[two]: https://example.com/&ouml; "&ouml;"', shows: 'one' },
  { name: 'an entity behind a fence', text: '```f&ouml;&ouml;\ncode\n```', shows: 'code' },
]

const MARKDOWN: ContentText[] = [
  {
    name: 'links',
    text: '[a](https://a.example) <https://b.example> www.c.example d@e.example',
    shows: 'www.c.example',
  },
  { name: 'links that harm', text: '[run](javascript:alert(1)) [data](data:text/html,x) [blob](blob:x)', shows: 'run' },
  { name: 'pictures', text: 'before ![alt](https://a.example/p.png) ![x](javascript:alert(1)) after', shows: 'before' },
  { name: 'a table', text: '| A | B |\n|---|:-:|\n| 1 | **2** |\n| 3 |', shows: '2' },
  { name: 'code', text: '```js\nconst a = "<b>" && 1\n```\n\n    indented\n\n`x`', shows: 'const a = "<b>" && 1' },
  {
    name: 'markup',
    text: 'before <script>window.hacked = 1</script><img src=x onerror="window.hacked=1"> after',
    shows: 'before',
  },
  {
    name: 'a block of markup',
    text: '<iframe srcdoc="x"></iframe>\n\n<style>*{display:none}</style>\n\nafter',
    shows: 'after',
  },
  { name: 'footnotes', text: 'one[^1] two[^none]\n\n[^1]: The *note*.', shows: 'one' },
  { name: 'tasks', text: '- [x] done\n- [ ] open\n  1. one\n     - two', shows: 'done' },
  { name: 'mathematics', text: '$$\\frac{a}{b}$$ and $x_1 < y^2$ and \\(z\\) and a_{1}*b*{2}', shows: 'and' },
  { name: 'struck and hard', text: '~~old~~ **new** __also__ ***both***  \nnext\\\nline', shows: 'old' },
  { name: 'headings', text: '# One\n\n## Two\n\nThree\n===\n\n---\n\n> quoted', shows: 'Three' },
]

const SCRIPTS: ContentText[] = [
  { name: 'right to left', text: 'مرحبا **بك** abc \u202eevil\u202c שלום', shows: 'مرحبا' },
  { name: 'emoji', text: '👩‍👩‍👧‍👦 🇰🇿 👍🏽 ☎️ 1️⃣', shows: '🇰🇿' },
  { name: 'combining signs', text: `Z${'\u0351\u0323'.repeat(200)}algo`, shows: 'algo' },
  { name: 'invisible signs', text: 'a\u200b\u200d\ufeff\u2028\u2029\u0007\u001b[31mb', shows: 'a' },
  { name: 'a word without an end', text: 'w'.repeat(5000), shows: 'wwww' },
]

/** Each of these would take seconds, or more of the stack than there is. */
export const ENDLESS: ContentText[] = [
  { name: 'quotes', text: '>'.repeat(10_000), shows: '>>>>' },
  {
    name: 'quotes line by line',
    text: Array.from({ length: 170 }, (_, at) => `${'>'.repeat(at)} a`).join('\n'),
    shows: '>>>>',
  },
  { name: 'lists', text: `${'- '.repeat(5000)}a`, shows: '- - - -' },
  { name: 'numbers', text: `${'1. '.repeat(3000)}a`, shows: '1. 1. 1.' },
  { name: 'brackets', text: '['.repeat(10_000), shows: '[[[[' },
  { name: 'brackets in brackets', text: `${'['.repeat(5000)}a${']'.repeat(5000)}`, shows: '[[[[' },
  { name: 'stars', text: '*'.repeat(10_000) },
  { name: 'emphasis in emphasis', text: `${'*a **b '.repeat(2000)}${'** *'.repeat(2000)}`, shows: '*a **b' },
  { name: 'underlines', text: '*a_ '.repeat(4000), shows: '*a_ *a_' },
  { name: 'a table of empty lines', text: '|\n---\n'.repeat(4000), shows: '---' },
  { name: 'pictures in pictures', text: `${'!['.repeat(3000)}${'](a)'.repeat(3000)}`, shows: '![![' },
]

/** Fits on the first page of a conversation. */
export const TEXTS: ContentText[] = [
  ...ENTITIES,
  ...MARKDOWN,
  ...SCRIPTS,
  {
    name: 'a long text',
    text: 'A sentence with **bold**, a [link](https://a.example) & more. '.repeat(400),
    shows: 'A sentence',
  },
]

/** Names of people, tags and files that are no plain words. */
export const NAMES = [
  '<b>Bold</b> &amp; "quoted"',
  '{{1}} $1 %s',
  '[a](javascript:alert(1))',
  '\u202eright',
  '👩‍👩‍👧‍👦',
  '`',
]
