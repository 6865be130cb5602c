// The file store on disk: sizes, halves, names.
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDiskStore } from './disk-store.ts'
import type { FileStore } from './files.ts'

let folder: string
let store: FileStore

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'files-'))
  store = await createDiskStore(folder)
})
afterEach(() => rm(folder, { recursive: true }))

const body = (...parts: string[]) => new Blob(parts).stream()
const kept = () => readdir(path.join(folder, 'files'))

it('keeps what it is given, by key', async () => {
  expect(await store.put('abc.pdf', body('один', 'два'), 100)).toEqual({ sizeBytes: 14 })
  expect(Buffer.from(await store.get('abc.pdf')).toString()).toBe('одиндва')
  expect(await store.localPath('abc.pdf')).toBe(path.join(folder, 'files', 'abc.pdf'))
  await store.remove('abc.pdf')
  await store.remove('abc.pdf')
  await expect(store.get('abc.pdf')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('lists what was stored before a time, halves of what never came to an end too', async () => {
  await store.put('abc.pdf', body('один'), 100)
  const half = 'abc.pdf.part-2f1c8e6a-55a4-4f1c-9f39-0d3f7f4d2c11'
  await writeFile(path.join(folder, 'files', half), 'од')
  expect(await store.listBefore(new Date(0))).toEqual([])
  expect((await store.listBefore(new Date(Date.now() + 60_000))).sort()).toEqual(['abc.pdf', half])
  await store.remove(half)
  expect((await kept()).sort()).toEqual(['STORE_ID', 'abc.pdf'])
})

const modeOf = async (...names: string[]) => (await stat(path.join(folder, 'files', ...names))).mode & 0o777

it('keeps files from other users of the machine, in a folder that was open too', async () => {
  await store.put('abc.pdf', body('один'), 100)
  expect(await Promise.all([modeOf(), modeOf('abc.pdf'), modeOf('STORE_ID')])).toEqual([0o700, 0o600, 0o600])
  await chmod(path.join(folder, 'files'), 0o755)
  await createDiskStore(folder)
  expect(await modeOf()).toBe(0o700)
})

it('refuses too much and nothing at all, and keeps neither', async () => {
  await expect(store.put('a', body('12345'), 4)).rejects.toMatchObject({ code: 'file_too_large' })
  await expect(store.put('a', body(), 4)).rejects.toMatchObject({ code: 'file_empty' })
  expect(await kept()).toEqual(['STORE_ID'])
})

it('keeps nothing of a body that breaks off', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('connection lost'))
    },
  })
  await expect(store.put('a', broken, 100)).rejects.toThrow('connection lost')
  expect(await kept()).toEqual(['STORE_ID'])
})

it.each(['../secret', 'a/b', '', '.hidden', 'STORE_ID', 'a\0b', 'x'.repeat(100)])(
  'takes no key like %j',
  async (key) => {
    await expect(store.get(key)).rejects.toThrow('Not a file key')
  },
)

it('has one id for all processes that share the folder', async () => {
  const others = await Promise.all([createDiskStore(folder), createDiskStore(folder)])
  expect(new Set([store.id, ...others.map((other) => other.id)]).size).toBe(1)
  expect(store.id).toMatch(/^[0-9a-f-]{36}$/)
})
