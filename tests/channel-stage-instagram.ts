// Instagram with an account at its fake, as the tests of the contract need one. Files go by addresses in both directions.
import { createHmac } from 'node:crypto'
import { sentFileRoutes } from '#server/domain/messaging/files/sent-files.http.ts'
import { sentFileLink } from '#server/domain/messaging/files/sent-files.links.ts'
import { instagramToken } from '#server/integrations/channels/instagram/instagram.access.ts'
import { createInstagramChannel } from '#server/integrations/channels/instagram/instagram.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { INSTAGRAM_VERSION as version } from '#tests/fakes/instagram/instagram-methods.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { PATIENT_MS } from './channel-patience.ts'
import type { ProviderStage } from './channel-stages.ts'

export async function openInstagram(): Promise<ProviderStage> {
  const instagram = await startFakeInstagram()
  const kept = new Map<string, Uint8Array>()
  const get = async (key: string) => kept.get(key) ?? Promise.reject(new Error('no such file'))
  const secrets = createSecrets('a secret of the tests, long enough')
  const files = { get } as Parameters<typeof sentFileRoutes>[0]['files']
  const routes = sentFileRoutes({ secrets, files })
  const ours = await listenOnLoopback(async (request) => routes.fetch(request))
  const outbound = createOutbound({ isAllowed: () => true })
  const { userId, accessToken } = instagram.addAccount()
  const customer = { id: '4242424242', name: 'Anna', username: 'anna.coffee' }
  const adapter = (url: string, callTimeoutMs = PATIENT_MS) =>
    createInstagramChannel({ ...options, callTimeoutMs, url: url.replace(`/${version}`, '') })
  const linkTo = ({ name, bytes }: { name: string; bytes: Uint8Array }) => {
    const key = `file${kept.size}`
    kept.set(key, bytes)
    return sentFileLink(secrets, ours.url.replace(/\/$/, ''), { key, name }, Date.now())
  }
  const options = { version, outbound, linkTo }
  const credentialsWith = (token: string) => ({
    token: instagramToken({ accessToken: token, verifyToken: 'verify', renewAt: 0 }),
    webhookSecret: 'secret',
    accountId: userId,
  })
  const credentials = credentialsWith(accessToken)
  instagram.message(userId, customer, { text: 'makes the chat known' })
  return {
    adapter: adapter(instagram.origin),
    credentials,
    stranger: credentialsWith('IGAAstranger'),
    chatId: customer.id,
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    body: (text) => instagram.message(userId, customer, { text }).body,
    press: (_, choice) => {
      const replies = instagram.sent.at(-1)?.quickReplies ?? []
      const pressed = replies.find(({ payload }) => payload.endsWith(choice))
      const quick_reply = { payload: pressed?.payload ?? '' }
      return instagram.message(userId, customer, { text: pressed?.title ?? '', quick_reply }).body
    },
    pressesNameNothing: true,
    headers: (secret, text) =>
      new Headers({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}` }),
    sent: () => instagram.sentTo(customer.id).map(({ text }) => text),
    refusals: {
      rate_limited: () => void instagram.faults.refusals.push({ status: 400, code: 613 }),
      blocked: () => void instagram.faults.refusals.push({ status: 400, code: 551 }),
      suspended: () => void instagram.faults.refusals.push({ status: 400, code: 368 }),
      out_of_window: () => instagram.lapse(userId, customer.id),
    },
    receipt: (mid) => instagram.event(userId, customer.id, { read: { mid } }),
    tells: ['read'],
    fileBody: ({ kind, name, bytes }) => {
      const payload = { url: instagram.addFile(name, bytes) }
      const type = kind === 'document' ? 'file' : kind
      return instagram.message(userId, customer, { text: 'Look', attachments: [{ type, payload }] }).body
    },
    refusesTextFiles: true,
    files: () =>
      instagram.sentTo(customer.id).flatMap(({ file }) => {
        const name = decodeURIComponent(file?.url.split('/').at(-1) ?? '')
        return file ? [{ name, bytes: file.bytes }] : []
      }),
    secret: accessToken,
    close: async () => void (await Promise.all([instagram.close(), ours.close()])),
  }
}
