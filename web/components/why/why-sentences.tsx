// Where each sentence of an answer comes from.
import type { TraceSearch, TraceSentence } from '#shared/messaging/trace.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhySection } from './why-section.tsx'

type WhySentencesProps = { sentences: TraceSentence[]; searches: TraceSearch[] }

const TONES = { knowledge: 'success', given: 'neutral', unfounded: 'destructive', unchecked: 'neutral' } as const

/** In the order of the answer, each with the names of its sources, or with what of it stands nowhere. */
export function WhySentences({ sentences, searches }: WhySentencesProps) {
  const { t } = useTranslation('why')
  if (sentences.length === 0) return null
  const names = new Map(searches.flatMap(({ results }) => results.map(({ id, source }) => [id as string, source])))
  return (
    <WhySection title={t(($) => $.sentences.title)}>
      <ul className="flex flex-col gap-2">
        {sentences.map(({ text, verdict, unfounded, sources }, index) => {
          const known = [...new Set(sources.flatMap((id) => names.get(id) ?? []))]
          const detail =
            unfounded.length > 0 ? t(($) => $.sentences.nowhere, { facts: unfounded.join(', ') }) : known.join(', ')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of a finished answer never change
            <li key={index} className="flex flex-col gap-0.5 text-sm">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 break-words">{text}</span>
                <Badge tone={TONES[verdict]}>{t(($) => $.sentences.verdict[verdict])}</Badge>
              </p>
              {detail && <p className="break-words text-muted-foreground text-xs">{detail}</p>}
            </li>
          )
        })}
      </ul>
    </WhySection>
  )
}
