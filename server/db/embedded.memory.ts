// The embedded database in the memory of its thread, and the settings it shares with the one in a folder.
import { PGlite } from '@electric-sql/pglite'
import { parsers, serializers } from './parsers.ts'

/** Small buffers: the whole process should stay below 700 MB, and the operating system caches the files anyway. */
export const SETTINGS = ['shared_buffers=16MB', 'wal_buffers=1MB', 'max_wal_size=64MB', 'min_wal_size=32MB']

/** @param dump contents of a dumped database to start from; undefined: an empty one */
export function openInMemory(dump?: Uint8Array): Promise<PGlite> {
  const loadDataDir = dump && { loadDataDir: new Blob([new Uint8Array(dump)]) }
  return PGlite.create({ startParams: startFlags(SETTINGS), parsers, serializers, ...loadDataDir })
}

/** What PGlite starts PostgreSQL with, and these settings. `skip`: flags of its own to leave out. */
export function startFlags(settings: string[], skip: string[] = []): string[] {
  const defaults = PGlite.defaultStartParams.filter((flag) => !skip.includes(flag))
  return [...defaults, ...settings.flatMap((setting) => ['-c', setting])]
}
