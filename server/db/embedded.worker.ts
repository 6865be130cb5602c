// The thread that runs the embedded database: PGlite on a file system that really flushes, one connection, calls by message.
// Stock PGlite never flushes; the durable file system leans on an internal of its build, hence the probe at every start.
import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { answerCalls } from './embedded.calls.ts'
import { openInMemory, SETTINGS, startFlags } from './embedded.memory.ts'
import type { WorkerStart } from './embedded.protocol.ts'
import { parsers, serializers } from './parsers.ts'

if (!parentPort) throw new Error('embedded.worker.ts runs as a worker thread')

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

function openFolder(dataDir: string): Promise<PGlite> {
  return PGlite.create({
    fs: new DurableFileSystem(dataDir),
    dataDir,
    startParams: startFlags(DURABLE, ['-F']), // -F switches flushing off
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

const { dir, dump } = workerData as WorkerStart
const database = dir ? await openOrCreate(dir) : await openInMemory(dump)
answerCalls(parentPort, database, async (calls) => {
  await calls.abandon() // a transaction that is open would be waited for, and nobody can end it any more
  await database.close()
})
