// What the main thread and the database thread say to each other.

/** What a thread is started with. */
export type WorkerStart = {
  /** Folder of the durable database; undefined: in memory. */
  dir?: string
  /** Contents of a dumped in-memory database to start from. */
  dump?: Uint8Array
}

export type Call =
  | { id: number; op: 'close' }
  | { id: number; op: 'ping' | 'dump' }
  | { id: number; op: 'query'; sql: string; params: readonly unknown[]; transaction?: number | undefined }
  | { id: number; op: 'script'; sql: string; transaction?: number | undefined }
  | { id: number; op: 'begin'; sql: string }
  | { id: number; op: 'commit' | 'rollback'; transaction: number }
  | { id: number; op: 'listen'; channel: string }
  | { id: number; op: 'unlisten'; listener: number }

/** A call without the number that the sender gives it. */
export type Request = Call extends infer Each ? (Each extends Call ? Omit<Each, 'id'> : never) : never

export type Answer =
  | { ready: true }
  | { id: number; result: unknown }
  | { id: number; error: { name: string; message: string } & Record<string, unknown> }
  | { listener: number; payload: string }

/** Rows of one statement. */
export type Rows = { rows: Record<string, unknown>[]; affectedRows?: number }
