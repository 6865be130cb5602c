// One proposed note: edited in place, then approved or rejected. Both can be undone.
import { Check, MessageSquareText, Replace, X } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import type { AlikeSource, Proposal } from '#shared/knowledge/proposals.ts'
import { FRAGMENT_CONTENT_MAX, FRAGMENT_NAME_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useDecisions } from './use-decisions.ts'

type ProposalCardProps = {
  proposal: Proposal
  /** The card is about to leave. */
  onDecided: () => void
}

/** Enter in the question and Mod+Enter in the answer add the note. */
export function ProposalCard({ proposal, onDecided }: ProposalCardProps) {
  const { t } = useTranslation('proposals')
  const [question, setQuestion] = useState(proposal.question)
  const [answer, setAnswer] = useState(proposal.answer)
  const [isChecked, setChecked] = useState(false)
  const { busy, approve, reject } = useDecisions(proposal._id, onDecided)
  const isComplete = question.trim() !== '' && answer.trim() !== ''
  const add = (replaces: boolean) => {
    setChecked(true)
    if (isComplete) void approve({ question, answer, replaces })
  }
  const missing = (value: string) => (isChecked && value.trim() === '' ? t(($) => $.required) : undefined)
  return (
    <Card className="p-4">
      <form
        noValidate
        aria-label={proposal.question}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          add(false)
        }}
        className="flex flex-col gap-4"
      >
        <Origin proposal={proposal} />
        <Field label={t(($) => $.question)} error={missing(question)} isRequired>
          <Input
            autoComplete="off"
            maxLength={FRAGMENT_NAME_MAX}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
          />
        </Field>
        <Field label={t(($) => $.answer)} error={missing(answer)} isRequired>
          <Textarea
            className="max-h-72"
            maxLength={FRAGMENT_CONTENT_MAX}
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) add(false)
            }}
          />
        </Field>
        {proposal.alike && <Alike source={proposal.alike} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={busy === 'add'}>
            <Check aria-hidden="true" />
            {t(($) => $.approve)}
          </Button>
          {proposal.alike && (
            <Button isBusy={busy === 'replace'} onClick={() => add(true)}>
              <Replace aria-hidden="true" />
              {t(($) => $.replace[proposal.alike?.kind ?? 'fragment'])}
            </Button>
          )}
          <Button variant="ghost" isBusy={busy === 'reject'} onClick={() => void reject()}>
            <X aria-hidden="true" />
            {t(($) => $.reject)}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Origin({ proposal: { conversationId, conversations, createdAt } }: { proposal: Proposal }) {
  const { t } = useTranslation('proposals')
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-muted-foreground">
      <Link
        to={paths.conversation(conversationId)}
        className="inline-flex items-center gap-1.5 text-foreground underline-offset-4 hover:underline"
      >
        <MessageSquareText aria-hidden="true" className="size-4" />
        {t(($) => $.conversation)}
      </Link>
      <span>{t(($) => $.conversations, { count: conversations })}</span>
      <RelativeTime at={createdAt} />
    </p>
  )
}

function Alike({ source: { kind, name, content } }: { source: AlikeSource }) {
  const { t } = useTranslation('proposals')
  return (
    <div className="rounded-lg border border-border p-3">
      <p className="font-medium text-[0.8125rem]">{t(($) => $.alike[kind], { name })}</p>
      <p className="mt-1 line-clamp-6 whitespace-pre-wrap break-words text-muted-foreground">{content}</p>
    </div>
  )
}
