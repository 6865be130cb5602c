// How the events of a community reach us: VK delivers them to a callback server, or they are polled over Bots Long Poll.
// @source dev.vk.com/ru/api/callback/getting-started, dev.vk.com/ru/api/bots-long-poll/getting-started

import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Polling } from '#server/integrations/channels/contract/capabilities.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { type Ask, type Request, VK_API_VERSION, VkRefusal } from './vk.call.ts'
import { readMissed } from './vk.missed.ts'

/** Shown in the settings of the community; at most 14 characters. */
const TITLE = 'Parley'
const WANTED = { message_new: 1, message_reply: 1, message_edit: 1, message_read: 1, message_allow: 0, message_deny: 0 }
/** Added to the time that VK itself waits in a long poll. */
const POLL_GRACE_MS = 15_000
const POLL_SECONDS = { min: 1, usual: 25, max: 90 }
/** The most keys whose community or session is cached. */
const MAX_KNOWN = 10_000
/** VK's error code for an invalid parameter. */
const INVALID_PARAMETER = 100
const UNCONFIRMED = 'VK has asked the address of this installation, and got no right answer'

const done = z.literal(1)
const communities = z.object({
  groups: z.array(z.object({ id: z.number().int(), name: z.string(), screen_name: z.string() })).min(1),
})
const code = z.object({ code: z.string() })
const added = z.object({ server_id: z.number() })
const server = z.object({ id: z.number(), url: z.string(), secret_key: z.string().catch(''), status: z.string() })
const servers = z.object({ items: z.array(server) })
const session = z.object({ key: z.string(), server: z.string(), ts: z.coerce.number().int() })
const polled = z.union([
  z.object({ failed: z.number(), ts: z.coerce.number().int().optional() }),
  z.object({ ts: z.coerce.number().int(), updates: z.array(z.unknown()) }),
])
const question = z.object({ type: z.literal('confirmation'), group_id: z.number() })

export type Community = z.infer<typeof communities>['groups'][number]
type Server = z.infer<typeof server>
type Session = z.infer<typeof session>
type Delivery = Required<Pick<ChannelAdapter, 'connect' | 'disconnect' | 'inspect' | 'callback'>> & {
  polling: Required<Polling>
}

/** The community that a key belongs to. */
export async function findCommunity(ask: Ask, key: string): Promise<Community> {
  const { groups } = await ask(key, 'groups.getById', {}, communities)
  return groups[0] as Community
}

export function createDelivery(ask: Ask, request: Request): Delivery {
  const known = new Map<string, number>()
  const groupOf = async (key: string): Promise<number> => {
    const found = known.get(key) ?? (await findCommunity(ask, key)).id
    remember(known, key, found)
    return found
  }
  const { poll, begin, end } = createPolling(ask, request, groupOf)
  return {
    polling: {
      poll,
      beginPolling: async ({ token: key }) => (await begin(key)).ts,
      readMissed: ({ token: key }, since, signal) => readMissed(ask, key, since, signal),
    },

    async connect(credentials, webhookUrl) {
      const { token: key } = credentials
      const group_id = await groupOf(key)
      if (webhookUrl === null) {
        await removeServers(ask, credentials, group_id)
        const settings = { group_id, enabled: 1, api_version: VK_API_VERSION, ...WANTED }
        await ask(key, 'groups.setLongPollSettings', settings, done)
        await begin(key)
        return
      }
      end(key)
      const { server_id, isNew } = await setServer(ask, credentials, group_id, webhookUrl)
      try {
        const settings = { group_id, server_id, api_version: VK_API_VERSION, ...WANTED }
        await ask(key, 'groups.setCallbackSettings', settings, done)
        const ours = await listOurs(ask, credentials, group_id)
        if (ours.some(({ status }) => status === 'failed')) throw new AdapterError('permanent', UNCONFIRMED)
      } catch (error) {
        // A community has room for ten: one that could not be recognized later would block the next attempt.
        if (isNew) await removeServers(ask, credentials, group_id).catch(() => undefined)
        throw error
      }
    },

    async disconnect(credentials) {
      end(credentials.token)
      await removeServers(ask, credentials, await groupOf(credentials.token))
    },

    // VK delivers nothing to a server that could not be confirmed or has failed too often.
    async inspect(credentials) {
      const ours = await listOurs(ask, credentials, await groupOf(credentials.token))
      const working = ours.find(({ status }) => status === 'ok' || status === 'wait')
      return { url: working?.url ?? null, pending: null, lastError: null }
    },

    callback: {
      takenText: 'ok',
      // The string changes from time to time, so it is requested each time.
      async answerQuestion({ token: key }, body) {
        const asked = question.safeParse(body)
        if (!asked.success) return null
        const group_id = await groupOf(key)
        if (asked.data.group_id !== group_id) return null
        return (await ask(key, 'groups.getCallbackConfirmationCode', { group_id }, code)).code
      },
    },
  }
}

