// Conversations as files that are written in the background. A single conversation is downloaded directly: exports.http.ts.
import { removeFilesLater } from '#server/domain/knowledge/documents/files/files.job.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { EXPORT_LINK_MS, EXPORTS_OPEN_MAX } from '#shared/limits.ts'
import { createExportInput, type ExportLink, exportInput } from '#shared/messaging/exports.ts'
import { noArgs } from '#shared/schema.ts'
import { exportJob } from './exports.job.ts'
import { exportTicket } from './exports.links.ts'
import { exportName } from './exports.rules.ts'
import * as store from './exports.store.ts'

/** Recent exports, with their progress and the member who asked; live. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listExports(ctx) })

/** Starts an export of all conversations that pass a filter, or of chosen ones among them. @throws too_many_exports */
export const create = orgMutation({
  args: createExportInput,
  isAudited: true,
  handler: async (ctx, { filter, conversationIds, ...manner }) => {
    if ((await store.countOpen(ctx)) >= EXPORTS_OPEN_MAX)
      throw new AppError('too_many_exports', { max: EXPORTS_OPEN_MAX })
    const exportId = await store.insertExport(ctx, {
      userId: ctx.caller.userId,
      name: exportName('conversations', manner, ctx.now.getTime()),
      chosen: { filter, ...(conversationIds && { conversationIds }) },
      manner,
    })
    await ctx.jobs.send(ctx.db, exportJob, { organizationId: ctx.organizationId, exportId })
    await ctx.audit({ resource: resourceOf(exportId), after: manner })
    return exportId
  },
})

/** Cancels an export; nothing is left of the file. @throws not_found, export_not_cancellable */
export const cancel = orgMutation({
  args: exportInput,
  isAudited: true,
  handler: async (ctx, { exportId }) => {
    await store.getExport(ctx, exportId)
    const isOpen = await store.endExport(ctx, exportId, { status: 'cancelled', expiresAt: ctx.now })
    if (!isOpen) throw new AppError('export_not_cancellable')
    await ctx.audit({ resource: resourceOf(exportId) })
    return null
  },
})

/** A temporary address of a file, for members of the organization only. @throws not_found, export_not_ready */
export const link = orgMutation({
  args: exportInput,
  isAudited: true,
  handler: async (ctx, { exportId }): Promise<ExportLink> => {
    const { status, expiresAt } = await store.getExport(ctx, exportId)
    if (status !== 'ready' || !expiresAt || expiresAt <= ctx.now) throw new AppError('export_not_ready')
    const until = Math.min(ctx.now.getTime() + EXPORT_LINK_MS, expiresAt.getTime())
    await ctx.audit({ resource: resourceOf(exportId) })
    const ticket = exportTicket(ctx.secrets, ctx.organizationId, { exportId, until })
    return { url: `/api/files/exports/${exportId}?ticket=${encodeURIComponent(ticket)}`, expiresAt: until }
  },
})

/** Removes an export with its file; one that is being written is abandoned. @throws not_found */
export const remove = orgMutation({
  args: exportInput,
  isAudited: true,
  handler: async (ctx, { exportId }) => {
    await removeFilesLater(ctx, [await store.deleteExport(ctx, exportId)])
    await ctx.audit({ resource: resourceOf(exportId) })
    return null
  },
})

function resourceOf(id: Id<'exports'>) {
  return { kind: 'export', id }
}
