// A folder of built files, served from memory: compressed once, immutable where the name holds a hash.
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const BROTLI_QUALITY = 6
const WORTH_COMPRESSING = 1024

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
const COMPRESSIBLE = /^(text\/|application\/(json|manifest)|image\/svg)/

type File = { body: Buffer; type: string; etag: string; isImmutable: boolean; packed: Map<string, Promise<Buffer>> }

export interface StaticFiles {
  /** The answer for a path such as `/assets/x.js`; undefined when there is no such file. */
  answer(pathname: string, request: Request): Promise<Response> | undefined
  /** The text of a file of the folder, if it is there. */
  text(pathname: string): string | undefined
}

/** Reads a folder, and everything below it, into memory. A folder that is not there is empty. */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, File>()
  for (const name of await listFiles(folder)) {
    const file = fileOf(await fs.readFile(path.join(folder, name)), path.extname(name))
    files.set(`/${name.split(path.sep).join('/')}`, { ...file, isImmutable: name.startsWith(`assets${path.sep}`) })
  }
  return {
    answer(pathname, request) {
      const file = files.get(pathname)
      return file && answerWith(file, request)
    },
    text: (pathname) => files.get(pathname)?.body.toString('utf8'),
  }
}

/** A file that the program makes, answered as one of a folder is. @param extension tells its type, such as `.html` */
export function madeFile(text: string, extension: string): (request: Request) => Promise<Response> {
  const file = fileOf(Buffer.from(text), extension)
  return (request) => answerWith(file, request)
}

function fileOf(body: Buffer, extension: string): File {
  return {
    body,
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    isImmutable: false,
    packed: new Map(),
  }
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  } catch {
    return []
  }
}

async function answerWith(file: File, request: Request): Promise<Response> {
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  })
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  const encoding = encodingFor(file, request.headers.get('accept-encoding') ?? '')
  if (encoding) headers.set('content-encoding', encoding)
  const body = encoding ? await pack(file, encoding) : file.body
  headers.set('content-length', String(body.length))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers })
}

function encodingFor(file: File, accepted: string): 'br' | 'gzip' | undefined {
  if (file.body.length < WORTH_COMPRESSING || !COMPRESSIBLE.test(file.type)) return undefined
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

function pack(file: File, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const done = file.packed.get(encoding)
  if (done) return done
  const packing =
    encoding === 'br'
      ? brotli(file.body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : gzip(file.body)
  file.packed.set(encoding, packing)
  return packing
}
