// Named moments at which a test has this whole process die or stand still, as a machine does, to see that nothing is lost by it. None is
// set unless the configuration says so, which it refuses where customers are served; passing one then costs a comparison.

/** In the order in which a message meets them; then what servers do by the clock. */
export const FAILPOINTS = [
  'notification-taken',
  'message-written',
  'message-stored',
  'turns-woken',
  'turn-begun',
  'turn-claimed',
  'turn-read',
  'limits-passed',
  'model-asking',
  'model-answered',
  'try-failed',
  'answer-writing',
  'usage-counted',
  'answer-written',
  'parts-claimed',
  'part-sending',
  'part-sent',
  'part-recorded',
  'turns-taken-over',
  'parts-taken-over',
  'pauses-ending',
  'pauses-ended',
  'follow-ups-beginning',
  'follow-ups-begun',
] as const
export type Failpoint = (typeof FAILPOINTS)[number]

/** `kill`: as by kill -9. `freeze`: it stands still until somebody sends SIGCONT, and does not know. */
export const FAILURES = ['kill', 'freeze'] as const
/** What happens when a moment is passed for the `pass`th time, the first being 1. Once. */
export type Failure = { failure: (typeof FAILURES)[number]; at: Failpoint; pass: number }

let awaited: Failure | undefined

/** Awaits a failure, of this process, from now on; undefined: none. */
export function setFailure(failure: Failure | undefined): void {
  awaited = failure
}

/** The moment `label`. Returns at once, if at all. */
export function failpoint(label: Failpoint): void {
  if (awaited === undefined || awaited.at !== label) return
  awaited = { ...awaited, pass: awaited.pass - 1 }
  if (awaited.pass > 0) return
  const { failure } = awaited
  awaited = undefined
  process.kill(process.pid, failure === 'kill' ? 'SIGKILL' : 'SIGSTOP')
}
