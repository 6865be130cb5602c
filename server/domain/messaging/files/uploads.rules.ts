// Files that a member or a visitor of the web chat has uploaded and not sent yet. They have no row but a ticket, which only the server can issue and only its owner can use.
import path from 'node:path'
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

/** Time to send what was uploaded, milliseconds. */
export const TICKET_MS = 20 * 3_600_000

const KINDS = ['voice', 'audio', 'image', 'video', 'document'] as const satisfies AttachmentKind[]
const upload = z.strictObject({
  fileKey: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  mimeType: z.string().nullable(),
  sizeBytes: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number(),
})

/** A stored file that belongs to no message yet. */
export type Upload = z.infer<typeof upload>
/** A member of the team, or a visitor of a web chat. */
type Owner = { organizationId: Id<'organizations'> } & (
  | { userId: Id<'users'> }
  | { connectionId: Id<'channelConnections'>; visitorId: string }
)

/** The upload as a ticket, to be passed back when it is sent. */
export function ticketFor(secrets: Secrets, owner: Owner, given: Upload): string {
  return secrets.encrypt(JSON.stringify(given), placeOf(owner))
}

/** @throws AppError upload_expired for a ticket that is too old, another owner's, or not issued by us */
export function readTicket(secrets: Secrets, owner: Owner, ticket: string, now: Date): Upload {
  const found = opened(secrets, owner, ticket)
  if (!found || now.getTime() - found.at > TICKET_MS) throw new AppError('upload_expired')
  return found
}

function opened(secrets: Secrets, owner: Owner, ticket: string): Upload | undefined {
  try {
    return upload.parse(JSON.parse(secrets.decrypt(ticket, placeOf(owner))))
  } catch {
    return undefined
  }
}

function placeOf(owner: Owner): string {
  const { organizationId } = owner
  if ('userId' in owner) return `upload|${organizationId}|${owner.userId}`
  return `upload|${organizationId}|${owner.connectionId}|${owner.visitorId}`
}

/** A file in a list, in a few characters that need no language. */
export function signOfFile({ kind, name }: Pick<Upload, 'kind' | 'name'>): string {
  return `${kind === 'image' ? '🖼' : '📎'} ${name}`
}

/** The type of a file by its name, where the bytes do not tell; the parser that reads it finds out. */
const TYPES: Partial<Record<string, string>> = {
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/**
 * The kind of a file for an agent: by its bytes, and where they do not tell by its name. OGG is what messengers record in.
 *
 * @param found type of its bytes; undefined: not known, as for texts
 * @param isRecorded recorded by the microphone just now
 */
export function contentOf(
  found: string | undefined,
  { name, isRecorded }: { name: string; isRecorded: boolean },
): { kind: Upload['kind']; mimeType: string | null } {
  const detected = found ?? TYPES[path.extname(name).toLowerCase()]
  const mimeType = detected?.split(';')[0]?.replace('application/ogg', 'audio/ogg') ?? null
  if (mimeType === null) return { kind: 'document', mimeType }
  if (mimeType === 'audio/ogg') return { kind: 'voice', mimeType }
  // Browsers record sound into containers that are also used for video.
  if (isRecorded && /^(audio|video)\//.test(mimeType)) {
    return { kind: 'voice', mimeType: mimeType.replace('video/', 'audio/') }
  }
  if (mimeType.startsWith('image/')) return { kind: 'image', mimeType }
  if (mimeType.startsWith('audio/')) return { kind: 'audio', mimeType }
  if (mimeType.startsWith('video/')) return { kind: 'video', mimeType }
  return { kind: 'document', mimeType }
}
