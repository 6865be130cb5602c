// Why PostgreSQL does not start, in words for the person who starts Parley: from what it writes to its log.
import { fullDisk, readOnlyDisk } from '#server/platform/lib/data-folder.ts'
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
  [/No space left on device|Disk quota exceeded|Check free disk space/, ({ folder }) => fullDisk(folder)],
  [/Read-only file system/, ({ folder }) => readOnlyDisk(folder)],
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
/** @param output what the program that failed has written */
export function startFailure(output: string, place: Place): StartError {
  const known = knownFailure(output, place)
  if (known) return known
  const lines = output.trim().split('\n').slice(-SHOWN_LINES)
  return new StartError(`PostgreSQL did not start (its log: ${place.logFile}).\n${lines.join('\n')}`)
}

/** The reason in words; undefined: not a known one. */
export function knownFailure(output: string, place: Place): StartError | undefined {
  const reason = REASONS.find(([pattern]) => pattern.test(output))
  return reason && new StartError(reason[1](place))
}
