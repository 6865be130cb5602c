// PDF files made to break their readers: endless page trees, false counts, streams that inflate without bound.
import { deflateSync } from 'node:zlib'
import { type Hostile, READABLE } from './hostile.ts'
import { makePdf, makeTextPdf } from './pdf.ts'

const MEBIBYTE = 1024 * 1024
const FONT = '<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>'
const SHOWN = `BT /F 12 Tf 50 700 Td (${READABLE}) Tj ET`

/** A PDF without a table of its objects: readers then look for them. The second object is the root of the pages. */
const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'),
    ...objects.flatMap((body, at) => [Buffer.from(`${at + 2} 0 obj`), Buffer.from(body), Buffer.from('\nendobj\n')]),
    Buffer.from(`trailer<</Root 1 0 R/Size ${objects.length + 2}>>\n%%EOF`),
  ])
const stream = (content: Uint8Array | string, entries = '') => {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<</Length ${bytes.length}${entries}>>stream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}
const page = (contents: number, resources = FONT) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${contents} 0 R/Resources${resources}>>`
const deflated = (content: Uint8Array) => stream(deflateSync(content, { level: 9 }), '/Filter/FlateDecode')

/** Packed again and again: few bytes, and each layer has to be undone. */
function layered(layers: number): Buffer {
  let bytes: Buffer = Buffer.from(SHOWN)
  for (let layer = 0; layer < layers; layer++) bytes = deflateSync(bytes)
  return stream(bytes, `/Filter[${'/FlateDecode'.repeat(layers)}]`)
}

/** In bundles of 1,000, all with the same words, of which the first and last lines are taken for a running header and footer. */
function manyPages(bundles: number): Buffer {
  const bundle = (at: number) => {
    const kids = Array.from({ length: 1_000 }, (_, kid) => `${5 + bundles + at * 1_000 + kid} 0 R`)
    return `<</Type/Pages/Parent 2 0 R/Kids[${kids.join(' ')}]/Count 1000>>`
  }
  const lines = Array.from({ length: 5 }, (_, at) => SHOWN.replace('700', `${700 - at * 15}`)).join('\n')
  const kids = Array.from({ length: bundles }, (_, at) => `${5 + at} 0 R`).join(' ')
  return pdf(
    `<</Type/Pages/Kids[${kids}]/Count ${bundles * 1_000}>>`,
    stream(lines),
    FONT,
    ...Array.from({ length: bundles }, (_, at) => bundle(at)),
    ...Array.from({ length: bundles * 1_000 }, () => page(3, ' 4 0 R')),
  )
}

const image = (width: number) =>
  stream(
    deflateSync(Buffer.alloc(MEBIBYTE)),
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${width}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode`,
  )

export const PAGES: Hostile[] = [
  {
    name: 'circle.pdf',
    content: () => pdf('<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000>>'),
    ends: { documents: 'empty' },
  },
  {
    name: 'count.pdf',
    content: () => pdf('<</Type/Pages/Kids[3 0 R]/Count 2147483647>>', page(4), stream(SHOWN)),
    ends: { documents: 'ready' },
  },
  {
    name: 'deep-tree.pdf',
    content: () =>
      pdf(
        ...Array.from({ length: 20_000 }, (_, at) => `<</Type/Pages/Kids[${at + 3} 0 R]/Count 1>>`),
        page(20_003),
        stream(SHOWN),
      ),
    ends: { documents: 'ready' },
  },
  {
    name: 'many-pages.pdf',
    content: () => manyPages(100),
    ends: { documents: 'ready' },
    warns: ['limit_reached'],
  },
  {
    name: 'same-page.pdf',
    content: () => pdf(`<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>`, page(4), stream(SHOWN)),
    ends: { documents: 'damaged' },
  },
  {
    name: 'bursting.pdf',
    content: () => pdf('<</Type/Pages/Kids[3 0 R]/Count 1>>', page(4), deflated(Buffer.alloc(400 * MEBIBYTE, ' '))),
    ends: { documents: 'too_large' },
  },
  {
    name: 'layers.pdf',
    content: () => pdf('<</Type/Pages/Kids[3 0 R]/Count 1>>', page(4), layered(2_000)),
    ends: { documents: 'ready' },
  },
  {
    name: 'image.pdf',
    content: () =>
      pdf(
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        page(4, '<</XObject<</I 5 0 R>>>>'),
        stream('q 500 0 0 700 50 50 cm /I Do Q'),
        image(50_000),
      ),
    ends: { documents: 'ready' },
    warns: ['no_text_layer'],
  },
  {
    name: 'itself.pdf', // a form that draws itself
    content: () =>
      pdf(
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        page(4, '<</XObject<</I 5 0 R>>>>'),
        stream('/I Do'),
        stream('/I Do /I Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</I 5 0 R>>>>'),
      ),
    ends: { documents: 'empty' },
  },
  {
    name: 'brackets.pdf',
    content: () => pdf(`<</Type/Pages/Kids${'['.repeat(100_000)}${']'.repeat(100_000)}/Count 1>>`),
    ends: { documents: 'damaged' },
  },
  {
    name: 'previous.pdf',
    content: () => Buffer.from('%PDF-1.4\nxref\n0 0\ntrailer<</Root 1 0 R/Size 1/Prev 9>>\nstartxref\n9\n%%EOF'),
    ends: { documents: 'damaged' },
  },
  {
    name: 'cut-off.pdf',
    content: () => Buffer.from(makeTextPdf([READABLE]).subarray(0, 60)),
    ends: { documents: 'damaged' },
  },
  {
    name: 'locked.pdf',
    content: () => Buffer.from(makePdf([{ texts: [{ text: READABLE, y: 700 }] }], { isEncrypted: true })),
    ends: { documents: 'password_protected' },
  },
  {
    name: 'script.pdf',
    content: () => Buffer.from('<html><script>alert(1)</script></html>'),
    ends: { documents: 'type_mismatch' },
  },
]
