// The question how long the agent is to be silent.
import { useState } from 'react'
import type { Agent, AgentSummary } from '#shared/agents/agents.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { SpanInput } from '#web/components/span-input.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { showChange, withStatus } from '../reply/optimistic-updates.ts'
import { useRetryable } from '../use-retryable.ts'
import { lengthOf, offeredTimes, type PauseChoice } from './pause.rules.ts'

/** What a person's own time begins with, milliseconds. */
const HOUR_MS = 3_600_000

type PauseDialogProps = {
  conversation: Conversation
  /** Undefined when it was deleted. */
  agent: AgentSummary | undefined
  onClose: () => void
}

/** Open while mounted. Proposes the agent's default duration, otherwise until resumed by hand. */
export function PauseDialog({ conversation, agent, onClose }: PauseDialogProps) {
  const settings: Agent | undefined = useQuery(api.agents.get, agent ? { id: agent._id } : 'skip')
  const agentDefault = settings?.handoff.autoResumeMs ?? null
  const [chosen, setChoice] = useState<PauseChoice | null>(null)
  const [custom, setCustom] = useState<number | null>(HOUR_MS)
  const choice = chosen ?? (agentDefault === null ? 'by-hand' : (`${agentDefault}` as const))
  const length = lengthOf(choice, custom)
  const pause = usePause(conversation, onClose)
  const text = useDialogText(conversation)
  const { t } = useTranslation('conversations')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={text.title} description={text.description} className="max-w-md">
        <div className="flex flex-col gap-4">
          <UntilSelect choice={choice} onChoose={setChoice} agentDefault={agentDefault} />
          {choice === 'custom' && (
            <SpanInput
              label={t(($) => $.pause.customLabel)}
              unitMs={1}
              value={custom}
              onValueChange={setCustom}
              error={length === null ? t(($) => $.pause.customError) : undefined}
            />
          )}
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t(($) => $.pause.cancel)}</Button>
          <Button variant="primary" disabled={length === null} onClick={() => length !== null && pause(length)}>
            {text.confirm}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

/** A pause that lasts already gets another time, and is the person's own from then on. */
function useDialogText({ status }: Conversation): { title: string; description: string; confirm: string } {
  const { t } = useTranslation('conversations')
  return status === 'paused'
    ? {
        title: t(($) => $.pause.changeTitle),
        description: t(($) => $.pause.changeDescription),
        confirm: t(($) => $.pause.changeConfirm),
      }
    : {
        title: t(($) => $.pause.title),
        description: t(($) => $.pause.description),
        confirm: t(($) => $.pause.confirm),
      }
}

type UntilSelectProps = {
  choice: PauseChoice
  onChoose: (choice: PauseChoice) => void
  /** Milliseconds; null: it has none. */
  agentDefault: number | null
}

function UntilSelect({ choice, onChoose, agentDefault }: UntilSelectProps) {
  const { t } = useTranslation('conversations')
  const options: { value: PauseChoice; label: string }[] = [
    { value: 'by-hand', label: t(($) => $.pause.never) },
    ...offeredTimes(agentDefault).map((milliseconds) => {
      const duration = formatSpan(milliseconds)
      const isOwn = milliseconds === agentDefault
      const label = isOwn ? t(($) => $.pause.agentDefault, { duration }) : t(($) => $.pause.in, { duration })
      return { value: `${milliseconds}` as const, label }
    }),
    { value: 'custom', label: t(($) => $.pause.custom) },
  ]
  return (
    <Field label={t(($) => $.pause.until)}>
      <Select
        value={choice}
        onValueChange={(next) => onChoose(options.find(({ value }) => value === next)?.value ?? 'by-hand')}
        options={options}
      />
    </Field>
  )
}

/** The dialog closes at once. */
function usePause({ _id: conversationId }: Conversation, onClose: () => void) {
  const { t } = useTranslation('conversations')
  const attempt = useRetryable()
  const pause = useMutation(api.conversations.pause, {
    hasToast: false,
    optimisticUpdate: (store, args) =>
      showChange(store, { conversationIds: [args.conversationId] }, withStatus('paused', args.resumeAfterMs)),
  })
  return (resumeAfterMs: number | undefined) => {
    onClose()
    void attempt(async () => {
      await pause({ conversationId, ...(resumeAfterMs !== undefined && { resumeAfterMs }) })
      toast.success(t(($) => $.pause.done))
    })
  }
}
