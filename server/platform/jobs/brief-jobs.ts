// Scheduled jobs that are short run together: each as a queued job of its own would cost an idle server seven transactions every time.
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Job } from './jobs.ts'

/** A job of any data. */
type AnyJob<Context> = Job<never, Context>

/** The jobs with, for each schedule that brief ones share, one more that runs these; they themselves keep a queue and no schedule. */
export function withBriefGroups<Context>(jobs: readonly AnyJob<Context>[], log: Logger): AnyJob<Context>[] {
  const brief = jobs.filter(({ isBrief, schedule }) => isBrief && schedule)
  const groups = [...Map.groupBy(brief, ({ schedule }) => schedule ?? '')]
  return [...jobs.map(withoutSchedule), ...groups.map(([schedule, members]) => groupOf(schedule, members, log))]
}

/** The queue that the schedule of a job begins: its own, or that of the brief ones. */
export function scheduledName({
  name,
  schedule,
  isBrief,
}: Pick<AnyJob<never>, 'name' | 'schedule' | 'isBrief'>): string {
  return isBrief && schedule ? groupName(schedule) : name
}

function groupName(schedule: string): string {
  return `clock.${schedule.replaceAll('*', 'x').replaceAll('/', '-').replaceAll(' ', '_')}`
}

function withoutSchedule<Context>(job: AnyJob<Context>): AnyJob<Context> {
  if (!job.isBrief) return job
  const { schedule: _, ...rest } = job
  return rest
}

function groupOf<Context>(schedule: string, members: AnyJob<Context>[], log: Logger): AnyJob<Context> {
  return {
    name: groupName(schedule),
    limitSeconds: Math.max(...members.map(({ limitSeconds }) => limitSeconds)) + 5,
    concurrency: 1,
    schedule,
    async run(ctx, _, signal) {
      await Promise.all(members.map((member) => runMember(member, { ctx, signal, log })))
    },
  }
}

type Surroundings<Context> = { ctx: Context; signal: AbortSignal; log: Logger }

/** A failure of one is no failure of the others. */
async function runMember<Context>(member: AnyJob<Context>, { ctx, signal, log }: Surroundings<Context>): Promise<void> {
  const limit = AbortSignal.timeout(member.limitSeconds * 1000)
  try {
    await member.run(ctx, {} as never, AbortSignal.any([signal, limit]))
  } catch (error) {
    log.warn({ err: error, job: member.name }, 'a job failed')
  }
}
