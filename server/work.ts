// DOOR 3: every background job and schedule.
import { forgetExpired } from './auth/expired.job.ts'

/** All jobs, each declared beside the code that does it. */
export const jobs = [forgetExpired]
