// The life cycle of uploads: order, cancelling, failing and retrying.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { DOCUMENT_UPLOADS, type NamedDocument } from './upload.rules.ts'
import { type FindNamed, type SendFile, UploadError, UploadQueue } from './upload-queue.ts'

const file = (name: string) => new File(['text'], name)

/** A queue whose sends are completed by the test. */
function manualQueue(findNamed: FindNamed | null = null) {
  const sends: {
    name: string
    key: string
    replaces: NamedDocument | null
    progress: (share: number) => void
    done: () => void
    fail: (e: Error) => void
    signal: AbortSignal
  }[] = []
  const send: SendFile = (sent, progress, signal) =>
    new Promise((done, fail) => {
      const { file, key, replaces } = sent
      sends.push({ name: file.name, key, replaces, progress, done, fail, signal })
    })
  const queue = new UploadQueue(send, DOCUMENT_UPLOADS, findNamed)
  const states = () => queue.snapshot().map((upload) => `${upload.file.name} ${upload.state}`)
  const send_ = (index: number) => {
    const found = sends[index]
    if (!found) throw new Error(`send ${index} has not begun`)
    return found
  }
  return { queue, sends, send: send_, states }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

const prices: NamedDocument = { documentId: 'd1' as Id<'documents'>, name: 'Prices.txt' }

describe('a file with the name of an existing document', () => {
  const ofPrices: FindNamed = async (names) =>
    new Map(names.filter((name) => /^prices/i.test(name)).map((name) => [name, prices]))

  it('waits for the choice to replace it; others do not wait for that', async () => {
    const { queue, send, sends, states } = manualQueue(ofPrices)
    queue.add([file('prices.txt'), file('PRICES.txt'), file('terms.txt')])
    expect(sends).toEqual([])
    await settled()
    expect(states()).toEqual(['prices.txt asking', 'PRICES.txt asking', 'terms.txt sending'])
    const [first, second] = queue.snapshot()
    queue.answer(first?.id ?? '', 'replace')
    queue.answer(second?.id ?? '', 'keep')
    queue.answer(first?.id ?? '', 'keep') // already answered
    expect(sends.map(({ name, replaces }) => [name, replaces])).toEqual([
      ['terms.txt', null],
      ['prices.txt', prices],
      ['PRICES.txt', null],
    ])
    send(1).fail(new UploadError('document_busy'))
    await settled()
    queue.retry(first?.id ?? '')
    expect(send(3).replaces).toEqual(prices)
  })

  it('becomes a document of its own when the names cannot be looked up', async () => {
    const { queue, send } = manualQueue(async () => Promise.reject(new Error('no connection')))
    queue.add([file('prices.txt')])
    await settled()
    expect(send(0).replaces).toBeNull()
  })

  it('can be skipped; a chosen new version is sent without the question, also after a reload', async () => {
    const { queue, sends, states } = manualQueue(ofPrices)
    queue.add([file('prices.txt')])
    await settled()
    queue.remove(queue.snapshot()[0]?.id ?? '')
    expect(states()).toEqual([])
    queue.addVersion(file('prices.txt'), prices)
    queue.addAgain({ file: file('prices.txt'), key: 'before', replaces: prices, isAnswered: true })
    expect(sends.map(({ replaces }) => replaces)).toEqual([prices, prices])
    queue.addAgain({ file: file('prices.txt'), key: 'asked', replaces: null, isAnswered: false })
    await settled()
    expect(states()[2]).toBe('prices.txt asking')
  })

  it('is not sent again as the version of a deleted document', async () => {
    const { queue, send, sends } = manualQueue()
    queue.addVersion(file('prices.txt'), prices)
    send(0).fail(new UploadError('document_gone'))
    await settled()
    queue.retry(queue.snapshot()[0]?.id ?? '')
    expect(sends).toHaveLength(1)
  })
})

describe('the upload queue', () => {
  it('sends three files at once and the next when one is done', async () => {
    const { queue, sends, send, states } = manualQueue()
    queue.add(['1.txt', '2.txt', '3.txt', '4.txt'].map(file))
    expect(states()).toEqual(['1.txt sending', '2.txt sending', '3.txt sending', '4.txt waiting'])
    send(1).done()
    await settled()
    expect(states()).toEqual(['1.txt sending', '3.txt sending', '4.txt sending'])
    expect(sends).toHaveLength(4)
  })

  it('keeps a refused file with its reason and never sends it, not even on retry', () => {
    const { queue, sends } = manualQueue()
    queue.add([file('x.exe')])
    const [upload] = queue.snapshot()
    expect(upload).toMatchObject({ state: 'failed', failure: 'unsupported_format' })
    queue.retry(upload?.id ?? '')
    expect(sends).toHaveLength(0)
  })

  it('aborts the request of a cancelled upload and shows no failure for it', async () => {
    const { queue, send, states } = manualQueue()
    queue.add([file('1.txt')])
    queue.remove(queue.snapshot()[0]?.id ?? '')
    expect(send(0).signal.aborted).toBe(true)
    send(0).fail(new Error('aborted'))
    await settled()
    expect(states()).toEqual([])
  })

  it('shows why a file failed and sends it again from the beginning, under the same key', async () => {
    const { queue, sends, send } = manualQueue()
    queue.add([file('1.txt')])
    send(0).progress(0.5)
    send(0).fail(new UploadError('network'))
    await settled()
    const [failed] = queue.snapshot()
    expect(failed).toMatchObject({ state: 'failed', failure: 'network' })
    queue.retry(failed?.id ?? '')
    expect(queue.snapshot()[0]).toMatchObject({ state: 'sending', progress: 0, failure: null })
    expect(sends).toHaveLength(2)
    expect(send(1).key).toBe(send(0).key)
  })

  it('gives each file its own key, and the same one again after a reload', () => {
    const { queue, sends } = manualQueue()
    queue.add([file('1.txt'), file('1.txt')])
    queue.addAgain({ file: file('2.txt'), key: 'before', replaces: null, isAnswered: true })
    expect(new Set(sends.map(({ key }) => key)).size).toBe(3)
    expect(sends[2]?.key).toBe('before')
  })

  it('notifies its listeners of progress with a new snapshot', () => {
    const { queue, send } = manualQueue()
    queue.add([file('1.txt')])
    const before = queue.snapshot()
    let calls = 0
    const stop = queue.subscribe(() => {
      calls += 1
    })
    send(0).progress(0.25)
    stop()
    send(0).progress(0.5)
    expect(calls).toBe(1)
    expect(queue.snapshot()).not.toBe(before)
    expect(queue.snapshot()[0]?.progress).toBe(0.5)
  })
})
