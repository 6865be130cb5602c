// Members who take conversations: whether, how many at once, in which hours; and their queue.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { OPERATOR_CAPACITY_MAX } from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { id } from '#shared/schema.ts'
import type { PauseReason } from './conversations.ts'

const hour = z.number().check(z.int(), z.minimum(0), z.maximum(23))
const week = z.array(z.array(hour).check(z.maxLength(24))).check(z.length(7))

/** Settings of a member. */
export const operatorSettings = z.strictObject({
  /** Whether conversations are assigned to them. */
  acceptsAssignments: z.boolean(),
  /** How many conversations they handle at once. */
  capacity: z.number().check(z.int(), z.minimum(1), z.maximum(OPERATOR_CAPACITY_MAX)),
  /** Seven lists of hours, Monday first, in the organization's time zone; null: always. */
  hours: z.nullable(week),
})
export type OperatorSettings = z.infer<typeof operatorSettings>

export const updateOperatorInput = z.strictObject({ userId: id('users'), patch: z.partial(operatorSettings) })

/** A member as an operator. */
export type Operator = Member &
  OperatorSettings & {
    isWithinHours: boolean
    /** When `isWithinHours` changes; null: never. */
    hoursChangeAt: number | null
    /** Conversations that count towards the capacity: assigned, and with a person called or the agent paused by one. */
    held: number
  }

/** Whether the next conversation may be given to them. */
export function isFree({ acceptsAssignments, isWithinHours, held, capacity }: Operator): boolean {
  return acceptsAssignments && isWithinHours && held < capacity
}

/** Conversations that wait for a free operator, the longest wait first. */
export type Queue = {
  count: number
  /** The first of them. */
  first: {
    conversationId: Id<'conversations'>
    /** The thread in which it is shown together with others; null: none. */
    threadId: Id<'threads'> | null
    customerName: string | null
    queuedAt: number
    /** Why they wait for a person; null: not known. */
    calledFor: PauseReason | null
  }[]
}
