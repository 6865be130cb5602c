// Images of a data folder as a disk may hold them after a power cut.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'

/** Of the write-ahead log's files, unless initdb is given another. */
const SEGMENT_BYTES = 16 * 1024 * 1024
const SEGMENTS_A_NAME = 0x1_0000_0000 / SEGMENT_BYTES
const SECTOR_BYTES = 4096
/** Where the position of the last checkpoint stands in pg_control. @source src/include/catalog/pg_control.h */
const CHECKPOINT_AT = 32
/** What is written at leisure and made durable by a checkpoint. */
const UNSYNCED = ['base', 'global', 'pg_xact', 'pg_multixact', 'pg_subtrans']
const CONTROL = 'pg_control'

/** With owners, modes and sockets; the process goes on hearing others meanwhile. */
export async function copyFolder(from: string, to: string): Promise<void> {
  const [code] = await once(spawn('cp', ['-a', '--reflink=auto', from, to], { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`cp ended with ${code}`)
}

const dataIn = (image: string) => path.join(image, 'postgres', 'data')

/** The position from which a recovery starts: images in which it is the same have been through no checkpoint in between. */
export function readCheckpoint(image: string): bigint {
  return fs.readFileSync(path.join(dataIn(image), 'global', CONTROL)).readBigUInt64LE(CHECKPOINT_AT)
}

type Loss = { image: string; baseline: string }

/** Tables become as they were in `baseline`, and what was not flushed of the write-ahead log becomes zeros. */
export function loseUnsynced({ image, baseline, flushedTo }: Loss & { flushedTo: string }): void {
  for (const name of filesOf(image))
    if (!fs.existsSync(path.join(dataIn(baseline), name))) fs.rmSync(path.join(dataIn(image), name))
  for (const name of filesOf(baseline))
    overwrite(path.join(dataIn(image), name), fs.readFileSync(path.join(dataIn(baseline), name)))
  cutLog(path.join(dataIn(image), 'pg_wal'), flushedTo)
}

/** Of files that are in both, each sector is by chance as it was in `baseline`. */
export function tearSectors({ image, baseline }: Loss): void {
  for (const name of filesOf(image)) {
    const former = path.join(dataIn(baseline), name)
    if (!fs.existsSync(former)) continue
    const file = path.join(dataIn(image), name)
    const [bytes, old] = [fs.readFileSync(file), fs.readFileSync(former)]
    for (let at = 0; at < Math.min(bytes.length, old.length); at += SECTOR_BYTES)
      if (Math.random() < 0.5) old.copy(bytes, at, at, at + SECTOR_BYTES)
    overwrite(file, bytes)
  }
}

/** Relative to the data folder. */
function filesOf(image: string): string[] {
  return UNSYNCED.flatMap((folder) =>
    fs
      .readdirSync(path.join(dataIn(image), folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== CONTROL)
      .map((entry) => path.relative(dataIn(image), path.join(entry.parentPath, entry.name))),
  )
}

/** The owner and the mode stay. */
function overwrite(file: string, bytes: Buffer): void {
  const mode = fs.existsSync(file) ? undefined : fs.statSync(path.dirname(file))
  fs.writeFileSync(file, bytes)
  if (mode) {
    fs.chownSync(file, mode.uid, mode.gid)
    fs.chmodSync(file, 0o600)
  }
}

/** @param flushedTo as `0/16B3748` */
function cutLog(folder: string, flushedTo: string): void {
  const [high = 0, low = 0] = flushedTo.split('/').map((half) => Number.parseInt(half, 16))
  const segment = high * SEGMENTS_A_NAME + Math.floor(low / SEGMENT_BYTES)
  for (const name of fs.readdirSync(folder).filter((each) => /^[0-9A-F]{24}$/.test(each))) {
    const number = Number.parseInt(name.slice(8, 16), 16) * SEGMENTS_A_NAME + Number.parseInt(name.slice(16), 16)
    if (number < segment) continue
    const file = path.join(folder, name)
    fs.truncateSync(file, number === segment ? low % SEGMENT_BYTES : 0)
    fs.truncateSync(file, SEGMENT_BYTES)
  }
}
