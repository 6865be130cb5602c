// Whether a model writes questions for the passages of a space, and its progress.
import { useId } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { QuestionProgress } from '#shared/knowledge/knowledge-search.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/components/ui/card.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

/** Takes effect at once. Live while questions are written. */
export function GeneratedQuestions({ space: { _id: knowledgeSpaceId } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const id = useId()
  const progress: QuestionProgress | undefined = useQuery(api.knowledge.questions.progress, { knowledgeSpaceId })
  const set = useMutation(api.knowledge.questions.set)
  if (!progress) return null
  const { isOn, hasAuthor, done, total } = progress
  const counts = { done: formatNumber(done), total: formatNumber(total) }
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="font-medium">
            {t(($) => $.questions.title)}
          </label>
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.questions.hint)}
          </p>
        </div>
        <Switch
          id={id}
          checked={isOn}
          aria-describedby={`${id}-hint`}
          onCheckedChange={(next) => {
            void set({ knowledgeSpaceId, isOn: next }).catch(() => undefined) // reported in a toast
          }}
        />
      </div>
      {isOn && !hasAuthor && (
        <p role="status" className="text-[0.8125rem] text-warning-soft-foreground">
          {t(($) => $.questions.noAuthor)}
        </p>
      )}
      {isOn && hasAuthor && total > 0 && (
        <div role="status" className="flex flex-col gap-1.5">
          <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
            {t(($) => $.questions.progress, counts)}
          </p>
          {done < total && <Progress value={done / total} label={t(($) => $.questions.title)} />}
        </div>
      )}
    </Card>
  )
}
