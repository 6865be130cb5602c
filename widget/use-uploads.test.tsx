// Uploads: their progress, and what a visitor can do about rejected files.
import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { WEBCHAT_FILE_MAX_BYTES, WEBCHAT_FILES_PER_MESSAGE } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import { ApiClient, ApiError } from './api-client.ts'
import { useUploads } from './use-uploads.ts'

type Sending = Parameters<ApiClient['upload']>[1]

/** Uploads to a server that answers on demand. */
function start() {
  const door = new ApiClient('key')
  const asked: { sending: Sending; answer: PromiseWithResolvers<UploadedFile> }[] = []
  vi.spyOn(door, 'upload').mockImplementation((_, sending) => {
    const answer = Promise.withResolvers<UploadedFile>()
    asked.push({ sending, answer })
    return answer.promise
  })
  const { result } = renderHook(() => useUploads(door))
  const files = (...names: string[]) => names.map((name) => new File(['Hello'], name))
  return {
    asked,
    state: () => result.current,
    add: (...names: string[]) => act(async () => result.current.add(files(...names))),
    addFile: (file: File) => act(async () => result.current.add([file])),
  }
}

const stored = (name: string): UploadedFile => ({ ticket: `ticket of ${name}`, kind: 'document', name, sizeBytes: 5 })

it('tells how far a file is, and hands it over once when it is stored', async () => {
  const { add, asked, state } = start()
  await add('a.txt')
  act(() => asked[0]?.sending.onProgress(0.5))
  expect(state()).toMatchObject({ isBusy: true, list: [{ share: 0.5, ticket: null }] })
  await act(async () => asked[0]?.answer.resolve(stored('a.txt')))
  expect(state().isBusy).toBe(false)
  let taken: unknown
  act(() => {
    taken = state().take()
  })
  expect(taken).toEqual([{ ticket: 'ticket of a.txt', name: 'a.txt' }])
  expect(state().list).toEqual([])
})

it('breaks off what is removed, and says nothing of it afterwards', async () => {
  const { add, asked, state } = start()
  await add('a.txt')
  act(() => state().remove(state().list[0]?.key ?? 0))
  expect(asked[0]?.sending.signal.aborted).toBe(true)
  await act(async () => asked[0]?.answer.reject(new ApiError('unreachable')))
  expect(state()).toMatchObject({ list: [], isBusy: false })
})

it('tries again what the network has kept back', async () => {
  const { add, asked, state } = start()
  await add('a.txt')
  await act(async () => asked[0]?.answer.reject(new ApiError('unreachable')))
  expect(state().list).toMatchObject([{ problem: 'unreachable' }])
  await act(async () => state().retry(state().list[0]?.key ?? 0))
  await act(async () => asked[1]?.answer.resolve(stored('a.txt')))
  expect(state().list).toMatchObject([{ problem: null, ticket: 'ticket of a.txt' }])
})

it.each([
  ['unsupported_format', 'not_taken'],
  ['files_limit_reached', 'later'],
  ['file_too_large', 'too_large'],
  ['something new', 'unreachable'],
])('says of a refusal by %s that it is %s', async (code, problem) => {
  const { add, asked, state } = start()
  await add('a.txt')
  await act(async () => asked[0]?.answer.reject(new ApiError(code)))
  expect(state().list).toMatchObject([{ problem }])
})

it('does not send what it knows to be too large or empty', async () => {
  const { addFile, asked, state } = start()
  const large = new File(['x'], 'large.pdf')
  Object.defineProperty(large, 'size', { value: WEBCHAT_FILE_MAX_BYTES + 1 })
  await addFile(large)
  await addFile(new File([], 'empty.txt'))
  expect(state().list).toMatchObject([{ problem: 'too_large' }, { problem: 'empty' }])
  expect(asked).toEqual([])
})

it('leaves out what a message does not carry, and says so', async () => {
  const { add, state } = start()
  await add(...Array.from({ length: WEBCHAT_FILES_PER_MESSAGE + 1 }, (_, n) => `${n}.txt`))
  expect(state().list).toHaveLength(WEBCHAT_FILES_PER_MESSAGE)
  expect(state().isOverfull).toBe(true)
  act(() => state().remove(state().list[0]?.key ?? 0))
  expect(state().isOverfull).toBe(false)
})
