// Starts the PostgreSQL that the test files of one run share, each with a database of its own on it.
import { type PostgresServer, startPostgres } from './postgres.ts'

let server: PostgresServer | undefined

export async function setup(): Promise<void> {
  server = await startPostgres()
  process.env.TEST_DATABASE_URL = server.url
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
