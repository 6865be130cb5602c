// The tool by which a model calls a person. It only records the request: the conversation is handed over in the transaction that writes
// the answer.
import { z } from 'zod'
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { TraceRecorder } from '../turns/trace.ts'

/** Reasons for a handoff by the model, with the wording for the tool's description. */
const REASONS = {
  customer_request: 'the customer asks for a person',
  missing_knowledge: 'the question needs an answer, and neither your instructions nor the knowledge hold it',
  tool_failure: 'something that the customer needs from you does not work',
  policy: 'your instructions leave this matter to people',
} as const

const NOTE_MAX = 500
const args = z.object({
  reason: z.enum(Object.keys(REASONS) as [keyof typeof REASONS]),
  note: z.string().trim().max(NOTE_MAX).optional(),
})

/** `promise`, `guard`: requested by a guard, not by the model. `note`: what the person should know; may be null. */
export type HandoffRequest = { reason: keyof typeof REASONS | 'promise' | 'guard'; note: string | null }
/** The handoff that the model requested while it answered; the last call counts. */
export type HandoffCall = { request: HandoffRequest | null }

/** A tool that records its request in `call`. */
export function handOffTool(call: HandoffCall, trace: TraceRecorder): Tool {
  return {
    name: 'hand_off',
    isFree: true,
    description:
      'Calls a person of the organization, who continues this conversation instead of you. Use it only for one of the reasons listed. Whatever you write in the same answer is still sent: tell the customer in one sentence that a person will answer, and promise no time.',
    parameters: {
      type: 'object',
      properties: {
        reason: {
          type: 'string',
          enum: Object.keys(REASONS),
          description: Object.entries(REASONS)
            .map(([reason, when]) => `${reason}: ${when}`)
            .join('; '),
        },
        note: {
          type: 'string',
          maxLength: NOTE_MAX,
          description: 'For the person: what is wanted, and what was said so far.',
        },
      },
      required: ['reason'],
      additionalProperties: false,
    },
    async run(given) {
      const startedAt = performance.now()
      const parsed = args.safeParse(given)
      const result = parsed.success
        ? 'A person is called. Tell the customer so in one sentence.'
        : 'Nobody was called: the reason has to be one of those listed.'
      if (parsed.success) call.request = { reason: parsed.data.reason, note: parsed.data.note || null }
      const durationMs = Math.round(performance.now() - startedAt)
      trace.tool({ name: 'hand_off', arguments: given, result, hasFailed: !parsed.success, durationMs })
      return result
    },
  }
}
