// A draft of instructions next to the current ones.
import { CircleAlert } from 'lucide-react'
import type { PromptDraft } from '#shared/agents/agents.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Button } from '#web/components/ui/button.tsx'
import { DialogFooter } from '#web/components/ui/dialog.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { TextDiff } from '#web/components/ui/text-diff.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type DraftViewProps = {
  draft: PromptDraft
  current: string
  isWriting: boolean
  onApply: () => void
  onDiscard: () => void
}

/** Grows while the model writes; can be applied once complete. */
export function DraftView({ draft, current, isWriting, onApply, onDiscard }: DraftViewProps) {
  const { t } = useTranslation('prompt-generator')
  const outcomeText = useOutcomeText()
  const isGrowing = draft.status === 'streaming'
  return (
    <div className="flex flex-col gap-4">
      {draft.status === 'failed' && (
        <p role="alert" className="flex items-start gap-2 text-destructive-soft-foreground text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t(($) => $.failed)} {outcomeText(draft.reason ?? 'internal')}
        </p>
      )}
      {/* Until the draft is complete, what is still to come would look removed. */}
      {draft.text && (
        <TextDiff
          label={t(($) => $.diff)}
          before={isGrowing ? current.slice(0, draft.text.length) : current}
          after={draft.text}
        />
      )}
      <DialogFooter className="items-center">
        {isGrowing && isWriting && (
          <p role="status" className="me-auto flex items-center gap-2 text-muted-foreground text-sm">
            <Spinner />
            {t(($) => $.writing)}
          </p>
        )}
        {!isWriting && <Button onClick={onDiscard}>{t(($) => $.discard)}</Button>}
        {draft.status === 'complete' && (
          <Button variant="primary" onClick={onApply}>
            {t(($) => $.apply)}
          </Button>
        )}
      </DialogFooter>
    </div>
  )
}
