// The life of uploads: order, cancelling, failing and trying again.
import { describe, expect, it } from 'vitest'
import { DOCUMENT_UPLOADS } from './upload.rules.ts'
import { type SendFile, UploadError, UploadQueue } from './upload-queue.ts'

const file = (name: string) => new File(['text'], name)

/** A queue whose sends wait for the test. */
function manualQueue() {
  const sends: {
    name: string
    key: string
    progress: (share: number) => void
    done: () => void
    fail: (e: Error) => void
    signal: AbortSignal
  }[] = []
  const send: SendFile = (sent, progress, signal) =>
    new Promise((done, fail) => sends.push({ name: sent.file.name, key: sent.key, progress, done, fail, signal }))
  const queue = new UploadQueue(send, DOCUMENT_UPLOADS)
  const states = () => queue.snapshot().map((upload) => `${upload.file.name} ${upload.state}`)
  const send_ = (index: number) => {
    const found = sends[index]
    if (!found) throw new Error(`send ${index} has not begun`)
    return found
  }
  return { queue, sends, send: send_, states }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

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

  it('really stops a cancelled upload and shows no failure for it', async () => {
    const { queue, send, states } = manualQueue()
    queue.add([file('1.txt')])
    queue.remove(queue.snapshot()[0]?.id ?? '')
    expect(send(0).signal.aborted).toBe(true)
    send(0).fail(new Error('aborted'))
    await settled()
    expect(states()).toEqual([])
  })

  it('says why a file failed and sends it again from the beginning, under the same key', async () => {
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

  it('gives each file a key of its own, the same one again after a reload', () => {
    const { queue, sends } = manualQueue()
    queue.add([file('1.txt'), file('1.txt')])
    queue.addAgain(file('2.txt'), 'before')
    expect(new Set(sends.map(({ key }) => key)).size).toBe(3)
    expect(sends[2]?.key).toBe('before')
  })

  it('tells its listeners of progress with a new snapshot', () => {
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
