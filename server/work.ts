// DOOR 3: every background job and schedule.
import type { Services } from '#server/functions/services.ts'
import type { Job } from '#server/platform/jobs/jobs.ts'
import { alertsJob } from './domain/alerts/alerts.job.ts'
import { restConversationsJob } from './domain/analytics/rest.job.ts'
import { forgetRequestsJob } from './domain/api-tokens/requests.job.ts'
import { releaseHoldsJob } from './domain/billing/holds.job.ts'
import { announceRequestJob } from './domain/billing/plan-requests.job.ts'
import { sumUpDaysJob } from './domain/billing/usage-days.job.ts'
import { disconnectJob } from './domain/channels/connections/disconnect.job.ts'
import { checkAccounts } from './domain/channels/health/account-states.job.ts'
import { callForFailingJob } from './domain/channels/health/failing.job.ts'
import { renewAccessJob } from './domain/channels/health/renewals.job.ts'
import { checkSubscriptions } from './domain/channels/health/subscriptions.job.ts'
import { checkWebhooks } from './domain/channels/health/webhooks.job.ts'
import { finishBookingsJob, leftBookingsJob } from './domain/integrations/bookings/finish.job.ts'
import { syncBookingsJob } from './domain/integrations/bookings/sync.job.ts'
import { checkCalendarsJob } from './domain/integrations/calendar/check.job.ts'
import { revokeCalendarJob } from './domain/integrations/calendar/revoke.job.ts'
import { rechunkJob } from './domain/knowledge/documents/chunks/passages.job.ts'
import { ingestJob } from './domain/knowledge/documents/documents.ingest.ts'
import { reapDocumentsJob } from './domain/knowledge/documents/documents.reaper.ts'
import { embedChunksJob } from './domain/knowledge/documents/embeddings/embeddings.job.ts'
import { removeFilesJob } from './domain/knowledge/documents/files/files.job.ts'
import { sweepFilesJob } from './domain/knowledge/documents/files/files.sweep.ts'
import { comparePassagesJob } from './domain/knowledge/review/duplicate-passages.job.ts'
import { proposeNotesJob } from './domain/knowledge/review/proposals.job.ts'
import { forgetQueriesJob } from './domain/knowledge/review/queries.job.ts'
import { askQuestionsJob } from './domain/knowledge/review/questions.job.ts'
import { renewIndexesJob } from './domain/knowledge/search/renew-indexes.ts'
import { tidyIndexJob } from './domain/knowledge/search/tidy-index.ts'
import { removeSiteJob } from './domain/knowledge/sites/sites.removal.ts'
import { dueSitesJob, syncSiteJob } from './domain/knowledge/sites/sites.sync.ts'
import { deleteSpacesJob } from './domain/knowledge/spaces/spaces.removal.ts'
import { analyzeTableJob, reapTablesJob } from './domain/knowledge/tables/tables.analyze.ts'
import { describeColumnsJob } from './domain/knowledge/tables/tables.columns.ts'
import { importColumnJob } from './domain/knowledge/tables/tables.import.ts'
import { retypeColumnsJob } from './domain/knowledge/tables/tables.types.ts'
import { forgetWebSearchesJob } from './domain/knowledge/web-search/web-search.run.ts'
import { sendLetterJob, tidyLettersJob } from './domain/letters/letters.job.ts'
import { lookAtServersJob } from './domain/mcp-servers/look.job.ts'
import { revokeMcpGrantJob } from './domain/mcp-servers/revoke.job.ts'
import { approvalsJob, approvedCallJob } from './domain/messaging/approvals/approved-calls.job.ts'
import { attackCheckJob } from './domain/messaging/attack-checks/attack-checks.job.ts'
import { exportJob, forgetExportsJob } from './domain/messaging/compliance/exports.job.ts'
import { retentionJob } from './domain/messaging/compliance/retention.job.ts'
import { rerouteJob } from './domain/messaging/delivery/reroute.job.ts'
import { unknownSendsJob } from './domain/messaging/delivery/unknown-sends.job.ts'
import { removeUnusedFilesJob } from './domain/messaging/files/uploads.job.ts'
import { bookingWordsJob } from './domain/messaging/follow-ups/booking-words.job.ts'
import { removeDeletedJob } from './domain/messaging/inbox/removal.ts'
import { summaryJob } from './domain/messaging/replies/context/summary.job.ts'
import { hostPictureJob } from './domain/organizations/pictures.job.ts'
import { endSupportJob } from './domain/support/support.job.ts'
import { forgetToolCallsJob } from './domain/tools/tool-calls.job.ts'
import { forgetExpired } from './domain/users/sessions.job.ts'
import { tidyWebhooksJob, watchWebhooksJob } from './domain/webhooks/webhooks.job.ts'

/** All jobs, each defined next to its code. */
export const jobs: readonly Job<never, Services>[] = [
  alertsJob,
  analyzeTableJob,
  announceRequestJob,
  askQuestionsJob,
  approvalsJob,
  approvedCallJob,
  attackCheckJob,
  bookingWordsJob,
  callForFailingJob,
  checkAccounts,
  checkCalendarsJob,
  lookAtServersJob,
  checkSubscriptions,
  checkWebhooks,
  comparePassagesJob,
  deleteSpacesJob,
  describeColumnsJob,
  disconnectJob,
  dueSitesJob,
  embedChunksJob,
  endSupportJob,
  exportJob,
  forgetExpired,
  forgetExportsJob,
  leftBookingsJob,
  finishBookingsJob,
  syncBookingsJob,
  forgetWebSearchesJob,
  forgetQueriesJob,
  forgetRequestsJob,
  forgetToolCallsJob,
  hostPictureJob,
  importColumnJob,
  rechunkJob,
  ingestJob,
  restConversationsJob,
  proposeNotesJob,
  reapDocumentsJob,
  reapTablesJob,
  releaseHoldsJob,
  removeDeletedJob,
  removeFilesJob,
  removeSiteJob,
  removeUnusedFilesJob,
  renewAccessJob,
  renewIndexesJob,
  rerouteJob,
  retentionJob,
  retypeColumnsJob,
  revokeCalendarJob,
  revokeMcpGrantJob,
  sendLetterJob,
  sumUpDaysJob,
  summaryJob,
  sweepFilesJob,
  syncSiteJob,
  tidyIndexJob,
  tidyLettersJob,
  tidyWebhooksJob,
  unknownSendsJob,
  watchWebhooksJob,
]
