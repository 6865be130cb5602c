// All attacks.
import type { Attack } from './attack.ts'
import { CRAFTED } from './attacks.craft.ts'
import { SPOKEN } from './attacks.speech.ts'
import { WORDED } from './attacks.words.ts'

/** Those that want calls. */
export const CALLING: readonly Attack[] = [...SPOKEN, ...CRAFTED]
export const ATTACKS: readonly Attack[] = [...CALLING, ...WORDED]
