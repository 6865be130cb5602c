// The template of the installation: read, changed and taken back by its administrators, and tried on an agent.
import type { AdminMutationContext } from '#server/functions/context.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  fillTemplate,
  listTemplateVersionsInput,
  previewTemplateInput,
  type TemplateVersion,
  templateVersionInput,
  unknownPlaceholders,
  updateTemplateInput,
} from '#shared/organizations/prompt-template.ts'
import { noArgs } from '#shared/schema.ts'
import { findExample, listExamples } from './examples.store.ts'
import * as store from './template.store.ts'

/** The version in use; null: none yet. Live. */
export const get = adminQuery({
  args: noArgs,
  handler: async (ctx): Promise<TemplateVersion | null> => (await store.findTemplate(ctx)) ?? null,
})

/** A page of versions, the newest first; live. */
export const versions = adminQuery({
  args: listTemplateVersionsInput,
  handler: (ctx, { paginationOpts }) => store.listVersions(ctx, paginationOpts),
})

/** Agents on which a text can be tried: the most recently changed. */
export const agents = adminQuery({ args: noArgs, handler: (ctx) => listExamples(ctx) })

/** What an agent would be given with this text. @throws not_found */
export const preview = adminQuery({
  args: previewTemplateInput,
  handler: async (ctx, { text, agentId }): Promise<{ text: string }> => {
    const { agent, organization, instructions } = await findExample(ctx, agentId)
    const filled = fillTemplate(text.trim(), { agent, organization, channel: 'Telegram' })
    return { text: [filled, instructions.trim()].filter((part) => part !== '').join('\n\n') }
  },
})

/** Takes effect with the next answer of every agent. The same text again changes nothing. @throws template_placeholder_unknown */
export const update = adminMutation({
  args: updateTemplateInput,
  isAudited: true,
  handler: (ctx, { text }) => change(ctx, text, null),
})

/** Makes an earlier version the one in use, as a new version. @throws not_found */
export const restore = adminMutation({
  args: templateVersionInput,
  isAudited: true,
  handler: async (ctx, { number }) => {
    const version = await store.findVersion(ctx, number)
    if (!version) throw new AppError('not_found')
    return change(ctx, version.text, number)
  },
})

async function change(ctx: AdminMutationContext, text: string, restoredFrom: number | null): Promise<TemplateVersion> {
  const [unknown] = unknownPlaceholders(text)
  if (unknown !== undefined) throw new AppError('template_placeholder_unknown', { name: unknown })
  const before = await store.findTemplate(ctx)
  const author = { authorId: ctx.caller.userId, now: ctx.now }
  const number =
    before?.text === text ? before.number : await store.insertVersion(ctx, { text, restoredFrom, ...author })
  const resource = { kind: 'template', id: String(number) }
  await ctx.audit({ resource, before: { text: before?.text ?? null }, after: { text } })
  const version = await store.findVersion(ctx, number)
  if (!version) throw new AppError('not_found')
  return version
}
