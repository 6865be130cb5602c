// The long-lived parts that functions, the pipeline and HTTP routes work with. Made once in app.ts.

import type { Retrieval } from '#server/domain/knowledge/search/retrieval.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { TelegramBot } from '#server/integrations/channels/telegram/telegram.bot.ts'
import type { GoogleCalendar } from '#server/integrations/google-calendar/google-calendar.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import type { Embeddings } from '#server/integrations/llm/embeddings.ts'
import type { Llm } from '#server/integrations/llm/llm.ts'
import type { Reranker } from '#server/integrations/llm/rerank.ts'
import type { Mailer } from '#server/integrations/mail/email.ts'
import type { Media } from '#server/integrations/media/media.ts'
import type { WebPush } from '#server/integrations/web-push/web-push.ts'
import type { WebSearch } from '#server/integrations/web-search/web-search.ts'
import type { Proofs } from '#server/platform/auth/factors/proof.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { FileStore } from '#server/platform/files/files.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'
import type { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Demonstration } from '#shared/demonstration.ts'

export interface Services {
  database: Database
  jobs: JobSender<Db>
  files: FileStore
  llm: Llm
  media: Media
  /** Null: none is configured. */
  embeddings: Embeddings | null
  /** Null: none is configured. */
  reranker: Reranker | null
  retrieval: Retrieval
  /** Searches under way: how many of one organization run at once. */
  searches: FairScheduler
  /** Null: none is configured. */
  webSearch: WebSearch | null
  channels: Channels
  /** Null: none is configured. */
  googleCalendar: GoogleCalendar | null
  /** Where WhatsApp instances are reached unless they have a host of their own, without a trailing slash. */
  greenApiUrl: string
  secrets: Secrets
  mailer: Mailer
  /** Who is written to about plans; undefined: no letter is sent. */
  salesEmail: string | undefined
  /** Whether the person of a session is the owner of the account. */
  proofs: Proofs
  /** Null: the installation has none for alerts. */
  alertBot: TelegramBot | null
  webPush: WebPush
  /** Requests to addresses that people name. */
  outbound: Outbound
  /** Requests to our own public address, wherever that is: on an installation for one house it is not a public one. */
  selfClient: Outbound
  /** Where browsers and providers reach this installation, without a trailing slash. */
  publicUrl: string
  /** Null unless running as a demo. */
  demonstration: Demonstration | null
}
