// What writes of knowledge are handed besides what they write.
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'

/** May queue jobs. */
export type JobContext = OrgStoreContext & { jobs: JobSender<Db> }
/** Context of a write requested by a person or a program, at this time. */
export type WriteContext = JobContext & { now: Date }
