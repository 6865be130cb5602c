// A plan as it is typed, and back.
import { type AdminPlan, type PlanFields, planFault } from '#shared/organizations/admin-plans.ts'
import { CURRENCIES, type Currency } from '#shared/organizations/plans.ts'

/** Numbers as the number fields keep them: null for an empty field, NaN for what is no number. Features: one a line. */
export type PlanDraft = {
  slug: string
  name: string
  description: string
  price: number | null
  currency: Currency
  messages: number | null
  members: number | null
  channelSlots: number | null
  featuresRu: string
  featuresEn: string
  sortOrder: number | null
}

export type CountField = 'price' | 'messages' | 'members' | 'channelSlots'
export type DraftFault = { field: keyof PlanDraft; code: NonNullable<ReturnType<typeof planFault>> | 'number' }

/** The smallest number of each field. */
const LEAST: Record<CountField, number> = { price: 0, messages: 0, members: 1, channelSlots: 0 }
const FIELD_OF = {
  missing_plan_name: 'name',
  missing_slug: 'slug',
  invalid_slug: 'slug',
  invalid_sort_order: 'sortOrder',
} as const satisfies Record<NonNullable<ReturnType<typeof planFault>>, keyof PlanDraft>

/** Of a plan that exists, or an empty one. */
export function draftOf(plan: AdminPlan | null): PlanDraft {
  return {
    slug: plan?.slug ?? '',
    name: plan?.name ?? '',
    description: plan?.description ?? '',
    price: plan?.price ?? null,
    currency: plan?.currency ?? CURRENCIES[0],
    messages: plan?.messages ?? null,
    members: plan?.members ?? null,
    channelSlots: plan?.channelSlots ?? null,
    featuresRu: plan?.features.ru.join('\n') ?? '',
    featuresEn: plan?.features.en.join('\n') ?? '',
    sortOrder: plan?.sortOrder ?? null,
  }
}

/** The first thing that is wrong; undefined: it can be sent. */
export function faultOf(draft: PlanDraft): DraftFault | undefined {
  const code = planFault(draft)
  if (code) return { field: FIELD_OF[code], code }
  const fields = Object.keys(LEAST) as CountField[]
  const wrong = fields.find((field) => !isCount(draft[field], LEAST[field]))
  return wrong && { field: wrong, code: 'number' }
}

/** What is sent. */
export function fieldsOf(draft: PlanDraft): PlanFields & { name: string } {
  const { slug, featuresRu, featuresEn, name, ...rest } = draft
  return { ...rest, name: name.trim(), features: { ru: linesOf(featuresRu), en: linesOf(featuresEn) } }
}

function isCount(value: number | null, least: number): boolean {
  return value === null || (Number.isInteger(value) && value >= least)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
