// Refusals before sending.
import { describe, expect, it } from 'vitest'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import { refusalOf } from './upload.rules.ts'

describe('a file to be uploaded', () => {
  it.each(['price.txt', 'README.md', 'page.html', 'page.HTM', 'Прайс.PDF', 'terms.docx'])('%s is accepted', (name) => {
    expect(refusalOf({ name, size: 10 })).toBeNull()
  })

  it.each(['virus.exe', 'table.xls', 'pdf', 'archive.pdf.zip'])('%s is refused for its format', (name) => {
    expect(refusalOf({ name, size: 10 })).toBe('unsupported_format')
  })

  it('is refused above the limit, accepted at the limit, and refused when empty', () => {
    expect(refusalOf({ name: 'a.txt', size: DOCUMENT_MAX_BYTES + 1 })).toBe('file_too_large')
    expect(refusalOf({ name: 'a.txt', size: DOCUMENT_MAX_BYTES })).toBeNull()
    expect(refusalOf({ name: 'a.txt', size: 0 })).toBe('file_empty')
  })
})
