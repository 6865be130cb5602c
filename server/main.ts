// Starts the server from the environment and stops it cleanly on SIGTERM and SIGINT.
// `node server/main.ts .env` also reads variables from that file, if it is there.
import { createApp } from './app.ts'
import { loadEnvironment, readConfig } from './config.ts'
import { explainFailure } from './lib/start-error.ts'

/** Longest stop, milliseconds: what is unfinished then is taken up by the next start. */
const STOP_LIMIT_MS = 5000

try {
  const app = await createApp(readConfig(loadEnvironment(process.argv[2])))
  if (process.stdout.isTTY) console.log(`\n  Parley is ready: ${app.url}\n`)
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await app.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  console.error(`Parley cannot start. ${explainFailure(error)}`)
  process.exit(1)
}
