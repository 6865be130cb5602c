// A data folder belongs to one process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-lock-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** A process that owns the folder until it is killed. */
async function ownerProcess() {
  const code = `const { lockDataDir } = await import(${JSON.stringify(path.join(import.meta.dirname, 'data-dir-lock.ts'))})
    await lockDataDir(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

test('a second process is refused with the owner, and takes over once the owner was killed', async () => {
  const owner = await ownerProcess()
  await expect(lockDataDir(folder)).rejects.toThrow(`in use by process ${owner.pid}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const release = await lockDataDir(folder)
  release()
})

test('of several that take over a dead owner at once, one wins', async () => {
  const owner = await ownerProcess()
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataDir(folder)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const attempt of attempts) if (attempt.status === 'fulfilled') attempt.value()
})

test('a folder that was given back can be taken again', async () => {
  const release = await lockDataDir(folder)
  release()
  const again = await lockDataDir(folder)
  again()
})

test('a folder whose path is too long for a socket is taken and refused like any other', async () => {
  const deep = path.join(folder, 'x'.repeat(120))
  const release = await lockDataDir(deep)
  await expect(lockDataDir(deep)).rejects.toThrow(`in use by process ${process.pid}`)
  release()
  const again = await lockDataDir(deep)
  again()
})
