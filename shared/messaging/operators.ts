// The people of an organization who take conversations: whether, how many at once, in which hours; and the queue for them.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { OPERATOR_CAPACITY_MAX } from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { id } from '#shared/schema.ts'
import type { PauseReason } from './conversations.ts'

const hour = z.number().check(z.int(), z.minimum(0), z.maximum(23))
const week = z.array(z.array(hour).check(z.maxLength(24))).check(z.length(7))

/** What is set for a member. */
export const operatorSettings = z.strictObject({
  /** Conversations are given to them. */
  isTaking: z.boolean(),
  /** Conversations that they have in hand at once. */
  capacity: z.number().check(z.int(), z.minimum(1), z.maximum(OPERATOR_CAPACITY_MAX)),
  /** Seven lists of hours, Monday first, in the organization's time zone; null: always. */
  hours: z.nullable(week),
})
export type OperatorSettings = z.infer<typeof operatorSettings>

export const updateOperatorInput = z.strictObject({ userId: id('users'), patch: z.partial(operatorSettings) })

/** A member as somebody who takes conversations. */
export type Operator = Member &
  OperatorSettings & {
    isWithinHours: boolean
    /** When `isWithinHours` changes; null: never. */
    hoursChangeAt: number | null
    /** Conversations in hand: assigned, and a person is called or has silenced the agent. */
    held: number
  }

/** Whether the next conversation may be given to them. */
export function isFree({ isTaking, isWithinHours, held, capacity }: Operator): boolean {
  return isTaking && isWithinHours && held < capacity
}

/** Who waits for somebody to be free, the longest wait first. */
export type Queue = {
  count: number
  /** The first of them. */
  first: {
    conversationId: Id<'conversations'>
    /** What it is shown as one with; null: nothing. */
    threadId: Id<'threads'> | null
    customerName: string | null
    queuedAt: number
    /** Why they wait for a person; null: not known. */
    calledFor: PauseReason | null
  }[]
}
