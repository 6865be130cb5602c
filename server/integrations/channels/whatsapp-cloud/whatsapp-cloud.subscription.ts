// Whether the app is subscribed to a WhatsApp Business account: anyone with rights to the account can unsubscribe it, and then nothing is
// delivered although the address is still set.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/reference/whatsapp-business-account/subscribed-apps-api
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Subscription } from '#server/integrations/channels/contract/capabilities.ts'
import type { Ask } from '#server/integrations/channels/meta/graph.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'
import { pagesOf } from './whatsapp-cloud.call.ts'

/** The screen translates the word before the colon. */
const UNSUBSCRIBED = 'unsubscribed'
const done = z.object({ success: z.literal(true) })
const named = z.object({ id: z.string() })
const subscribed = z.object({ whatsapp_business_api_data: named })

/** The subscription of the app that issued the token. It stays when a number is disconnected: the account may have others. */
export function createSubscription(ask: Ask): Subscription {
  const isSubscribed: Subscription['isSubscribed'] = async ({ token }) => {
    const ours = await appOf(ask, token)
    for await (const apps of pagesOf(ask, token, `${readCloudAccess(token).accountId}/subscribed_apps`)) {
      const ids = apps.map((app) => subscribed.safeParse(app).data?.whatsapp_business_api_data.id)
      if (ours === null ? ids.length > 0 : ids.includes(ours)) return true
    }
    return false
  }
  return {
    isSubscribed,
    async subscribe(credentials) {
      const { token } = credentials
      const path = `${readCloudAccess(token).accountId}/subscribed_apps`
      await ask(token, { verb: 'POST', path, body: {} }, done).catch(nameRefusal)
      if (!(await isSubscribed(credentials)))
        throw new AdapterError('permanent', `${UNSUBSCRIBED}: Meta does not confirm it`)
    },
  }
}

/** Which of the subscribed apps is ours; null: Meta does not say whose the token is, and any of them counts. */
async function appOf(ask: Ask, token: string): Promise<string | null> {
  try {
    return (await ask(token, { path: 'app?fields=id' }, named)).id
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'permanent') return null
    throw error
  }
}

/** @throws always; a permanent refusal names what does not work because of it */
function nameRefusal(error: unknown): never {
  const isRefusal = error instanceof AdapterError && error.kind === 'permanent'
  throw isRefusal ? new AdapterError('permanent', `${UNSUBSCRIBED}: ${error.message}`) : error
}
