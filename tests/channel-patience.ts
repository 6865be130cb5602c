// How long the channels of the contract's tests wait for an answer.

/** An answer that comes: no test of it depends on how busy the machine is. */
export const PATIENT_MS = 30_000
/** An answer that never comes. */
export const IMPATIENT_MS = 300
