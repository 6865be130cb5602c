// What the numbers mean, in words: for readers of the screen and of a printed page.
import { REOPENED_WITHIN_DAYS } from '#shared/analytics/facts.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** The numbers that have a card. */
const FIGURES = [
  'conversations',
  'resolved',
  'handedOff',
  'reopened',
  'unanswered',
  'didNotKnow',
  'firstResponse',
  'resolution',
  'rating',
  'messages',
  'perConversation',
  'perResolution',
] as const
export type FigureName = (typeof FIGURES)[number]

/** One line for each. */
export function Definitions() {
  const { t } = useTranslation('analytics')
  return (
    <CardSection id="definitions" title={t(($) => $.definitionsTitle)} description={t(($) => $.definitionsLead)}>
      <dl className="flex flex-col gap-3">
        {FIGURES.map((figure) => (
          <div key={figure} className="grid gap-x-6 sm:grid-cols-[14rem_1fr]">
            <dt className="font-medium">{t(($) => $.figures.name[figure])}</dt>
            <dd className="max-w-prose text-muted-foreground">
              {t(($) => $.definitions[figure], { days: REOPENED_WITHIN_DAYS })}
            </dd>
          </div>
        ))}
      </dl>
    </CardSection>
  )
}
