// Refusals before sending.
import { describe, expect, it } from 'vitest'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import { DOCUMENT_UPLOADS, refusalOf, TABLE_UPLOADS } from './upload.rules.ts'

describe('a file to be uploaded', () => {
  it.each(['price.txt', 'README.md', 'page.html', 'page.HTM', 'Прайс.PDF', 'terms.docx'])('%s is accepted', (name) => {
    expect(refusalOf({ name, size: 10 }, DOCUMENT_UPLOADS)).toBeNull()
  })

  it.each(['virus.exe', 'pdf', 'archive.pdf.zip'])('%s is refused for its format', (name) => {
    expect(refusalOf({ name, size: 10 }, DOCUMENT_UPLOADS)).toBe('unsupported_format')
  })

  it('is refused above the limit, accepted at the limit, and refused when empty', () => {
    expect(refusalOf({ name: 'a.txt', size: DOCUMENT_MAX_BYTES + 1 }, DOCUMENT_UPLOADS)).toBe('file_too_large')
    expect(refusalOf({ name: 'a.txt', size: DOCUMENT_MAX_BYTES }, DOCUMENT_UPLOADS)).toBeNull()
    expect(refusalOf({ name: 'a.txt', size: 0 }, DOCUMENT_UPLOADS)).toBe('file_empty')
  })

  it.each(['price.csv', 'Остатки.XLSX', 'old.xls'])('%s is accepted as a table', (name) => {
    expect(refusalOf({ name, size: 10 }, TABLE_UPLOADS)).toBeNull()
    expect(refusalOf({ name, size: TABLE_UPLOADS.maxBytes + 1 }, TABLE_UPLOADS)).toBe('file_too_large')
  })

  it('is refused as a table when it is a text', () => {
    expect(refusalOf({ name: 'terms.docx', size: 10 }, TABLE_UPLOADS)).toBe('unsupported_format')
  })
})