/** Callback servers of this connection, recognized by its secret. */
async function listOurs(ask: Ask, { token: key, webhookSecret }: Credentials, group_id: number): Promise<Server[]> {
  const { items } = await ask(key, 'groups.getCallbackServers', { group_id }, servers)
  return items.filter(({ secret_key: secret }) => secret === webhookSecret)
}

async function removeServers(ask: Ask, credentials: Credentials, group_id: number): Promise<void> {
  for (const { id } of await listOurs(ask, credentials, group_id)) {
    await ask(credentials.token, 'groups.deleteCallbackServer', { group_id, server_id: id }, done)
  }
}

/** Meanwhile VK requests the confirmation string from the address. */
async function setServer(ask: Ask, credentials: Credentials, group_id: number, url: string) {
  const { token: key, webhookSecret: secret_key } = credentials
  const wanted = { group_id, url, title: TITLE, secret_key }
  const [first, ...others] = await listOurs(ask, credentials, group_id)
  for (const { id } of others) await ask(key, 'groups.deleteCallbackServer', { group_id, server_id: id }, done)
  if (!first) return { ...(await ask(key, 'groups.addCallbackServer', wanted, added)), isNew: true }
  const isRight = first.url === url && (first.status === 'ok' || first.status === 'wait')
  if (!isRight) await ask(key, 'groups.editCallbackServer', { ...wanted, server_id: first.id }, done)
  return { server_id: first.id, isNew: false }
}

/** VK continues after the number of the last event that was taken: it is kept between polls, and while polling is off. */
function createPolling(ask: Ask, request: Request, groupOf: (key: string) => Promise<number>) {
  const sessions = new Map<string, Session>()

  async function begin(key: string, signal?: AbortSignal): Promise<Session> {
    const params = { group_id: await groupOf(key) }
    const made = await ask(key, 'groups.getLongPollServer', params, session, signal && { signal }).catch(ifSwitchedOff)
    remember(sessions, key, made)
    return made
  }

  const poll: Polling['poll'] = async ({ token: key }, offset, waitSeconds, signal) => {
    const wait = Math.min(Math.max(waitSeconds, POLL_SECONDS.min), POLL_SECONDS.max)
    // A session ends after some hours: the next one continues at the same event.
    for (const isLast of [false, true]) {
      const { server: url, key: sessionKey, ts } = sessions.get(key) ?? (await begin(key, signal))
      // The offset has to be known before the poll waits.
      if (offset === null) return { updates: [], nextOffset: ts }
      const query = new URLSearchParams({ act: 'a_check', key: sessionKey, ts: String(offset), wait: String(wait) })
      const options = { signal, limitMs: Math.max(wait, POLL_SECONDS.usual) * 1000 + POLL_GRACE_MS }
      const answer = polled.safeParse(await request({ method: 'GET', url: `${url}?${query}` }, options)).data
      if (answer && 'updates' in answer) return { updates: answer.updates, nextOffset: answer.ts }
      // VK no longer keeps the earlier events, or the number is outdated.
      if (answer?.failed === 1 && answer.ts !== undefined) return { updates: [], nextOffset: answer.ts, isGap: true }
      sessions.delete(key)
      if (answer?.failed === 3 && !isLast) {
        return { updates: [], nextOffset: (await begin(key, signal)).ts, isGap: true }
      }
    }
    throw new AdapterError('temporary', 'VK does not let itself be polled')
  }
  return { poll, begin, end: (key: string) => void sessions.delete(key) }
}

/** Long Poll was switched off in the settings of the community. @throws always */
function ifSwitchedOff(error: unknown): never {
  if (error instanceof VkRefusal && error.code === INVALID_PARAMETER && /not enabled/i.test(error.message)) {
    throw new AdapterError('conflict', error.message)
  }
  throw error
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, value)
}
