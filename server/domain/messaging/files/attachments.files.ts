// The file of an attachment: from the file store, or, the first time, from the channel that it came through.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { findSecrets } from '#server/domain/channels/connections/connections.store.ts'
import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts'
import { type AttachmentFile, getFile, setFile } from './attachments.store.ts'

type Parts = Pick<Services, 'database' | 'files' | 'channels' | 'secrets'>
export type LoadedFile = AttachmentFile & { fileKey: string; bytes: Uint8Array }

/**
 * The file with its content, stored in the file store from then on. Safe to repeat, also concurrently.
 *
 * @throws AppError not_found when there is no such attachment; MediaFailure `not_loadable`, `too_large` or `unavailable`
 */
export async function loadFile(
  services: Parts,
  organizationId: Id<'organizations'>,
  id: Id<'attachments'>,
  signal: AbortSignal,
): Promise<LoadedFile> {
  const { database, files } = services
  const file = await database.organization(organizationId, (db) => getFile({ db, organizationId }, id), {
    readOnly: true,
  })
  const kept = file.fileKey === null ? null : await files.get(file.fileKey).catch(() => null)
  if (file.fileKey !== null && kept) return { ...file, fileKey: file.fileKey, bytes: kept }
  // Never loaded, or lost with its disk: the channel may still have it.
  const bytes = await download(services, organizationId, file, signal)
  const fileKey = `attachment-${id}`
  const { sizeBytes } = await store(files, fileKey, bytes)
  await database.organization(organizationId, (db) => setFile({ db, organizationId }, id, { fileKey, sizeBytes }))
  return { ...file, fileKey, sizeBytes, bytes }
}

async function store(files: Services['files'], key: string, bytes: Uint8Array): Promise<{ sizeBytes: number }> {
  try {
    return await files.put(key, new Blob([new Uint8Array(bytes)]).stream(), ATTACHMENT_MAX_BYTES)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'storage_full') throw error
    throw new MediaFailure(error.code === 'file_empty' ? 'empty' : 'too_large')
  }
}

async function download(
  { database, channels, secrets }: Parts,
  organizationId: Id<'organizations'>,
  { connectionId, externalFileId, sizeBytes }: AttachmentFile,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (connectionId === null || externalFileId === null) throw new MediaFailure('not_loadable')
  if ((sizeBytes ?? 0) > ATTACHMENT_MAX_BYTES) throw new MediaFailure('too_large')
  const connection = await database.organization(
    organizationId,
    (db) => findSecrets({ db, organizationId }, connectionId),
    { readOnly: true },
  )
  const media = connection && channels[connection.channel].media
  if (!media) throw new MediaFailure('not_loadable')
  try {
    return await media.download(credentialsOf(secrets, connection), externalFileId, ATTACHMENT_MAX_BYTES, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AdapterError)) throw error
    const isPassing = error.kind !== 'permanent' && error.kind !== 'unauthorized'
    throw new MediaFailure(isPassing ? 'unavailable' : 'not_loadable', error.message)
  }
}
