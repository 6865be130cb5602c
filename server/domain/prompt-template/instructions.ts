// An agent's instructions as a model is given them: the template of the installation, filled in, before its own.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { fillTemplate } from '#shared/organizations/prompt-template.ts'
import { findTemplate } from './template.store.ts'

/** What a template can name of a conversation. */
export type Setting = { agent: string; organization: string; channel: Channel }

/** The template for a conversation; empty: there is none. */
export function templateFor(template: { text: string } | null | undefined, setting: Setting): string {
  if (!template) return ''
  return fillTemplate(template.text, { ...setting, channel: channelName(setting.channel, 'en') })
}

/** The template in use and the agent's own instructions, as one text. */
export async function readInstructions(read: StoreContext, setting: Setting, own: string): Promise<string> {
  return joined(templateFor(await findTemplate(read), setting), own)
}

/** Parts of instructions, those that are empty left out. */
export function joined(...parts: string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}
