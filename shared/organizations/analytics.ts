// Analytics events that the interface reports.
import * as z from 'zod/mini'

export const slugFallbackInput = z.strictObject({
  type: z.enum(['agent', 'knowledgeSpace']),
  identifier: z.string().check(z.maxLength(200)),
  slug: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  pathname: z.optional(z.string().check(z.maxLength(2000))),
  search: z.optional(z.string().check(z.maxLength(2000))),
  source: z.optional(z.string().check(z.maxLength(200))),
})
