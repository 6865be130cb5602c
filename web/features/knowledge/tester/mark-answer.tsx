// Marks a found passage as an answer to the question, in the test set of the space.
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { KnowledgeSpace, SearchResult } from '#shared/knowledge/knowledge.ts'
import { isExpected, type KnowledgeCase } from '#shared/knowledge/knowledge-cases.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

type MarkAnswerProps = { space: KnowledgeSpace; question: string; result: SearchResult }

/** Pressed: the passage is in the test set as an answer to the question. */
export function MarkAnswer({ space, question, result }: MarkAnswerProps) {
  const { t } = useTranslation('rag-tester')
  const cases: KnowledgeCase[] | undefined = useQuery(api.knowledge.cases.list, { knowledgeSpaceId: space._id })
  const mark = useMutation(api.knowledge.cases.mark)
  const [isBusy, setBusy] = useState(false)
  const expected = cases?.find((each) => each.question === question)?.expected ?? []
  const isMarked = expected.some((passage) => isExpected(result, passage))
  async function toggle() {
    setBusy(true)
    const marked = { knowledgeSpaceId: space._id, question, chunkId: result.id, isExpected: !isMarked }
    await mark(marked).catch(() => null) // reported in a toast
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      variant={isMarked ? 'primary' : 'secondary'}
      aria-pressed={isMarked}
      aria-label={t(($) => $.set.markNamed, { name: result.metadata.source })}
      title={t(($) => $.set.markHint)}
      isBusy={isBusy}
      disabled={!cases}
      onClick={() => void toggle()}
    >
      {isMarked && <Check aria-hidden="true" />}
      {t(($) => $.set.mark)}
    </Button>
  )
}
