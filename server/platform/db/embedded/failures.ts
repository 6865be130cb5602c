// Why PostgreSQL does not start, in words for the person who starts Parley: from what it writes to its log and from errors of files.
import { StartError } from '#server/platform/lib/start-error.ts'

/** Lines of the log that are shown where the reason is not a known one. */
const SHOWN_LINES = 5

type Place = { folder: string; logFile: string }

/** The first that fits is the reason: one without room for shared memory also speaks of the device. */
const REASONS: [RegExp, (place: Place) => string][] = [
  [
    /shared memory segment/,
    () =>
      'The system has no shared memory for PostgreSQL: give it more (/dev/shm, or kernel.shmmax and kernel.shmall), or set DATABASE_URL.',
  ],
  [
    /No space left on device|Disk quota exceeded|Check free disk space/,
    ({ folder }) => `The disk with ${folder} is full: make room, and start Parley again.`,
  ],
  [
    /Read-only file system/,
    ({ folder }) =>
      `${folder} cannot be written to: its disk is mounted read-only. Set DATA_DIR to a folder that can be written to.`,
  ],
  [
    /database files are incompatible with server/,
    ({ folder }) =>
      `The database in ${folder} was made by another build of PostgreSQL: start Parley with the one that made it, or set DATA_DIR to another folder.`,
  ],
  [
    /pre-existing shared memory block|lock file ".*" already exists/,
    ({ folder }) => `Another PostgreSQL still runs on ${folder}: end it, and start Parley again.`,
  ],
  [
    /could not create any (TCP\/IP|Unix-domain) socket|Address already in use|could not bind/,
    ({ folder }) =>
      `Another program holds the address that PostgreSQL listens at for ${folder}: end it, or set DATABASE_URL to a PostgreSQL server.`,
  ],
  [
    /Permission denied|Operation not permitted|wrong ownership|invalid permissions|could not change permissions/,
    ({ folder }) =>
      `The rights on ${folder} do not let PostgreSQL work there: the folder and all in it must belong to one user, on a disk that knows owners and modes.`,
  ],
  [
    /administrative permissions/,
    () =>
      'PostgreSQL does not run with the rights of an administrator: start Parley from an ordinary window, or set DATABASE_URL.',
  ],
]
/** What PostgreSQL would write for an error of a file of ours. */
const FILE_ERRORS: Record<string, string> = {
  ENOSPC: 'No space left on device',
  EDQUOT: 'Disk quota exceeded',
  EROFS: 'Read-only file system',
}
const FORBIDDEN = new Set(['EACCES', 'EPERM'])
const NO_FOLDER = new Set(['EEXIST', 'ENOTDIR'])

/** @param output what the program that failed has written */
export function startFailure(output: string, place: Place): StartError {
  const reason = REASONS.find(([pattern]) => pattern.test(output))
  if (reason) return new StartError(reason[1](place))
  const lines = output.trim().split('\n').slice(-SHOWN_LINES)
  return new StartError(`PostgreSQL did not start (its log: ${place.logFile}).\n${lines.join('\n')}`)
}

/** The same for an error of a file; every other error is returned unchanged. */
export function explainFileError(error: unknown, place: Place): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (FORBIDDEN.has(code)) {
    return new StartError(
      `The user who starts Parley may not write to ${place.folder}: give the folder and all in it to that user, or set DATA_DIR to another folder.`,
    )
  }
  if (NO_FOLDER.has(code)) {
    return new StartError(
      `${place.folder} cannot be made: a file has that name or one above it. Set DATA_DIR to a folder.`,
    )
  }
  const text = FILE_ERRORS[code]
  return text === undefined ? error : startFailure(text, place)
}
