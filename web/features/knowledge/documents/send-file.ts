// Sends one file to an upload route with progress, which fetch cannot tell.
import type { Id } from '#shared/ids.ts'
import { accessToken } from '#web/lib/server/convex.ts'
import type { UploadFailure, UploadKind } from './upload.rules.ts'
import { type SendFile, UploadError } from './upload-queue.ts'

/** Resolves with the id of what the file has become; null where the answer does not say. */
type SendForId = (...sent: Parameters<SendFile>) => Promise<string | null>

const REFUSALS: readonly UploadFailure[] = [
  ...([
    'unsupported_format',
    'file_too_large',
    'file_empty',
    'storage_full',
    'document_busy',
    'document_of_site',
  ] as const),
]

/** A sender for one knowledge space. */
export function fileSender(route: UploadKind['route'], knowledgeSpaceId: Id<'knowledgeSpaces'>): SendForId {
  return async ({ key, file, replaces }, onProgress, signal) => {
    const token = await accessToken()
    signal.throwIfAborted()
    const query = new URLSearchParams({
      knowledgeSpaceId,
      name: file.name,
      ...(replaces && { replaces: replaces.documentId }),
    })
    const request = new XMLHttpRequest()
    request.open('POST', `${route}?${query}`)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('idempotency-key', key)
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    try {
      return idIn(await answered(request, file, replaces !== null))
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

/** @returns the body of the answer */
function answered(request: XMLHttpRequest, file: File, isVersion: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.responseText)
      else reject(new UploadError(failureOf(request.responseText, isVersion)))
    }
    request.onerror = () => reject(new UploadError('network'))
    request.onabort = () => reject(new UploadError('failed'))
    request.send(file)
  })
}

function idIn(body: string): string | null {
  const id = fieldOf(body, '_id')
  return typeof id === 'string' ? id : null
}

/** The code in the server's answer, where it is one that a person can do something about. */
function failureOf(body: string, isVersion: boolean): UploadFailure {
  const code = fieldOf(body, 'code')
  if (isVersion && code === 'not_found') return 'document_gone'
  return REFUSALS.find((refusal) => refusal === code) ?? 'failed'
}

/** Undefined also where the body is no JSON: an answer of something between here and the server. */
function fieldOf(body: string, name: string): unknown {
  try {
    const answer: unknown = JSON.parse(body)
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[name] : undefined
  } catch {
    return undefined
  }
}
