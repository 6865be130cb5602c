// Whether notes are proposed from operators' answers in conversations.
import { useId } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Learning } from '#shared/knowledge/proposals.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/components/ui/card.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

/** Takes effect at once. */
export function LearningSwitch({ space: { _id: knowledgeSpaceId } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('proposals')
  const id = useId()
  const learning: Learning | undefined = useQuery(api.knowledge.proposals.learning, { knowledgeSpaceId })
  const set = useMutation(api.knowledge.proposals.setLearning)
  if (!learning) return null
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="font-medium">
            {t(($) => $.learning.title)}
          </label>
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.learning.hint)}
          </p>
        </div>
        <Switch
          id={id}
          checked={learning.isOn}
          aria-describedby={`${id}-hint`}
          onCheckedChange={(isOn) => {
            void set({ knowledgeSpaceId, isOn }).catch(() => undefined) // reported in a toast
          }}
        />
      </div>
      {learning.isOn && !learning.hasAuthor && (
        <p role="status" className="text-[0.8125rem] text-warning-soft-foreground">
          {t(($) => $.learning.noAuthor)}
        </p>
      )}
    </Card>
  )
}
