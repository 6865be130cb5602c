// The folder that Parley keeps its data in: made where it is missing, with words for the person who starts Parley where it cannot be used.
import fs from 'node:fs'
import path from 'node:path'
import { StartError } from './start-error.ts'

export const fullDisk = (folder: string) => `The disk with ${folder} is full: make room, and start Parley again.`
export const readOnlyDisk = (folder: string) =>
  `${folder} cannot be written to: its disk is mounted read-only. Set DATA_DIR to a folder that can be written to.`
const forbidden = (folder: string) =>
  `The user who starts Parley may not write to ${folder}: give the folder and all in it to that user, or set DATA_DIR to another folder.`
const noFolder = (folder: string) =>
  `${folder} cannot be made: a file has that name or one above it. Set DATA_DIR to a folder.`
const takesNone = (folder: string) =>
  `${folder} cannot be made: folders cannot be made there. Set DATA_DIR to a folder on a disk.`

const WORDS: Partial<Record<string, (folder: string) => string>> = {
  ...{ ENOSPC: fullDisk, EDQUOT: fullDisk, EROFS: readOnlyDisk },
  ...{ EACCES: forbidden, EPERM: forbidden },
  ...{ EEXIST: noFolder, ENOTDIR: noFolder, ENOENT: takesNone },
}

/** An error of a file in the folder, in words; every other error is returned unchanged. */
export function explainFileError(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : ''
  const words = WORDS[code]
  return words ? new StartError(words(folder)) : error
}

/**
 * Makes a folder and those above it. Level by level: Node's own way of doing so tries without end where a file system answers that
 * the folder above does not exist though it does, as /proc does.
 */
export function makeFolder(folder: string, mode: number): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const above = path.dirname(path.resolve(folder))
  if (above !== path.resolve(folder)) makeFolder(above, mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (error) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error // another process may have made it
  }
}
