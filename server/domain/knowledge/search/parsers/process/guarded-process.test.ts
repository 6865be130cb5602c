// How the end of a parsing process is interpreted, in the orders in which a busy machine may report it.
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { PARSE_LIMITS } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { runGuarded } from './guarded-process.ts'

class FakeChild extends EventEmitter {
  send = vi.fn()
  kill = vi.fn()
}
let child: FakeChild

function run(): Promise<string> {
  child = new FakeChild()
  const signal = new AbortController().signal
  const work = { entry: 'entry.ts', path: '/file', order: {}, signal, limits: PARSE_LIMITS }
  return runGuarded<object, string>(work, () => child as unknown as ChildProcess)
}

it('takes the result of a process whose exit is reported before it', async () => {
  const result = run()
  child.emit('exit', 0, null)
  child.emit('message', { kind: 'done', result: 'read' })
  child.emit('close', 0, null)
  expect(await result).toBe('read')
})

it('takes the reason of a refusal that comes behind the end', async () => {
  const result = run()
  child.emit('exit', 0, null)
  child.emit('message', { kind: 'refused', reason: 'damaged', at: null })
  child.emit('close', 0, null)
  await expect(result).rejects.toMatchObject({ reason: 'damaged' })
})

it('fails when a process ends without a word, and calls one that was out of memory too large', async () => {
  const silent = run()
  child.emit('close', 0, null)
  await expect(silent).rejects.toThrow('The parser ended with code 0')
  const killed = run()
  child.emit('close', null, 'SIGKILL')
  await expect(killed).rejects.toEqual(new ParseFailure('too_large'))
})
