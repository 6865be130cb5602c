// Column types that several tables share.
import type { ColumnType } from 'kysely'

/** `timestamptz`: a Date when read; a default exists wherever an insert may leave it out. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
/** `timestamptz` without a default: every insert gives it. */
export type GivenTimestamp = ColumnType<Date, Date | string, Date | string>
/** `jsonb`: read as T, written as JSON text (both engines then agree). */
export type Json<T> = ColumnType<T, string, string>
/** `jsonb` with a default. */
export type DefaultJson<T> = ColumnType<T, string | undefined, string>
