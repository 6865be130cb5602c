// What was done anywhere in the installation: for its administrators.
import { adminQuery } from '#server/functions/define.ts'
import {
  AUDIT_EXPORT_MAX,
  type AuditFile,
  allAuditChoicesInput,
  exportAllAuditInput,
  listAllAuditInput,
} from '#shared/organizations/audit.ts'
import * as store from './audit.read.store.ts'
import { auditCsv, auditFileName } from './csv.rules.ts'

/** A page of entries, the newest first; live. */
export const list = adminQuery({
  args: listAllAuditInput,
  handler: (ctx, { paginationOpts, ...filters }) => store.listEntries(ctx, filters, paginationOpts, new Date()),
})

/** Who and what occur in the entries of a time. */
export const choices = adminQuery({
  args: allAuditChoicesInput,
  handler: (ctx, filters) => store.listChoices(ctx, filters, new Date()),
})

/** The newest entries as a file for spreadsheets, with the filters. */
const exportEntries = adminQuery({
  args: exportAllAuditInput,
  handler: async (ctx, { language, ...filters }): Promise<AuditFile> => {
    const entries = await store.listNewest(ctx, filters, AUDIT_EXPORT_MAX, new Date())
    return {
      name: auditFileName(new Date()),
      csv: auditCsv(entries, language),
      isCut: entries.length === AUDIT_EXPORT_MAX,
    }
  },
})

export { exportEntries as export }
