// The long-lived parts that functions, the pipeline and HTTP routes work with. Made once in app.ts.
import type { Channels } from '#server/adapters/channel.ts'
import type { Mailer } from '#server/adapters/email/email.ts'
import type { Outbound } from '#server/adapters/outbound.ts'
import type { TelegramBot } from '#server/adapters/telegram/telegram.bot.ts'
import type { WebPush } from '#server/adapters/web-push/web-push.ts'
import type { Database, Db } from '#server/db/database.ts'
import type { FileStore } from '#server/files/files.ts'
import type { JobSender } from '#server/jobs/jobs.ts'
import type { FairScheduler } from '#server/lib/fair-scheduler.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { Embeddings } from '#server/llm/embeddings.ts'
import type { Llm } from '#server/llm/llm.ts'
import type { Reranker } from '#server/llm/rerank.ts'
import type { Media } from '#server/media/media.ts'
import type { Retrieval } from '#server/retrieval/retrieval.ts'
import type { WebSearch } from '#server/websearch/web-search.ts'
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
  /** Where WhatsApp instances are reached unless they have a host of their own, without a trailing slash. */
  greenApiUrl: string
  secrets: Secrets
  mailer: Mailer
  /** Null: the installation has none for alerts. */
  alertBot: TelegramBot | null
  webPush: WebPush
  /** Requests to addresses that people name. */
  outbound: Outbound
  /** Requests to our own public address, wherever that is: on an installation for one house it is not a public one. */
  ourselves: Outbound
  /** Where browsers and providers reach this installation, without a trailing slash. */
  publicUrl: string
  /** Null: this installation is none. */
  demonstration: Demonstration | null
}
