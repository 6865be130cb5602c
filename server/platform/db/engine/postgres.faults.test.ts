// Connection failures become errors of transactions, and none ends the process.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { type Befalls, type DatabaseProxy, startDatabaseProxy } from '#tests/fakes/database-proxy.ts'
import type { Database } from '../database.ts'
import { openDatabase } from './open.ts'
import { PostgresClient } from './postgres.client.ts'
import { FrameCheck } from './postgres.frames.ts'

const log = pino({ level: 'silent' })

describe('a connection to PostgreSQL', () => {
  let proxy: DatabaseProxy
  let drop: () => Promise<void>
  let database: Database
  beforeEach(async () => {
    const fresh = await createMigratedDatabase()
    drop = fresh.drop
    proxy = await startDatabaseProxy(fresh.url)
    database = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, log)
  })
  afterEach(async () => {
    proxy.befalls = () => 'nothing'
    await database.close()
    await proxy.close()
    await drop()
  })

  const read = () =>
    database.transaction(
      { kind: 'none' },
      async (db) => (await sql<{ n: number }>`select 1 as n`.execute(db)).rows[0]?.n,
      {
        readOnly: true,
      },
    )

  /** Reconnects everything, and applies the fault to each connection. */
  async function befall(fate: Befalls, application: RegExp): Promise<void> {
    proxy.bytesBefore = 3000
    proxy.befalls = (name) => (application.test(name) ? fate : 'nothing')
    proxy.cut()
  }

  test.each(['server', 'peers', 'probe'])(
    'of the kind "%s" that is ended together with its first answer ends nothing else',
    async (kind) => {
      await befall('fatal', new RegExp(kind))
      for (let time = 0; time < 10; time++) {
        await Promise.all([
          read().catch(() => {}),
          database.isWritable(),
          database.withLock('any', async () => {}).catch(() => {}),
        ])
        await sleep(30)
      }
      expect(proxy.befallen).toBeGreaterThan(0)
      proxy.befalls = () => 'nothing'
      expect(await read()).toBe(1)
      expect(await database.withLock('any', async () => 'locked')).toBe('locked')
    },
  )

  test.each(['cut', 'spoilt'] as const)(
    'that is %s somewhere fails its transaction, and the next one has another',
    async (fate) => {
      await befall(fate, /./)
      for (let time = 0; time < 200 && proxy.befallen < 30; time++) {
        await Promise.all([
          read().catch(() => {}),
          database.isWritable(),
          database.withLock('any', async () => {}).catch(() => {}),
        ])
      }
      expect(proxy.befallen).toBeGreaterThanOrEqual(30)
      proxy.befalls = () => 'nothing'
      proxy.cut()
      expect(await read()).toBe(1)
    },
  )
})

describe('frames', () => {
  const frame = (type: string, length: number) => {
    const bytes = Buffer.alloc(length + 1)
    bytes.write(type)
    bytes.writeUInt32BE(length, 1)
    return bytes
  }
  const stream = Buffer.concat([frame('R', 8), frame('D', 4000), frame('Z', 5), frame('C', 4)])
  const readIn = (bytes: Buffer, size: number) => {
    const frames = new FrameCheck()
    for (let at = 0; at < bytes.length; at += size) frames.read(bytes.subarray(at, at + size))
  }

  test.each([1, 3, 5, 6, 1000, 10_000])('are followed through chunks of %i bytes', (size) => {
    expect(() => readIn(stream, size)).not.toThrow()
    expect(() => readIn(Buffer.concat([stream, Buffer.from([0x80])]), size)).toThrow('byte 128')
  })
  test.each([3, 0, 0x40000004, 0xffffffff])('of %i bytes are none', (length) => {
    const header = Buffer.from('D0000')
    header.writeUInt32BE(length, 1)
    expect(() => readIn(header, 2)).toThrow(`No message has ${length} bytes`)
  })
})

test('an error of a client without a listener does not end the process', () => {
  expect(new PostgresClient().emit('error', new Error('unexpected'))).toBe(true)
})
