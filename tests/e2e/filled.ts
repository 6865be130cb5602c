// An installation on a database that a story writes to by itself, for states that no customer brings about in a minute.
import pg from 'pg'
import { createMigratedDatabase } from '#tests/database.ts'
import { type Installation, startInstallation } from './server.ts'

type Fill<Filled> = (installation: Installation, client: pg.Client) => Promise<Filled>

/** Starts an installation with a model and fills it. @throws what `fill` throws; then nothing of it is left */
export async function startFilled<Filled>(
  fill: Fill<Filled>,
): Promise<Filled & { installation: Installation; close(): Promise<void> }> {
  const database = await createMigratedDatabase()
  const env = { DATABASE_URL: database.url }
  const installation = await startInstallation({ hasModel: true, isFromNothing: true, env })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const close = async () => {
    await client.end()
    await installation.close()
    await database.drop()
  }
  try {
    return { ...(await fill(installation, client)), installation, close }
  } catch (error) {
    await close()
    throw error
  }
}
