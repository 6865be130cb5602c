// What was done in an organization, and to it: for its administrators.
import { orgQuery } from '#server/functions/define.ts'
import {
  AUDIT_EXPORT_MAX,
  type AuditFile,
  auditChoicesInput,
  exportAuditInput,
  listAuditInput,
} from '#shared/organizations/audit.ts'
import * as store from './audit.read.store.ts'
import { auditCsv, auditFileName } from './csv.rules.ts'

/** A page of the organization's entries, the newest first; live. */
export const list = orgQuery({
  args: listAuditInput,
  handler: (ctx, { paginationOpts, ...filters }) =>
    store.listEntries(ctx, { ...filters, organizationId: ctx.organizationId }, paginationOpts, new Date()),
})

/** Who and what occur in the organization's entries of a time. */
export const choices = orgQuery({
  args: auditChoicesInput,
  handler: (ctx, { range }) => store.listChoices(ctx, { range, organizationId: ctx.organizationId }, new Date()),
})

/** The newest of the organization's entries as a file for spreadsheets, with the filters. */
const exportEntries = orgQuery({
  args: exportAuditInput,
  handler: async (ctx, { language, ...filters }): Promise<AuditFile> => {
    const own = { ...filters, organizationId: ctx.organizationId }
    const entries = await store.listNewest(ctx, own, AUDIT_EXPORT_MAX, new Date())
    return {
      name: auditFileName(new Date()),
      csv: auditCsv(entries, language),
      isCut: entries.length === AUDIT_EXPORT_MAX,
    }
  },
})

export { exportEntries as export }
