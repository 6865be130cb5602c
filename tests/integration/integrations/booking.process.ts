// A server that books one time and dies on the way: run by the test of bookings, with what it needs in BOOKING.
import { book } from '#server/domain/integrations/bookings/booking.ts'
import { createGoogleCalendar } from '#server/integrations/google-calendar/google-calendar.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { setFailure } from '#server/platform/lib/failpoints.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'

const { databaseUrl, secret, google, asker, slotId, at } = JSON.parse(process.env.BOOKING ?? '{}')
const database = await openDatabase({ databaseUrl, dataDir: '' }, createLogger('silent'))
const parts = { database, secrets: createSecrets(secret), googleCalendar: createGoogleCalendar(google) }
setFailure({ failure: 'kill', at, pass: 1 })
await book(parts, asker, { slotId, eventFor: async () => ({ title: 'Visit', description: '', reminders: [] }) })
