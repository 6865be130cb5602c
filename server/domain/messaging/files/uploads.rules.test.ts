// Tickets of uploads: whose they are and for how long. The kind of a file, by its bytes.
import { describe, expect, it } from 'vitest'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { contentOf, readTicket, TICKET_MS, ticketFor, type Upload } from './uploads.rules.ts'

const secrets = createSecrets('a secret of at least thirty-two characters')
const owner = { organizationId: 'o1' as Id<'organizations'>, userId: 'u1' as Id<'users'> }
const upload: Upload = {
  fileKey: 'upload-1',
  kind: 'image',
  name: 'a.png',
  mimeType: 'image/png',
  sizeBytes: 5,
  at: 1_000_000,
}
const ticket = ticketFor(secrets, owner, upload)

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    return appErrorData(error)?.code
  }
}

describe('a ticket', () => {
  it('gives its owner the upload back until it is too old', () => {
    expect(readTicket(secrets, owner, ticket, new Date(upload.at + TICKET_MS))).toEqual(upload)
    const late = new Date(upload.at + TICKET_MS + 1)
    expect(codeOf(() => readTicket(secrets, owner, ticket, late))).toBe('upload_expired')
  })

  it.each([
    ['of a colleague', { ...owner, userId: 'u2' as Id<'users'> }, ticket],
    ['of another organization', { ...owner, organizationId: 'o2' as Id<'organizations'> }, ticket],
    ['that was changed', owner, `${ticket.slice(0, -4)}AAAA`],
    ['that is none', owner, 'upload-1'],
  ])('%s opens nothing', (_, who, text) => {
    expect(codeOf(() => readTicket(secrets, who, text, new Date(upload.at)))).toBe('upload_expired')
  })
})

it.each([
  ['image/png', 'a.bin', false, 'image', 'image/png'],
  ['audio/mpeg', 'a.ogg', false, 'audio', 'audio/mpeg'],
  ['audio/ogg; codecs=opus', 'a', false, 'voice', 'audio/ogg'],
  ['application/ogg', 'a', false, 'voice', 'audio/ogg'],
  ['video/webm', 'a', true, 'voice', 'audio/webm'],
  ['video/webm', 'a.png', false, 'video', 'video/webm'],
  ['application/pdf', 'a.png', true, 'document', 'application/pdf'],
  [undefined, 'a.OGG', false, 'voice', 'audio/ogg'],
  [undefined, 'a.txt', false, 'document', null],
])('bytes of %s, named %s, recorded: %s, are for an agent: %s', (found, name, isRecorded, kind, mimeType) => {
  expect(contentOf(found, { name, isRecorded })).toEqual({ kind, mimeType })
})
