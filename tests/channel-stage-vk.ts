// VK with a community at the fake of it, as the tests of the contract of channels need one.

import { createVkChannel } from '#server/integrations/channels/vk/vk.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { PATIENT_MS } from './channel-patience.ts'
import type { PolledStage } from './channel-stages.ts'
import { startFakeVk } from './fakes/vk/vk.ts'

/** The body names the secret, and nothing else is signed. */
export async function openVk(): Promise<PolledStage> {
  const vk = await startFakeVk()
  vk.faults.confirmsAll = true
  const { groupId, token, longPoll } = vk.addCommunity()
  const customer = { id: 4242, name: 'Anna Smirnova', screenName: 'anna.s' }
  const outbound = createOutbound({ isAllowed: () => true })
  const adapter = (apiUrl: string, callTimeoutMs = PATIENT_MS) => createVkChannel({ apiUrl, callTimeoutMs, outbound })
  const credentials = { token, webhookSecret: 'secret' }
  vk.messageNew(groupId, customer, 'makes the chat known')
  return {
    adapter: adapter(vk.url),
    credentials,
    stranger: { ...credentials, token: 'vk1.a.stranger' },
    chatId: '4242',
    at: (url, callTimeoutMs) => ({ adapter: adapter(url, callTimeoutMs), credentials }),
    say: (text) => void vk.customerSays(groupId, customer, text),
    body: (text, secret) => ({ ...vk.messageNew(groupId, customer, text), ...(secret && { secret }) }),
    headers: () => new Headers(),
    press: (_, choice) => {
      const payload = vk.sent.at(-1)?.buttons.find(({ label }) => label === choice)?.payload
      return vk.messageNew(groupId, customer, choice, { payload })
    },
    pressesNameNothing: true,
    receipt: (id) => vk.receipt(groupId, customer.id, Number(id)),
    tells: ['read'],
    sent: () => vk.sentTo(customer.id).map(({ text }) => text),
    isForgotten: () => longPoll.asked >= longPoll.from + longPoll.events.length,
    waitForPoll: () => vk.waitFor(() => longPoll.waiting > 0, 'the poll'),
    steal: () => {
      longPoll.isEnabled = false
    },
    storesFilesFirst: true,
    refusals: {
      rate_limited: () => void vk.faults.refusals.push(9),
      blocked: () => void vk.deny(groupId, customer.id),
      suspended: () => void vk.faults.refusals.push(14),
      out_of_window: () => void vk.faults.refusals.push(950),
    },
    fileBody: ({ kind, name, bytes }) =>
      vk.messageNew(groupId, customer, 'Look', { attachments: [vk.attach(groupId, kind, { name, bytes })] }),
    files: () => vk.sentTo(customer.id).flatMap(({ file }) => file ?? []),
    secret: token,
    close: () => vk.close(),
  }
}
