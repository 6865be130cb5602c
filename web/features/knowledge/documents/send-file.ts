// Sends one file to an upload route with progress, which fetch cannot tell.
import type { Id } from '#shared/ids.ts'
import { accessToken } from '#web/lib/convex.ts'
import type { UploadFailure, UploadKind } from './upload.rules.ts'
import { type SendFile, UploadError } from './upload-queue.ts'

const REFUSALS: readonly UploadFailure[] = ['unsupported_format', 'file_too_large', 'file_empty']

/** A sender for one knowledge space. */
export function fileSender(route: UploadKind['route'], knowledgeSpaceId: Id<'knowledgeSpaces'>): SendFile {
  return async ({ key, file }, onProgress, signal) => {
    const token = await accessToken()
    signal.throwIfAborted()
    const query = new URLSearchParams({ knowledgeSpaceId, name: file.name })
    const request = new XMLHttpRequest()
    request.open('POST', `${route}?${query}`)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('idempotency-key', key)
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    try {
      await answered(request, file)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

function answered(request: XMLHttpRequest, file: File): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadError(failureOf(request.responseText)))
    }
    request.onerror = () => reject(new UploadError('network'))
    request.onabort = () => reject(new UploadError('failed'))
    request.send(file)
  })
}

/** The code in the server's answer, where it is one that a person can do something about. */
function failureOf(body: string): UploadFailure {
  try {
    const answer: unknown = JSON.parse(body)
    const code = typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : null
    return REFUSALS.find((refusal) => refusal === code) ?? 'failed'
  } catch {
    return 'failed'
  }
}
