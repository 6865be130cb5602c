// Uploads that survive a reload.
import { beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type KeepableUpload, keepUploads } from './keep-uploads.ts'
import type { KeptUpload, UploadMemory } from './upload-memory.ts'

const kept = new Map<string, KeptUpload>()
const memory: UploadMemory = {
  keep: async (upload) => void kept.set(upload.key, upload),
  forget: async (keys) => {
    for (const key of keys) kept.delete(key)
  },
  list: async () => [...kept.values()],
}
beforeEach(() => kept.clear())

const owner = (tab: string, organization = 'o') => ({ tab, organizationId: organization as Id<'organizations'> })
const upload = (name: string, state: KeepableUpload['upload']['state'] = 'waiting'): KeepableUpload => ({
  upload: { key: name, file: new File(['text'], name), state, replaces: null },
  knowledgeSpaceId: 's' as Id<'knowledgeSpaces'>,
  kind: { route: '/api/files/documents' },
})

/** A page with its own queues. */
async function page(who: ReturnType<typeof owner>) {
  let uploads: KeepableUpload[] = []
  const listeners = new Set<() => void>()
  const restored: string[] = []
  const end = await keepUploads({
    owner: who,
    memory,
    uploads: () => uploads,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    restore: ({ file }) => restored.push(file.name),
  })
  const set = (...next: KeepableUpload[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  return { set, restored, end }
}
const names = () => [...kept.values()].map(({ file }) => file.name)

it('stores a file while it waits or is sent, once, and deletes it when it has finished or failed', async () => {
  const { set } = await page(owner('tab'))
  const [first, second] = [upload('a.txt'), upload('b.txt')]
  set(first, second)
  set({ ...first, upload: { ...first.upload, state: 'sending' } }, second)
  expect(names()).toEqual(['a.txt', 'b.txt'])
  set(second)
  expect(names()).toEqual(['b.txt'])
  set({ ...second, upload: { ...second.upload, state: 'failed' } })
  expect(names()).toEqual([])
})

it('stores whether a file replaces a document, once that is answered', async () => {
  const { set } = await page(owner('tab'))
  const replaces = { documentId: 'd1' as Id<'documents'>, name: 'a.txt' }
  const asked = upload('a.txt', 'asking')
  set({ ...asked, upload: { ...asked.upload, replaces } })
  expect(kept.get('a.txt')).toMatchObject({ replaces: null, isAnswered: false })
  set({ ...asked, upload: { ...asked.upload, replaces, state: 'waiting' } })
  expect(kept.get('a.txt')).toMatchObject({ replaces, isAnswered: true })
})

it('restores the files of a tab after a reload, in that tab and organization only', async () => {
  const before = await page(owner('tab'))
  before.set(upload('a.txt'))
  before.end()
  expect((await page(owner('other'))).restored).toEqual([])
  expect((await page(owner('tab'))).restored).toEqual(['a.txt'])
  expect(names()).toEqual([])
})

it('does not send files left by a user of another organization', async () => {
  const before = await page(owner('tab', 'one'))
  before.set(upload('a.txt'))
  before.end()
  expect((await page(owner('tab', 'two'))).restored).toEqual([])
  expect(names()).toEqual([])
})
