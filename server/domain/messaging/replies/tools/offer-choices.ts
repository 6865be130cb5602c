// The tool by which a model gives the customer choices to press below its answer. They go out together with the answer, or not at all.
import { z } from 'zod'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { CHOICE_MAX_BYTES, CHOICES_MAX } from '#shared/limits.ts'
import type { TraceRecorder } from '../../turns/trace.ts'

const choice = z
  .string()
  .trim()
  .min(1)
  .refine((text) => Buffer.byteLength(text) <= CHOICE_MAX_BYTES)
const args = z.object({
  choices: z
    .array(choice)
    .min(2)
    .max(CHOICES_MAX)
    .refine((choices) => new Set(choices).size === choices.length),
})

/** What the model offers; the last call counts. Empty: nothing. */
export type Offer = { choices: string[] }

/** A tool that notes its call in `offer`. */
export function offerChoicesTool(offer: Offer, trace: TraceRecorder): Tool {
  return {
    name: 'offer_choices',
    isFree: true,
    description:
      'Shows the customer a few short answers to your question, of which they pick one. Use it when the possible answers are few and known. Ask the question in your text, and do not list the choices there: they stand below it.',
    parameters: {
      type: 'object',
      properties: {
        choices: {
          type: 'array',
          items: { type: 'string' },
          minItems: 2,
          maxItems: CHOICES_MAX,
          description: `Each different, in the customer's language and words, at most ${CHOICE_MAX_BYTES / 2} characters.`,
        },
      },
      required: ['choices'],
      additionalProperties: false,
    },
    async run(given) {
      const startedAt = performance.now()
      const parsed = args.safeParse(given)
      const result = parsed.success
        ? 'They will stand below your answer. Write the question now.'
        : `Nothing is offered: give 2 to ${CHOICES_MAX} different choices of at most ${CHOICE_MAX_BYTES / 2} characters.`
      if (parsed.success) offer.choices = parsed.data.choices
      const durationMs = Math.round(performance.now() - startedAt)
      trace.tool({ name: 'offer_choices', arguments: given, result, hasFailed: !parsed.success, durationMs })
      return result
    },
  }
}
