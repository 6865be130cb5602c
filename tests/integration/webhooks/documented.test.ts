// docs/webhooks.md: its examples are what is sent, and a signature can be checked by what it says alone.
import { createHmac } from 'node:crypto'
import fs from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newWebhookSecret, sealSecret, signedHeaders } from '#server/domain/webhooks/secrets.rules.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { type WEBHOOK_DATA, webhookBody } from '#shared/webhooks/payloads.ts'
import { OFFERED_TYPES, type WebhookType } from '#shared/webhooks/webhooks.ts'
import { type Subscribed, type WebhookShop, WebhooksWorld } from '#tests/webhooks-world.ts'

let world: WebhooksWorld
let shop: WebhookShop
let hook: Subscribed
let examples: { type: WebhookType; data: Record<string, unknown> }[]

beforeAll(async () => {
  const text = await fs.readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  examples = [...text.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => JSON.parse(block))
  world = await WebhooksWorld.open()
  shop = await world.openShop()
  hook = await world.subscribe(shop)
})
afterAll(() => world.close())

it('has an example of each type that is sent, and of no other', () => {
  const shown = examples.map(({ type }) => type)
  expect(shown.toSorted()).toEqual([...OFFERED_TYPES, 'webhook.test'].toSorted())
})

it('shows each as its schema says', () => {
  for (const example of examples) {
    const { error } = webhookBody(example.type as keyof typeof WEBHOOK_DATA).safeParse(example)
    expect({ type: example.type, problem: error?.issues ?? null }).toEqual({ type: example.type, problem: null })
  }
})

it('shows the fields of real requests', async () => {
  const chat = world.newChat()
  await world.says(shop, chat, 'Hello')
  await world.says(shop, chat, 'I want to talk to a human')
  const sent = new Map(hook.receiver.taken.map((event) => [event.type, event]))
  expect(sent.size).toBeGreaterThanOrEqual(4)
  for (const [type, { data }] of sent) {
    const example = examples.find((each) => each.type === type)
    expect({ type, fields: fieldsOf(data) }).toEqual({ type, fields: fieldsOf(example?.data) })
  }
})

it('says enough to check a signature without a library', () => {
  const secrets = createSecrets('a secret of the tests, long enough')
  const [endpointId, plain, body] = [newId('webhookEndpoints'), newWebhookSecret(), '{"type":"webhook.test"}']
  const sealed = { secret: sealSecret(secrets, endpointId, plain), previousSecret: null }
  const headers = signedHeaders(secrets, endpointId, sealed, { id: 'an-id', at: new Date(), body })
  const key = Buffer.from(plain.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
})

/** The paths of all fields, in order. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value)
    .flatMap(([name, inner]) => fieldsOf(inner, `${path}.${name}`))
    .toSorted()
}
