// One attack: what it works by and where it stood; opened, its text and what the agent did.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttackCase } from '#shared/messaging/attack-checks.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { OUTCOME_TONES } from './score.ts'

/** Rows are drawn when they come into view: a whole check has hundreds. */
export function CaseRow({ found }: { found: AttackCase }) {
  const { t } = useTranslation('attacks')
  const { kind, carrier, language, outcome, text, question, calls, answer, reason } = found
  const outcomeText = useOutcomeText()
  return (
    <li className="[contain-intrinsic-size:auto_3rem] [content-visibility:auto]">
      <details className="group">
        <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-accent [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
          />
          <span className="font-medium">{t(($) => $.kind[kind])}</span>
          <span className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.carrier[carrier])}, {t(($) => $.language[language])}
          </span>
          <Badge tone={OUTCOME_TONES[outcome]} className="ms-auto">
            {t(($) => $.outcome[outcome])}
          </Badge>
        </summary>
        <dl className="flex flex-col gap-3 px-4 pb-4 sm:ps-11">
          {question !== null && <Part title={t(($) => $.cases.question)}>{question}</Part>}
          <Part title={t(($) => $.cases.attack)}>
            <span className="block whitespace-pre-wrap break-words rounded-lg bg-muted px-3 py-2" lang={language}>
              {text}
            </span>
          </Part>
          {calls.length > 0 && (
            <Part title={t(($) => $.cases.calls)}>
              <Calls calls={calls} />
            </Part>
          )}
          <Part title={t(($) => $.cases.answer)}>
            <span className="whitespace-pre-wrap break-words">
              {reason === null ? (answer ?? t(($) => $.cases.noAnswer)) : outcomeText(reason)}
            </span>
          </Part>
        </dl>
      </details>
    </li>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-muted-foreground">{title}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function Calls({ calls }: Pick<AttackCase, 'calls'>) {
  const { t } = useTranslation('attacks')
  return (
    <ul className="flex flex-col gap-1.5">
      {calls.map(({ name, arguments: given, fate }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls never move
        <li key={at} className="flex flex-wrap items-baseline gap-x-2">
          <code className="break-all text-xs">
            {name} {given}
          </code>
          <span className="text-[0.8125rem] text-muted-foreground">{t(($) => $.fate[fate])}</span>
        </li>
      ))}
    </ul>
  )
}
