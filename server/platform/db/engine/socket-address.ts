// Addresses of sockets in folders whose path is longer than a socket address may be.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Bytes that fit a socket address on every platform (macOS allows 103, Linux 107). */
const ADDRESS_BYTES = 100

/** A path by which sockets in a folder are reached, and the function that gives it back. */
export type SocketFolder = { path: string; release(): void }

/**
 * An absolute path to a folder that leaves room for the name of a socket in it. It is of use in this process only.
 * @param folder must exist
 */
export function socketFolder(folder: string, name: string): SocketFolder {
  const full = path.resolve(folder)
  if (Buffer.byteLength(path.join(full, name)) <= ADDRESS_BYTES) return { path: full, release: () => {} }
  return fs.existsSync('/proc/self/fd') ? throughDescriptor(full) : throughLink(full)
}

function throughDescriptor(folder: string): SocketFolder {
  const descriptor = fs.openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}`, release: () => fs.closeSync(descriptor) }
}

function throughLink(folder: string): SocketFolder {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-'))
  const link = path.join(place, 's')
  fs.symlinkSync(folder, link)
  return { path: link, release: () => fs.rmSync(place, { recursive: true, force: true }) }
}
