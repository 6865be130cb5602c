// Templates: texts with placeholders that Meta has approved. They may be sent at any time, other messages only within a day of the
// customer's last one.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/templates/overview
import { z } from 'zod'
import type { MessageTemplates } from '#server/integrations/channels/contract/capabilities.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { Ask } from '#server/integrations/channels/meta/graph.ts'
import type { MessageTemplate, TemplatePlace } from '#shared/channels/templates.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'
import { pagesOf } from './whatsapp-cloud.call.ts'

const button = z.looseObject({
  type: z.string(),
  url: z.string().optional().catch(undefined),
  text: z.string().catch(''),
})
const component = z.looseObject({
  type: z.string(),
  format: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  buttons: z.array(button).optional().catch(undefined),
})
const template = z.object({
  name: z.string(),
  language: z.string(),
  status: z.string(),
  category: z.string().catch(''),
  components: z.array(component),
})

const PLACE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g
/** Components that need only text parameters. */
const PLAIN = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])
/** Buttons that need parameters of the message, or belong to another kind of message. */
const DEMANDING = new Set(['OTP', 'COPY_CODE', 'FLOW', 'CATALOG', 'MPM', 'SPM'])

/** @param post sends a message */
export function createTemplates(
  ask: Ask,
  post: (token: string, chatId: string, content: object) => Promise<Sent>,
): MessageTemplates {
  return {
    async list({ token }) {
      const { accountId } = readCloudAccess(token)
      const path = `${accountId}/message_templates?fields=name,language,status,category,components`
      const found: MessageTemplate[] = []
      for await (const page of pagesOf(ask, token, path)) found.push(...page.flatMap((one) => templateOf(one) ?? []))
      return found
    },

    send: ({ token }, chatId, { name, language, words }) =>
      post(token, chatId, {
        type: 'template',
        template: { name, language: { code: language }, components: componentsOf(words) },
      }),
  }
}

/** An approved template that needs only text parameters; null for any other. */
function templateOf(given: unknown): MessageTemplate | null {
  const parsed = template.safeParse(given)
  if (!parsed.success || parsed.data.status !== 'APPROVED') return null
  const { name, language, category, components } = parsed.data
  const part = (type: string) => components.find((one) => one.type === type)
  const [header, body, footer] = [part('HEADER'), part('BODY'), part('FOOTER')]
  const buttons = part('BUTTONS')?.buttons ?? []
  const isPlain =
    components.every(({ type }) => PLAIN.has(type)) &&
    (!header || header.format === 'TEXT') &&
    buttons.every(({ type }) => !DEMANDING.has(type))
  if (!body?.text || !isPlain) return null
  return {
    name,
    language,
    category: category.toLowerCase(),
    header: header?.text ?? null,
    body: body.text,
    footer: footer?.text ?? null,
    buttons: buttons.map(({ text }) => text),
    places: [
      ...placesIn(header?.text).map((key): TemplatePlace => ({ in: 'header', key })),
      ...placesIn(body.text).map((key): TemplatePlace => ({ in: 'body', key })),
      ...buttons.flatMap(({ url }, index) =>
        placesIn(url).length > 0 ? [{ in: 'button', key: String(index) } as const] : [],
      ),
    ],
  }
}

function placesIn(text = ''): string[] {
  return [...new Set([...text.matchAll(PLACE)].map(([, key = '']) => key))]
}

/** Numbered placeholders are filled in their order, others by name. */
function componentsOf(words: (TemplatePlace & { text: string })[]): object[] {
  const filled = (place: 'header' | 'body') => {
    const parameters = words
      .filter((word) => word.in === place)
      .map(({ key, text }) => ({ type: 'text', text, ...(!/^\d+$/.test(key) && { parameter_name: key }) }))
    return parameters.length > 0 ? [{ type: place, parameters }] : []
  }
  const buttons = words
    .filter((word) => word.in === 'button')
    .map(({ key, text }) => ({ type: 'button', sub_type: 'url', index: key, parameters: [{ type: 'text', text }] }))
  return [...filled('header'), ...filled('body'), ...buttons]
}
