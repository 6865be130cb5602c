// A separate connection that tests whether PostgreSQL accepts writes: one from the pool might have to be waited for.
import { isConnectionLost } from './engine.ts'
import { clientConfig, PostgresClient } from './postgres.client.ts'

/**
 * What storing a message takes, in one round trip: a row that is written and committed, which a standby and a read-only role refuse, and
 * new blocks on the disk. A row that is changed in its place asks for none, so that alone is answered by a full disk; a temporary file
 * asks for them and leaves nothing behind, where a table would have to grow.
 */
const PROBE = [
  "set local work_mem = '64kB'",
  'select count(*) from generate_series(1, 4000)',
  'insert into write_probe (probed_at) values (now()) on conflict (only_row) do update set probed_at = excluded.probed_at',
].join(';')

/** Asks PostgreSQL at `url`; nothing is connected before the first question. */
export class PostgresProbe {
  readonly #url: string
  #client: PostgresClient | undefined
  #isClosed = false

  constructor(url: string) {
    this.#url = url
  }

  /**
   * Stores something.
   * @throws the refusal of the database, or that it has not answered within `limitMs`
   */
  async run(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs
    const isReused = this.#client !== undefined
    try {
      await this.#ask(limitMs)
    } catch (error) {
      const leftMs = until - performance.now()
      if (!isReused || !isConnectionLost(error) || leftMs <= 0) throw error
      await this.#ask(leftMs) // the connection may have been lost long ago
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  async #ask(limitMs: number): Promise<void> {
    if (this.#isClosed) throw new Error('The database is closed.')
    const client = this.#client ?? this.#newClient()
    const limit = setTimeout(() => client.destroy(new Error('The database does not answer.')), limitMs)
    try {
      if (client !== this.#client) await client.connect()
      this.#client = client
      await client.query(PROBE)
    } catch (error) {
      if (isConnectionLost(error) || this.#client !== client) this.#drop(client)
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  #newClient(): PostgresClient {
    const client = new PostgresClient(clientConfig(this.#url, 'probe', []))
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    return client
  }

  #drop(client: PostgresClient): void {
    if (this.#client === client) this.#client = undefined
    client.end().catch(() => {})
  }
}
