// Files on their way: what is asked about those whose name a document has already, and the dialog for a new version.
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useSyncExternalStore } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { chooseFile } from './choose-file.ts'
import { DOCUMENT_UPLOADS } from './upload.rules.ts'
import { UploadList } from './upload-list.tsx'
import { type SendFile, UploadError, UploadQueue } from './upload-queue.ts'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})

const file = (name: string) => new File(['x'], name)

/** A list of which every document named is there already, with a queue whose sends wait for the test. */
function list() {
  const send = vi.fn<SendFile>(() => new Promise(() => {}))
  const findNamed = async (names: string[]) =>
    new Map(names.map((name) => [name, { documentId: `d ${name}` as Id<'documents'>, name: name.toUpperCase() }]))
  const queue = new UploadQueue(send, DOCUMENT_UPLOADS, findNamed)
  function Shown() {
    return <UploadList uploads={useSyncExternalStore(queue.subscribe, queue.snapshot)} queue={queue} />
  }
  render(<Shown />)
  const sent = () => send.mock.calls.map(([{ file: each, replaces }]) => [each.name, replaces?.documentId ?? null])
  return { queue, send, sent }
}

it('asks of one file whether it takes the place of the document of its name, and does what is answered', async () => {
  const { queue, sent } = list()
  queue.add([file('prices.csv')])
  expect(await screen.findByText('“PRICES.CSV” is already here.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Replace all' })).toBeNull()
  expect(screen.queryByRole('progressbar')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Replace “PRICES.CSV”' }))
  expect(sent()).toEqual([['prices.csv', 'd prices.csv']])
  expect(screen.getByText('New version of “PRICES.CSV”')).toBeVisible()
  expect(screen.getByRole('progressbar')).toBeVisible()
})

it('asks once of several, each of which can be answered by itself', async () => {
  const { queue, sent } = list()
  queue.add([file('a.txt'), file('b.txt'), file('c.txt')])
  expect(await screen.findByText('3 files have the same names as documents that are already here.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Keep both: “B.TXT”' }))
  expect(sent()).toEqual([['b.txt', null]])
  await userEvent.click(screen.getByRole('button', { name: 'Replace all' }))
  expect(sent()).toEqual([
    ['b.txt', null],
    ['a.txt', 'd a.txt'],
    ['c.txt', 'd c.txt'],
  ])
})

it('says why a new version is not taken, and offers to send it again only where that may help', async () => {
  const { queue, send } = list()
  send
    .mockRejectedValueOnce(new UploadError('document_of_site'))
    .mockRejectedValueOnce(new UploadError('document_busy'))
  const version = { documentId: 'd1' as Id<'documents'>, name: 'Terms.txt' }
  queue.addVersion(file('a.txt'), version)
  queue.addVersion(file('b.txt'), version)
  expect(await screen.findByText(/is a page of a site/)).toBeVisible()
  expect(screen.getByText(/is being processed right now/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Upload “a.txt” again' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Upload “b.txt” again' })).toBeVisible()
})

it('lets one file be chosen for a new version, of a format that is taken', () => {
  const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {})
  const onFile = vi.fn<(chosen: File) => void>()
  chooseFile(DOCUMENT_UPLOADS.extensions, onFile)
  const input = opened.mock.contexts[0] as HTMLInputElement
  expect([input.type, input.multiple, input.accept.includes('.pdf')]).toEqual(['file', false, true])
  const chosen = file('prices.pdf')
  fireEvent.change(input, { target: { files: [chosen] } })
  expect(onFile).toHaveBeenCalledWith(chosen)
  opened.mockRestore()
})
