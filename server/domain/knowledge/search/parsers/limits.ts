// What one file may cost. Beyond the first group a file is refused; beyond the second its rest is left out with a warning.

export type ParseLimits = {
  /** Resident memory of the process, bytes. */
  memoryBytes: number
  /** Processor time of the process, milliseconds: a busy machine makes no file a bad one. */
  cpuMs: number
  /** Wall clock, milliseconds: also of a process that does nothing. */
  wallMs: number
  /** Of a zip container, before and while it is unpacked. */
  zip: { entries: number; entryBytes: number; totalBytes: number; ratio: number }
  pages: number
  rows: number
  characters: number
}

export const PARSE_LIMITS: ParseLimits = {
  memoryBytes: 512 * 1024 * 1024,
  cpuMs: 30_000,
  wallMs: 300_000,
  zip: { entries: 10_000, entryBytes: 100 * 1024 * 1024, totalBytes: 300 * 1024 * 1024, ratio: 200 },
  pages: 2_000,
  rows: 200_000,
  characters: 10_000_000,
}
