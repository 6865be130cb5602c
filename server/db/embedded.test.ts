// The embedded database on disk: durable, owned by one process, alive after kills and runaway queries.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { embeddedEngine } from './embedded.engine.ts'
import { EmbeddedDatabase } from './embedded.ts'
import { isConnectionLost } from './engine.ts'

vi.setConfig({ testTimeout: 240_000 }) // making a database takes seconds, on a busy machine many

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-embedded-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const MODULE = JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))

/** A process that opens the database and runs code; its lines are read one by one. */
function databaseProcess(code: string) {
  const source = `const { EmbeddedDatabase } = await import(${MODULE})
    const db = await EmbeddedDatabase.open({ dir: ${JSON.stringify(folder)} }); ${code}`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('what was acknowledged before a kill -9 is there afterwards, and the folder opens', async () => {
  const child = databaseProcess(`await db.exec('create table t (n integer)')
    for (let n = 1; ; n++) { await db.query('insert into t values ($1)', [n]); console.log(n) }`)
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.split('\n').length > 50) child.kill('SIGKILL') // in the middle of writing; the loop ends with the process
  }
  const acknowledged = text.split('\n').length - 1
  const database = await EmbeddedDatabase.open({ dir: folder })
  const { rows } = await database.query('select count(*) as count from t')
  expect(Number(rows[0]?.count)).toBeGreaterThanOrEqual(acknowledged)
  await database.close()
})

test('a kill -9 while the database is first made leaves a folder that opens', async () => {
  const child = databaseProcess('')
  const unfinished = path.join(folder, 'pgdata.new')
  while (!fs.existsSync(path.join(unfinished, 'base'))) await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(fs.existsSync(path.join(folder, 'pgdata'))).toBe(false)
  const database = await EmbeddedDatabase.open({ dir: folder })
  expect(fs.existsSync(unfinished)).toBe(false)
  await database.close()
})

test('a second process is refused with the owner’s id', async () => {
  const database = await EmbeddedDatabase.open({ dir: folder })
  await expect(EmbeddedDatabase.open({ dir: folder })).rejects.toThrow(`in use by process ${process.pid}`)
  await database.close()
})

test('a runaway query is stopped by a restart that keeps every committed row', async () => {
  const restarts: string[] = []
  const database = await EmbeddedDatabase.open({ dir: folder, onRestart: (reason) => restarts.push(reason) })
  await database.exec('create table t (n integer); insert into t values (1)')
  const notified = Promise.withResolvers<string>()
  await database.listen('channel', notified.resolve)
  database.blockedLimitMs = 500
  const runaway = database.query('select count(*) from generate_series(1, 1000000000000)')
  await expect(runaway).rejects.toSatisfy(isConnectionLost)
  database.blockedLimitMs = 30_000
  expect((await database.query('select n from t')).rows).toEqual([{ n: 1 }])
  await expect.poll(() => restarts).toEqual(['thread exited'])
  await database.exec("notify channel, 'still here'")
  expect(await notified.promise).toBe('still here')
  await database.close()
})

test('a query that waits for its turn is not taken for a runaway', async () => {
  const database = await EmbeddedDatabase.open()
  database.blockedLimitMs = 1500
  const { transaction } = await database.begin('select 1')
  const waiting = database.query('select 2 as two')
  await new Promise((resolve) => setTimeout(resolve, 3000)) // longer than the limit, which is what is tested
  await database.commit(transaction)
  expect((await waiting).rows).toEqual([{ two: 2 }])
  await database.close()
})

test('a forgotten transaction is rolled back', async () => {
  const database = await EmbeddedDatabase.open()
  await database.exec('create table t (n integer)')
  database.transactionLimitMs = 100
  const session = await embeddedEngine(database).acquire()
  await session.begin({ isolation: 'serializable', readOnly: false }, [])
  await session.script('insert into t values (1)')
  expect((await database.query('select n from t')).rows).toEqual([]) // waits until the transaction is gone
  await expect(session.commit()).rejects.toThrow()
  await database.close()
})

test('a dump opens as a copy', async () => {
  const database = await EmbeddedDatabase.open()
  await database.exec('create table t (n integer); insert into t values (7)')
  const copy = await EmbeddedDatabase.open({ dump: await database.dump() })
  expect((await copy.query('select n from t')).rows).toEqual([{ n: 7 }])
  await Promise.all([database.close(), copy.close()])
})

test('transactions that are open when the database closes do not keep it from closing, and are rolled back', async () => {
  const database = await EmbeddedDatabase.open({ dir: folder })
  await database.exec('create table t (n integer)')
  const { transaction } = await database.begin('insert into t values (1)')
  const closing = database.close()
  const behind = database.begin('insert into t values (2)') // before the thread is asked to close
  await database.rollback(transaction)
  await behind
  await closing
  const again = await EmbeddedDatabase.open({ dir: folder })
  expect((await again.query('select n from t')).rows).toEqual([])
  await again.close()
})

test('a closed database says so', async () => {
  const database = await EmbeddedDatabase.open()
  await database.close()
  await expect(database.query('select 1')).rejects.toThrow('closed')
})
