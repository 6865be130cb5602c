// What documents, tables and sites have in common: work in attempts, of which the newest alone may write.

/** The attempt is no longer the current one: cancelled, deleted, or taken over. */
export class Superseded extends Error {
  override name = 'Superseded'

  constructor() {
    super('The attempt is no longer wanted.')
  }
}

/** Milliseconds without a heartbeat after which an attempt, or an upload, is given up. */
export const STUCK_AFTER_MS = 5 * 60_000
