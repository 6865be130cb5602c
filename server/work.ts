// DOOR 3: every background job and schedule.
import type { Services } from '#server/functions/services.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { alertsJob } from './features/alerts/alerts.job.ts'
import { forgetRequestsJob } from './features/api/requests.job.ts'
import { releaseHoldsJob } from './features/billing/holds.job.ts'
import { checkAccounts } from './features/channels/account-states.job.ts'
import { disconnectJob } from './features/channels/disconnect.job.ts'
import { callForFailingJob } from './features/channels/failing.job.ts'
import { renewAccessJob } from './features/channels/renewals.job.ts'
import { checkSubscriptions } from './features/channels/subscriptions.job.ts'
import { checkWebhooks } from './features/channels/webhooks.job.ts'
import { exportJob, forgetExportsJob } from './features/conversations/exports.job.ts'
import { removeDeletedJob } from './features/conversations/removal.ts'
import { retentionJob } from './features/conversations/retention.job.ts'
import { removeUnusedFilesJob } from './features/conversations/uploads.job.ts'
import { ingestJob } from './features/knowledge/documents.ingest.ts'
import { reapDocumentsJob } from './features/knowledge/documents.reaper.ts'
import { embedChunksJob } from './features/knowledge/embeddings.job.ts'
import { removeFilesJob } from './features/knowledge/files.job.ts'
import { sweepFilesJob } from './features/knowledge/files.sweep.ts'
import { comparePassagesJob } from './features/knowledge/pairs.job.ts'
import { cutAnewJob } from './features/knowledge/passages.job.ts'
import { proposeNotesJob } from './features/knowledge/proposals.job.ts'
import { forgetQueriesJob } from './features/knowledge/queries.job.ts'
import { askQuestionsJob } from './features/knowledge/questions.job.ts'
import { removeSiteJob } from './features/knowledge/sites.removal.ts'
import { dueSitesJob, syncSiteJob } from './features/knowledge/sites.sync.ts'
import { deleteSpacesJob } from './features/knowledge/spaces.removal.ts'
import { analyzeTableJob, reapTablesJob } from './features/knowledge/tables.analyze.ts'
import { describeColumnsJob } from './features/knowledge/tables.columns.ts'
import { importColumnJob } from './features/knowledge/tables.import.ts'
import { retypeColumnsJob } from './features/knowledge/tables.types.ts'
import { forgetWebSearchesJob } from './features/knowledge/web-search.run.ts'
import { hostPictureJob } from './features/organizations/pictures.job.ts'
import { forgetExpired } from './features/users/sessions.job.ts'
import { rerouteJob } from './pipeline/reroute.job.ts'
import { summaryJob } from './pipeline/summary.job.ts'
import { unknownSendsJob } from './pipeline/unknown-sends.job.ts'
import { renewIndexesJob } from './retrieval/renew-indexes.ts'
import { tidyIndexJob } from './retrieval/tidy-index.ts'

/** All jobs, each declared beside the code that does it. */
export const jobs: readonly Job<never, Services>[] = [
  alertsJob,
  analyzeTableJob,
  askQuestionsJob,
  callForFailingJob,
  checkAccounts,
  checkSubscriptions,
  checkWebhooks,
  comparePassagesJob,
  deleteSpacesJob,
  describeColumnsJob,
  disconnectJob,
  dueSitesJob,
  embedChunksJob,
  exportJob,
  forgetExpired,
  forgetExportsJob,
  forgetWebSearchesJob,
  forgetQueriesJob,
  forgetRequestsJob,
  hostPictureJob,
  importColumnJob,
  cutAnewJob,
  ingestJob,
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
  summaryJob,
  sweepFilesJob,
  syncSiteJob,
  tidyIndexJob,
  unknownSendsJob,
]
