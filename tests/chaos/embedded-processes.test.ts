// What a kill test looks for must be found while it is there.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { openEmbeddedPostgres } from '#server/platform/db/embedded/embedded.ts'
import { EmbeddedProcesses } from './embedded-processes.ts'

it('sees processes, shared memory and sockets of an embedded PostgreSQL while it runs, and nothing afterwards', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-remains-'))
  const database = await openEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), onRestart: () => {} })
  try {
    const embedded = new EmbeddedProcesses(dataDir)
    embedded.note()
    const found = (await embedded.remains(0)).join('\n')
    for (const kind of [/^process .*postgres/m, /^watcher \d+$/m, /^shared memory \d+$/m, /^shared memory \/dev\/shm/m])
      expect(found).toMatch(kind)
    expect(found).toContain('.s.PGSQL.5432\n')
    expect(found).toContain('postmaster.pid')
    await database.close()
    expect(await embedded.remains()).toEqual([])
  } finally {
    await database.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}, 60_000)
