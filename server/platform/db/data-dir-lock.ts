// Owns a data folder for one process. A listening socket in the folder is the lock: the kernel frees it even on kill -9,
// so there is no heartbeat and no stale lock file to explain. Needs a local disk: a socket does not reach another host.
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { makeFolder } from '#server/platform/lib/data-folder.ts'
import { StartError } from '#server/platform/lib/start-error.ts'
import { type SocketFolder, socketFolder } from './engine/socket-address.ts'

const ATTEMPTS = 40
const RETRY_MS = 50
/** How long the guard file of a process that died while removing a dead socket stays valid. */
const GUARD_STALE_MS = 5000

/**
 * Takes a folder for this process, creating it when missing.
 *
 * @returns the function that gives it back
 * @throws StartError naming the owner's process id when another process holds the folder
 */
export async function lockDataDir(dir: string): Promise<() => void> {
  makeFolder(dir, 0o700)
  const address = socketAddress(dir)
  try {
    const stop = await takeAddress(dir, address.path)
    return () => stop(address.release)
  } catch (error) {
    address.release()
    throw error
  }
}

async function takeAddress(dir: string, address: string): Promise<(onStopped: () => void) => void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stop = await listen(address)
    if (stop) return stop
    const owner = await askOwner(address)
    if (owner) {
      throw new StartError(
        `The database in ${dir} is in use by process ${owner}. The embedded database serves one process: set DATABASE_URL to run more.`,
      )
    }
    await removeDeadSocket(dir, address)
  }
  throw new StartError(`Could not lock the database folder ${dir}.`)
}

/** A named pipe where there are no socket files. */
function socketAddress(dir: string): SocketFolder {
  const name = 'owner.sock'
  if (process.platform !== 'win32') {
    const folder = socketFolder(dir, name)
    return { ...folder, path: path.join(folder.path, name) }
  }
  const full = path.resolve(dir, name)
  return { path: `\\\\.\\pipe\\parley-${Buffer.from(full).toString('hex').slice(-64)}`, release: () => {} }
}

/** Listens and answers every caller with our process id; null when the address is taken. */
function listen(address: string): Promise<((onStopped: () => void) => void) | null> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.end(String(process.pid))
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(address, () => {
      server.unref()
      resolve((onStopped) => void server.close(onStopped))
    })
  })
}

/** The process id of the living owner; null when the socket does not answer. */
function askOwner(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = net.connect(address)
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.on('end', () => resolve(text || 'unknown'))
    socket.on('error', () => resolve(null))
  })
}

/**
 * Removes the socket of a dead owner. Two processes may come here at once; without the guard file the slower one could
 * remove the socket that the faster one has just made its own.
 */
async function removeDeadSocket(dir: string, address: string): Promise<void> {
  const guard = path.resolve(dir, 'takeover.lock')
  try {
    fs.closeSync(fs.openSync(guard, 'wx'))
  } catch {
    const since = fs.statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - since > GUARD_STALE_MS) fs.rmSync(guard, { force: true })
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return
  }
  try {
    if (!(await askOwner(address))) fs.rmSync(address, { force: true })
  } finally {
    fs.rmSync(guard, { force: true })
  }
}
