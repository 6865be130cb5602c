// Named moments at which a test has this process die or freeze, as a machine may, to see that nothing is lost. None is set unless the
// configuration says so, which is rejected where customers are served; passing one then costs a comparison.

/** In the order in which a message passes them; then those of scheduled work. */
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
  'booking-written',
  'booking-made',
  'approved-call-begun',
  'approved-call-made',
] as const
export type Failpoint = (typeof FAILPOINTS)[number]

/** `kill`: as by kill -9. `freeze`: stops as by SIGSTOP until another process sends SIGCONT. */
export const FAILURES = ['kill', 'freeze'] as const
/** What happens when a failpoint is passed for the `pass`th time, counted from 1. Fires once. */
export type Failure = { failure: (typeof FAILURES)[number]; at: Failpoint; pass: number }

let awaited: Failure | undefined

/** Arms a failure of this process; undefined: none. */
export function setFailure(failure: Failure | undefined): void {
  awaited = failure
}

/** The moment `label`. Returns at once unless it is armed. */
export function failpoint(label: Failpoint): void {
  if (awaited === undefined || awaited.at !== label) return
  awaited = { ...awaited, pass: awaited.pass - 1 }
  if (awaited.pass > 0) return
  const { failure } = awaited
  awaited = undefined
  process.kill(process.pid, failure === 'kill' ? 'SIGKILL' : 'SIGSTOP')
}
