// Has the agent's model write its instructions from a description: shown as a comparison while they are written, applied or thrown away.
import { Sparkles } from 'lucide-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import type { Agent, PromptDraft } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { DescriptionForm } from './description-form.tsx'
import { DraftView } from './draft-view.tsx'
import { usePromptWriter } from './use-prompt-writer.ts'

/** Time in which an applied draft can be taken back, milliseconds. */
const UNDO_MS = 10_000

type PromptGeneratorProps = {
  agent: Agent
  /** The instructions as they stand in the form. */
  current: string
  onChange: (prompt: string) => void
}

/** A button and the window behind it, which stands in the address; a draft waits there over a reload. */
export function PromptGenerator({ agent, current, onChange }: PromptGeneratorProps) {
  const { t } = useTranslation('prompt-generator')
  const [isOpen, setOpen] = useQueryState('generate', parseAsBoolean.withDefault(false))
  const draft: PromptDraft | null | undefined = useQuery(
    api.agents.prompts.draft,
    isOpen ? { agentId: agent._id } : 'skip',
  )
  const writer = usePromptWriter(agent._id)
  const close = () => void setOpen(null)

  const apply = (text: string) => {
    const before = current
    onChange(text)
    void writer.discard()
    close()
    const undo = () => {
      onChange(before)
      toast.success(t(($) => $.undone))
    }
    toast.success(
      t(($) => $.applied),
      { durationMs: UNDO_MS, action: { label: t(($) => $.undo), onClick: undo } },
    )
  }

  return (
    <>
      <Button size="sm" className="self-start" onClick={() => void setOpen(true)}>
        <Sparkles aria-hidden="true" />
        {t(($) => $.open)}
      </Button>
      <Dialog open={isOpen} onOpenChange={(open) => !open && close()}>
        <DialogContent title={t(($) => $.title)} description={t(($) => $.hint)} className="max-w-3xl">
          <DescriptionForm
            draft={draft ?? null}
            isWriting={writer.isWriting}
            onGenerate={writer.write}
            onStop={() => void writer.discard()}
          />
          {draft && (
            <DraftView
              draft={draft}
              current={current}
              isWriting={writer.isWriting}
              onApply={() => apply(draft.text)}
              onDiscard={() => void writer.discard()}
            />
          )}
        </DialogContent>
      </Dialog>
    </>
  )
}
