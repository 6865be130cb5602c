// Files of the fake VK: a file is uploaded to an address that a method has named, what comes back is saved by another method, and what is
// saved can be attached. Files of customers lie at addresses of their own. @source dev.vk.com/ru/api/upload/overview
import { randomBytes } from 'node:crypto'
import type http from 'node:http'
import type { VkState } from './vk.ts'

export type SavedFile = { kind: 'photo' | 'doc' | 'audio_message'; name: string; bytes: Uint8Array }
export type FileRequest = {
  area: string
  rest: string[]
  type: string
  bytes: Buffer
  query: URLSearchParams
}

/** The field that each kind is uploaded in. */
const FIELDS = { photo: 'photo', doc: 'file', audio_message: 'file' }
/** Types that are refused as documents. */
const REFUSED = /\.(?:exe|mp3|bat|sh)$/i

/** The upload address for a kind of file. */
export function uploadUrl(state: VkState, groupId: number, kind: SavedFile['kind']): string {
  return `${state.origin}/upload/${groupId}/${kind}`
}

export async function answerFile(state: VkState, request: FileRequest, response: http.ServerResponse): Promise<void> {
  const [group = '', key = ''] = request.rest
  const community = state.communities.get(Number(group))
  const answer = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (request.area === 'upload' && community && key in FIELDS) {
    const kind = key as SavedFile['kind']
    return answer(await upload(community.files, kind, request))
  }
  const file = community?.files.get(key)
  if (request.area === 'doc' && file && request.query.get('dl') === '1') {
    response.writeHead(302, { location: `/files/${group}/${key}` }).end()
  } else if (request.area === 'files' && file) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes)
  } else {
    response.writeHead(404).end('<html>not found</html>')
  }
}

async function upload(files: Map<string, SavedFile>, kind: SavedFile['kind'], { type, bytes }: FileRequest) {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => new FormData())
  const given = form.get(FIELDS[kind])
  if (!(given instanceof File)) return { error: 'no_file' }
  const content = new Uint8Array(await given.arrayBuffer())
  if (kind === 'photo' && !isPicture(content)) return { server: 7, photo: '[]', hash: 'none' }
  if (kind === 'doc' && REFUSED.test(given.name)) return { error: 'unknown error', error_descr: 'bad file extension' }
  if (kind === 'audio_message' && Buffer.from(content).subarray(0, 4).toString() !== 'OggS')
    return { error: 'bad audio' }
  const key = `uploaded${randomBytes(6).toString('hex')}`
  files.set(key, { kind, name: given.name, bytes: content })
  return kind === 'photo' ? { server: 7, photo: JSON.stringify([{ photo: key }]), hash: 'h' } : { file: key }
}

function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes).subarray(0, 4).toString('latin1')
  return head.endsWith('PNG') || head.startsWith('\xff\xd8') || head.startsWith('GIF8')
}
