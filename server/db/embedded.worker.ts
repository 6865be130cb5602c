// The thread that runs the embedded database: PGlite on a file system that really flushes, one connection, calls by message.
// Stock PGlite never flushes; the durable file system leans on an internal of its build, hence the probe at every start.
import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Answer, Call, Rows, WorkerStart } from './embedded.protocol.ts'
import { parsers, serializers } from './parsers.ts'

if (!parentPort) throw new Error('embedded.worker.ts runs as a worker thread')
const port = parentPort
const start = workerData as WorkerStart

/** Small buffers: the whole process should stay below 700 MB, and the operating system caches the files anyway. */
const SETTINGS = ['shared_buffers=16MB', 'wal_buffers=1MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
/** `fdatasync`, the default, is a stub in this build; `fsync` reaches the file system. */
const DURABLE = [...SETTINGS, 'wal_sync_method=fsync']

type EmscriptenNodeFs = {
  FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } } }
}

let syncs = 0

/** The file system of the build has no fsync; this adds it, so that an acknowledged commit is on the disk. */
class DurableFileSystem extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...args)
    result.emscriptenOpts.preRun?.push((module: unknown) => {
      const { FS } = module as EmscriptenNodeFs
      FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        syncs++
        flush(nfd)
        return 0
      }
    })
    return result
  }
}

function flush(descriptor: number): void {
  try {
    fs.fdatasyncSync(descriptor)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'EINVAL' && code !== 'EBADF') throw error // not a file that can be flushed
  }
}

function flags(settings: string[], skip: string[] = []): string[] {
  const defaults = PGlite.defaultStartParams.filter((flag) => !skip.includes(flag))
  return [...defaults, ...settings.flatMap((setting) => ['-c', setting])]
}

function openFolder(dataDir: string): Promise<PGlite> {
  return PGlite.create({
    fs: new DurableFileSystem(dataDir),
    dataDir,
    startParams: flags(DURABLE, ['-F']), // -F switches flushing off
    parsers,
    serializers,
  })
}

/** A kill inside initdb leaves only `pgdata.new` behind, which the next start throws away. */
async function openOrCreate(root: string): Promise<PGlite> {
  const data = path.join(root, 'pgdata')
  const fresh = `${data}.new`
  if (!fs.existsSync(data)) {
    fs.rmSync(fresh, { recursive: true, force: true })
    await (await openFolder(fresh)).close()
    fs.renameSync(fresh, data)
    const folder = fs.openSync(root, 'r')
    fs.fsyncSync(folder)
    fs.closeSync(folder)
  }
  const database = await openFolder(data)
  await probeDurability(database)
  return database
}

async function probeDurability(database: PGlite): Promise<void> {
  const before = syncs
  await database.exec(
    'create table if not exists durability_probe (n integer); insert into durability_probe values (1); truncate durability_probe',
  )
  if (syncs === before) throw new Error('Commits do not reach the disk: the durable file system is not active.')
}

function openInMemory(dump?: Uint8Array): Promise<PGlite> {
  const loadDataDir = dump && { loadDataDir: new Blob([new Uint8Array(dump)]) }
  return PGlite.create({ startParams: flags(SETTINGS), parsers, serializers, ...loadDataDir })
}

type OpenTransaction = { transaction: Transaction; end(error?: Error): void; closed: Promise<unknown> }

const database = start.dir ? await openOrCreate(start.dir) : await openInMemory(start.dump)
const transactions = new Map<number, OpenTransaction>()
const listeners = new Map<number, () => Promise<void>>()

function openTransaction(id: number): OpenTransaction {
  const open = transactions.get(id)
  if (!open) throw new Error('The transaction is over.')
  return open
}

function runner(id: number | undefined): PGlite | Transaction {
  return id === undefined ? database : openTransaction(id).transaction
}

function answer(call: Call): unknown {
  switch (call.op) {
    case 'ping':
      return null
    case 'query':
      return runner(call.transaction).query(call.sql, [...call.params])
    case 'script':
      return script(runner(call.transaction), call.sql)
    case 'begin':
      return begin(call.id, call.sql)
    case 'commit':
      return commit(call.transaction)
    case 'rollback':
      return rollback(call.transaction)
    case 'listen':
      return listen(call.id, call.channel)
    case 'unlisten':
      return unlisten(call.listener)
    case 'dump':
      return dump()
    case 'close':
      return database.close()
    default:
      return call satisfies never
  }
}

async function script(on: PGlite | Transaction, sql: string): Promise<Rows> {
  return ((await on.exec(sql)).at(-1) as Rows | undefined) ?? { rows: [] }
}

/** Opens a transaction and answers when its first statements are done. It stays open until commit or rollback is called. */
function begin(id: number, sql: string): Promise<Rows> {
  return new Promise((begun, failed) => {
    const closed = database.transaction(
      (transaction) =>
        new Promise<void>((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve())
          transactions.set(id, { transaction, end, closed })
          script(transaction, sql).then(begun, reject)
        }),
    )
    closed.catch((error) => {
      transactions.delete(id)
      failed(error)
    })
  })
}

async function commit(id: number): Promise<void> {
  const { end, closed } = openTransaction(id)
  end()
  try {
    await closed
  } finally {
    transactions.delete(id)
  }
}

async function rollback(id: number): Promise<void> {
  const open = transactions.get(id)
  if (!open) return
  open.end(new Error('rollback'))
  await open.closed.catch(() => {})
  transactions.delete(id)
}

async function listen(id: number, channel: string): Promise<void> {
  const stop = await database.listen(channel, (payload) => post({ listener: id, payload }))
  listeners.set(id, stop)
}

async function unlisten(id: number): Promise<void> {
  await listeners.get(id)?.()
  listeners.delete(id)
}

async function dump(): Promise<Uint8Array> {
  return new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer())
}

function post(message: Answer): void {
  port.postMessage(message)
}

const ERROR_FIELDS = [
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'schema',
  'table',
  'column',
  'constraint',
  'where',
]

/** An error as plain data: the fields of a database error would be lost on the way between threads. */
function plainError(error: unknown): { name: string; message: string } & Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const fields = Object.entries(error).filter(([name, value]) => ERROR_FIELDS.includes(name) && value !== undefined)
  return { ...Object.fromEntries(fields), name: error.name, message: error.message }
}

port.on('message', async (call: Call) => {
  try {
    post({ id: call.id, result: await answer(call) })
  } catch (error) {
    post({ id: call.id, error: plainError(error) })
  }
})
post({ ready: true })
