// Avito with an account at the fake of it, as the tests of the contract of channels need one.
import { randomBytes } from 'node:crypto'
import { avitoToken } from '#server/integrations/channels/avito/avito.access.ts'
import { createAvitoChannel } from '#server/integrations/channels/avito/avito.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { PATIENT_MS } from './channel-patience.ts'
import type { ProviderStage } from './channel-stages.ts'
import { startFakeAvito } from './fakes/avito/avito.ts'

export async function openAvito(): Promise<ProviderStage> {
  const avito = await startFakeAvito()
  const account = avito.addAccount()
  const { userId } = account
  const customer = { id: 94_235_311, name: 'Anna' }
  const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
  const chat = avito.chat(userId, customer, ad)
  const outbound = createOutbound({ isAllowed: () => true })
  // Access tokens still come from the reachable fake when the provider is unreachable: the outcome of a message depends on its own call.
  const adapter = (apiUrl: string, callTimeoutMs = PATIENT_MS) =>
    createAvitoChannel({ apiUrl, authUrl: avito.url, outbound, callTimeoutMs })
  const credentials = { token: avitoToken(account), webhookSecret: 'secret' }
  const notification = (type: string, content: Record<string, unknown>) => {
    const { id, created } = avito.add(userId, chat, { type, content, authorId: customer.id })
    return avito.notification(userId, chat, {
      id,
      created,
      type,
      content,
      authorId: customer.id,
      file: null,
      isRead: false,
    })
  }
  const sent = () => avito.sentTo(userId, chat.id)
  return {
    adapter: adapter(avito.url),
    credentials,
    stranger: { ...credentials, token: avitoToken({ ...account, clientSecret: 'stranger' }) },
    chatId: chat.id,
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    body: (text) => notification('text', { text }),
    isBelievedByPath: true,
    headers: () => new Headers({ 'x-avito-messenger-signature': randomBytes(32).toString('hex') }),
    sent: () => sent().map(({ content }) => String(content.text ?? '')),
    storesFilesFirst: true,
    refusals: {
      rate_limited: () => void avito.faults.refusals.push({ status: 429, message: 'Too many requests', retryAfter: 2 }),
      blocked: () => {
        chat.isBlocked = true
      },
      suspended: () => {
        account.hasMessenger = false
      },
    },
    knowsOnlyPictures: true,
    fileBody: ({ kind, bytes }) =>
      kind === 'image'
        ? notification('image', { image: { sizes: { '1280x960': avito.serve(bytes, 'jpg') } } })
        : notification('file', {}),
    files: () => sent().flatMap(({ file }) => file ?? []),
    secret: account.clientSecret,
    close: () => avito.close(),
  }
}
