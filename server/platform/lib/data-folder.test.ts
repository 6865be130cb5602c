// Where data cannot be kept, the person who starts Parley can read why.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { explainFileError, makeFolder } from './data-folder.ts'

const failing = (code: string) => Object.assign(new Error(code), { code, syscall: 'mkdir' })

it('makes a folder and those above it, once', () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-folder-'))
  const folder = path.join(base, 'a', 'b')
  makeFolder(folder, 0o700)
  makeFolder(folder, 0o700)
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
  fs.writeFileSync(path.join(base, 'file'), '')
  expect(() => makeFolder(path.join(base, 'file', 'c'), 0o700)).toThrow(/ENOTDIR|EEXIST/)
  fs.rmSync(base, { recursive: true })
})

it.runIf(process.platform === 'linux')('gives up where no folder can be made', () => {
  expect(() => makeFolder('/proc/parley/data', 0o700)).toThrow('ENOENT')
})

it.each([
  ['ENOSPC', 'is full'],
  ['EROFS', 'mounted read-only'],
  ['EACCES', 'may not write to'],
  ['ENOTDIR', 'a file has that name'],
  ['ENOENT', 'folders cannot be made there'],
])('explains %s', (code, words) => {
  expect(explainFileError(failing(code), '/srv/data')).toMatchObject({
    name: 'StartError',
    message: expect.stringContaining(words),
  })
})

it('leaves other errors as they are', () => {
  const other = new Error('other')
  expect(explainFileError(other, '/srv/data')).toBe(other)
})
