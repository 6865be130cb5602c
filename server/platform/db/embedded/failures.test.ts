// What PostgreSQL writes when it does not start, and the words for the person who starts Parley.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startFailure } from './failures.ts'
import { LogFile } from './log-file.ts'

const PLACE = { folder: '/srv/data/postgres', logFile: '/srv/data/postgres/postgres.log' }

it.each([
  [
    'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    'disk with /srv/data/postgres is full',
  ],
  ['HINT:  Check free disk space.\nPANIC:  cannot abort transaction 1', 'is full'],
  ['FATAL:  could not create shared memory segment: No space left on device', 'shared memory'],
  ['FATAL:  could not open file "postmaster.pid": Read-only file system', 'mounted read-only'],
  ['FATAL:  data directory "/srv/data/postgres/data" has wrong ownership', 'rights on /srv/data/postgres'],
  ['FATAL:  could not access file "global/pg_control": Permission denied', 'rights on'],
  ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', 'Another program holds the address'],
  ['FATAL:  could not create any TCP/IP sockets', 'Another program holds the address'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'Another PostgreSQL still runs'],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', 'Another PostgreSQL still runs'],
  ['FATAL:  database files are incompatible with server', 'another build of PostgreSQL'],
])('%s', (output, words) => {
  expect(startFailure(output, PLACE).message).toContain(words)
})

it('shows the end of the log where the reason is not a known one', () => {
  const { message } = startFailure('one\ntwo\nthree\nfour\nfive\nFATAL:  unheard of', PLACE)
  expect(message).toMatch(/postgres\.log[\s\S]*unheard of$/)
  expect(message).not.toContain('one')
})

it('keeps the log small, with a former one', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-log-'))
  const file = path.join(folder, 'postgres.log')
  const log = new LogFile(file)
  fs.writeSync(log.fd, 'x'.repeat(6e6))
  log.rotate()
  log.mark()
  fs.writeSync(log.fd, 'after')
  expect(fs.statSync(file).size).toBe(5)
  expect(fs.statSync(`${file}.1`).size).toBe(6e6)
  expect(log.tail()).toBe('after')
  log.close()
  fs.rmSync(folder, { recursive: true })
})
