// A server that carries out one approved call and dies on the way: run by the test of approvals, with what it needs in APPROVED_CALL.
import { carryOut } from '#server/domain/messaging/approvals/carry-out.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { setFailure } from '#server/platform/lib/failpoints.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { reachShop } from '#tests/fakes/shop.ts'

const { databaseUrl, secret, shopPort, call, at } = JSON.parse(process.env.APPROVED_CALL ?? '{}')
const database = await openDatabase({ databaseUrl, dataDir: '' }, createLogger('silent'))
setFailure({ failure: 'kill', at, pass: 1 })
await carryOut({ database, secrets: createSecrets(secret), outbound: reachShop(shopPort) }, call)
