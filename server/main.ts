// Starts the server from the environment and stops it cleanly on SIGTERM and SIGINT.
// `node server/main.ts .env` also reads variables from that file, if it is there.
import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'

// Keeps the compiled modules in a cache folder, which halves the time of the next start. Where it is not writable, each start compiles them
// again.
enableCompileCache(path.resolve(import.meta.dirname, '../.cache/compiled'))
const { dropEmptyVariables, loadEnvironment, readConfig } = await import('./config.ts')
dropEmptyVariables() // before anything is loaded that reads one on its own
const { explainFailure } = await import('./platform/lib/start-error.ts')

/** Longest stop, milliseconds: work unfinished then is resumed by the next start. */
const STOP_LIMIT_MS = 5000

try {
  const config = readConfig(loadEnvironment(process.argv[2])) // before the rest is loaded: what is wrong is reported at once
  const { createApp } = await import('./app.ts')
  const app = await createApp(config)
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
  flushCompileCache() // normally written at exit, which a killed server never reaches
} catch (error) {
  console.error(`Parley cannot start. ${explainFailure(error)}`)
  process.exit(1)
}
