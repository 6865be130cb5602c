// Sends one file as the body of a request, with progress, which fetch cannot tell.
import { HttpError } from '#web/lib/errors.ts'
import { isRefusalData, Refusal } from '#web/lib/refusal.ts'
import { accessToken } from './convex.ts'
import { atServer } from './server-address.ts'

/**
 * The answer of the server, parsed.
 *
 * @param onProgress hears the share that is sent, 0 to 1
 * @throws Refusal as the server has put it, HttpError for any other refusal, an error of the network
 */
export async function postFile(
  path: string,
  file: Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<unknown> {
  const token = await accessToken()
  signal.throwIfAborted()
  const request = new XMLHttpRequest()
  request.open('POST', atServer(path))
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total)
  const abort = () => request.abort()
  signal.addEventListener('abort', abort)
  try {
    return await answered(request, file)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function answered(request: XMLHttpRequest, file: Blob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(body)
      else reject(refusalOf(body) ?? new HttpError(request.status, 'The file was refused'))
    }
    request.onerror = () => reject(new Error('NetworkError while sending a file'))
    request.onabort = () => reject(new DOMException('The upload was given up', 'AbortError'))
    request.send(file)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The refusal in the body of an answer to a request for, or with, a file; undefined: it holds none. */
export function refusalOf(body: unknown): Refusal | undefined {
  return isRefusalData(body) ? new Refusal(body.code, body.params) : undefined
}
