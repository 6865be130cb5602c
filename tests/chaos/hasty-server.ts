// Starts the server as server/main.ts does, but the jobs of one that died are taken over in a third of the time.
import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'

enableCompileCache(path.resolve(import.meta.dirname, '../../.cache/compiled'))
const { readConfig } = await import('#server/config.ts')
const { createApp } = await import('#server/app.ts')

const app = await createApp(readConfig(), { jobLife: { heartbeatSeconds: 10, lookSeconds: 1 } })
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
flushCompileCache()
