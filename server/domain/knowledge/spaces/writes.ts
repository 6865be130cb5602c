// What writes of knowledge are handed besides what they write.
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'

/** May queue jobs. */
export type JobContext = OrgStoreContext & { jobs: JobSender<Db> }
/** What a person or a program asks for, at this time. */
export type WriteContext = JobContext & { now: Date }
