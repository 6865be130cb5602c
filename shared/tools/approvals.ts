// Calls of tools that change something: each waits for the customer's confirmation, or for an approval by the team.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import type { ToolFailure } from './tools.ts'

/** How long a call may wait for a decision. */
export const APPROVAL_HOURS = 24
/** Calls that may wait in one conversation at a time. */
export const APPROVALS_MAX = 5
/** Calls that the queue of the team lists: all that wait, and so many that are decided. */
export const APPROVALS_LISTED = { waiting: 200, decided: 20 }

/** Where a tool comes from. */
export type ToolKind = 'http' | 'mcp'
/** What a tool is called with: texts, numbers, true and false, and for those of MCP servers anything of JSON. */
export type ApprovalArguments = Record<string, unknown>
/** Who decides. */
export type ApprovalBy = 'customer' | 'operator'

/**
 * `approved`: decided, and not begun. `running`: the service is being called. `uncertain`: it may or may not have been carried out, since no
 * answer came. `declined`: by who decides. `withdrawn`: the customer has written something else instead. `expired`: no one has decided.
 */
export type ApprovalStatus =
  | 'waiting'
  | 'approved'
  | 'running'
  | 'done'
  | 'failed'
  | 'uncertain'
  | 'declined'
  | 'withdrawn'
  | 'expired'

/** Why an approved call has failed. `tool_changed`: the tool is not as it was when the call was shown. */
export type ApprovalFailure = ToolFailure | 'tool_changed' | 'tool_gone' | 'customer_unknown' | 'day_limit'

const approvalId = id('toolApprovals')
export const approvalInput = z.strictObject({ approvalId })
export const listApprovalsInput = z.strictObject({ conversationId: z.optional(id('conversations')) })

/** A call as the team sees it. `decidedBy`: a member; null: the customer, or no one. */
export type ToolApproval = {
  _id: Id<'toolApprovals'>
  conversationId: Id<'conversations'>
  customerName: string | null
  agentName: string
  by: ApprovalBy
  status: ApprovalStatus
  /** As the model knows the tool, and as people do. */
  tool: string
  title: string
  arguments: ApprovalArguments
  askedAt: number
  expiresAt: number
  decidedAt: number | null
  decidedBy: string | null
  failure: ApprovalFailure | null
  /** What the service has answered, cut; null: nothing yet. */
  result: string | null
}

/** What customers are asked, and what they read of it afterwards. */
export const APPROVAL_WORDS = {
  ru: {
    ask: 'Подтвердите: {{title}}',
    how: 'Выполнить?',
    yes: 'Да, подтверждаю',
    no: 'Нет',
    done: '{{title}}: выполнено.',
    failed: '{{title}}: не получилось.',
    uncertain: '{{title}}: результат пока неизвестен. Мы проверим и напишем вам.',
    declined: '{{title}}: сделать это не получится.',
    expired: '{{title}}: не сделано. Если это ещё нужно, напишите нам.',
  },
  kk: {
    ask: 'Растаңыз: {{title}}',
    how: 'Орындау керек пе?',
    yes: 'Иә, растаймын',
    no: 'Жоқ',
    done: '{{title}}: орындалды.',
    failed: '{{title}}: орындау мүмкін болмады.',
    uncertain: '{{title}}: нәтижесі әзірге белгісіз. Тексеріп, сізге жазамыз.',
    declined: '{{title}}: бұны орындау мүмкін емес.',
    expired: '{{title}}: орындалмады. Әлі керек болса, бізге жазыңыз.',
  },
  en: {
    ask: 'Please confirm: {{title}}',
    how: 'Shall we go ahead?',
    yes: 'Yes, I confirm',
    no: 'No',
    done: '{{title}}: done.',
    failed: '{{title}}: this did not work.',
    uncertain: '{{title}}: the result is not known yet. We will check and write to you.',
    declined: '{{title}}: this cannot be done.',
    expired: '{{title}}: this was not done. Write to us if you still need it.',
  },
} as const
