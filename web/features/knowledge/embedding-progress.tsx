// Progress of the embeddings of a space, while they are computed or after an operator cancelled it.
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { EmbeddingProgress } from '#shared/knowledge/knowledge-search.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

/** Live. Renders nothing when all is done, or without an embedding model. */
export function SpaceEmbedding({ space: { _id: knowledgeSpaceId } }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const progress: EmbeddingProgress | undefined = useQuery(api.knowledge.embeddings.progress, { knowledgeSpaceId })
  const cancel = useMutation(api.knowledge.embeddings.cancel)
  const resume = useMutation(api.knowledge.embeddings.resume)
  if (!progress || progress.following === null || progress.total === 0) return null
  const { serving, following, isCancelled, embedded, total } = progress
  const counts = { model: following, done: formatNumber(embedded), total: formatNumber(total) }
  const meanwhile = serving ? t(($) => $.embedding.servedBy, { model: serving }) : t(($) => $.embedding.servedByWords)
  return (
    <section
      aria-label={t(($) => $.embedding.title)}
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-border bg-surface px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">
          {isCancelled ? t(($) => $.embedding.cancelled, counts) : t(($) => $.embedding.making, counts)}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">{meanwhile}</p>
        {!isCancelled && <Progress className="mt-2" value={embedded / total} label={t(($) => $.embedding.title)} />}
      </div>
      {isCancelled ? (
        <Button size="sm" onClick={() => void resume({ knowledgeSpaceId })}>
          {t(($) => $.embedding.resume)}
        </Button>
      ) : (
        <Button size="sm" onClick={() => void cancel({ knowledgeSpaceId })}>
          {t(($) => $.embedding.cancel)}
        </Button>
      )}
    </section>
  )
}
