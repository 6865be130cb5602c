// The file store on this machine's disk: one file a key, in a folder that holds nothing else.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#shared/errors.ts'
import type { FileStore } from './files.ts'

/** Keys are made by us and never come from outside; this keeps a mistake from leaving the folder. */
const KEY = /^[a-z0-9][a-z0-9-]{0,63}(\.[a-z0-9]{1,8})?(\.part-[0-9a-f-]{36})?$/
const ID_FILE = 'STORE_ID'
/** Uploads are for the user that the server runs as alone. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** The disk has no room, or the user's share of it is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** How a file is written; `openFile` answers a stream to a new file. */
type Writing = { openFile(path: string): Writable }
const TO_DISK: Writing = { openFile: (file) => createWriteStream(file, { mode: FILE_MODE }) }

/** Opens the store in `<dataDir>/files`, making it with a new id when there is none. */
export async function createDiskStore(dataDir: string, { openFile }: Writing = TO_DISK): Promise<FileStore> {
  const folder = path.resolve(dataDir, 'files')
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  await chmod(folder, FOLDER_MODE) // one that an older version has made
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`Not a file key: ${JSON.stringify(key)}`)
    return path.join(folder, key)
  }
  return {
    id: await storeId(path.join(folder, ID_FILE)),
    put: (key, body, maxBytes) => write({ target: pathOf(key), openFile }, body, maxBytes),
    get: async (key) => readFile(pathOf(key)),
    localPath: async (key) => pathOf(key),
    listBefore: (time) => listBefore(folder, time),
    remove: async (key) => rm(pathOf(key), { force: true }),
  }
}

/** Written beside its place and moved there when complete, so that a key never names half a file. */
async function write(
  { target, openFile }: Writing & { target: string },
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ sizeBytes: number }> {
  const partial = `${target}.part-${randomUUID()}`
  let sizeBytes = 0
  const count = new Transform({
    transform(part: Uint8Array, _, done) {
      sizeBytes += part.length
      done(sizeBytes > maxBytes ? new AppError('file_too_large', { maxBytes }) : null, part)
    },
  })
  try {
    await pipeline(Readable.fromWeb(body as import('node:stream/web').ReadableStream), count, openFile(partial))
    if (sizeBytes === 0) throw new AppError('file_empty')
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    throw FULL.has((error as NodeJS.ErrnoException).code ?? '') ? new AppError('storage_full') : error
  }
  return { sizeBytes }
}

/** A file that goes while this looks is left out. */
async function listBefore(folder: string, time: Date): Promise<string[]> {
  const keys = (await readdir(folder)).filter((name) => KEY.test(name))
  const old: string[] = []
  for (const key of keys) {
    const found = await stat(path.join(folder, key)).catch(() => undefined)
    if (found && found.mtime < time) old.push(key)
  }
  return old
}

/** Two processes that start together in one folder end up with the same id: the link is made once, with its content. */
async function storeId(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomUUID(), { mode: FILE_MODE })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}
