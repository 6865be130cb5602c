// "Why?" of one message: how it stands, and what each turn that concerns it went through.
import { useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import type { MessageExplanation } from '#shared/messaging/explanations.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { api } from '#web/api.ts'
import { messageAnchor } from '#web/components/chat/message-run.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'
import { WhyExplanation } from './why-explanation.tsx'

type WhySheetProps = {
  /** Null: closed. */
  message: Message | null
  where: 'conversations' | 'testChat'
  onClose: () => void
}

/** A panel from the side, so that the conversation stays in view. Live. Needs texts `conversations` and `why`. */
export function WhySheet({ message, where, onClose }: WhySheetProps) {
  const { t } = useTranslation('why')
  const [target, setTarget] = useState<Id<'messages'> | null>(null)
  return (
    <Sheet open={message !== null} onOpenChange={(open) => !open && onClose()}>
      <SheetContent
        title={t(($) => $.title)}
        className="max-w-xl"
        {...(target && {
          onCloseAutoFocus: (event: Event) => {
            event.preventDefault()
            setTarget(null)
            goTo(target)
          },
        })}
      >
        {message && (
          <ErrorBoundary fallback={<p className="text-muted-foreground">{t(($) => $.gone)}</p>}>
            <Explanation
              key={message._id}
              message={message}
              where={where}
              onGoTo={(messageId) => {
                setTarget(messageId)
                onClose()
              }}
            />
          </ErrorBoundary>
        )}
      </SheetContent>
    </Sheet>
  )
}

type ExplanationProps = {
  message: Message
  where: WhySheetProps['where']
  onGoTo: (messageId: Id<'messages'>) => void
}

function Explanation({ message, where, onGoTo }: ExplanationProps) {
  const modelLabel = useModelLabel()
  const [chosen, setChosen] = useState<Id<'turns'> | null>(null)
  const explanation: MessageExplanation | undefined = useQuery(
    where === 'testChat' ? api.testChat.explainMessage : api.conversations.explainMessage,
    { messageId: message._id },
  )
  const turn = explanation?.turns.find(({ _id }) => _id === (chosen ?? explanation.turnId))
  const trace: TurnTrace | null | undefined = useQuery(
    where === 'testChat' ? api.testChat.why : api.conversations.why,
    turn?.hasRecord ? { turnId: turn._id } : 'skip',
  )
  if (!explanation || (turn?.hasRecord && trace === undefined)) {
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  }
  return (
    <WhyExplanation
      explanation={explanation}
      turn={turn}
      trace={trace ?? null}
      modelLabel={modelLabel}
      onChoose={setChosen}
      onGoTo={onGoTo}
    />
  )
}

/** Shows a message of the log, and lets the keys go on from there. */
function goTo(messageId: Id<'messages'>): void {
  const element = document.getElementById(messageAnchor(messageId))
  if (!element) return
  element.tabIndex = -1
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
}
