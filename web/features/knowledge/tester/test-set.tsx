// The test set of a space: questions with known answers, and how often search finds them.
import { ListChecks, Trash2 } from 'lucide-react'
import { parseAsArrayOf, parseAsStringLiteral, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { CaseScores, KnowledgeCase } from '#shared/knowledge/knowledge-cases.ts'
import { SEARCH_STAGES } from '#shared/knowledge/knowledge-search.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatPercent, formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation, useQuery } from '#web/lib/server/convex.ts'
import { StageSwitches } from './stage-switches.tsx'

/** Neighbours are not found by search, and rewriting needs the model of an agent. */
const SCORED = SEARCH_STAGES.filter((stage) => stage !== 'rewrite' && stage !== 'neighbours')

/** Live. Scored on request, with the enabled stages. */
export function TestSet({ space, onTry }: { space: KnowledgeSpace; onTry: (question: string) => void }) {
  const { t } = useTranslation('rag-tester')
  const cases: KnowledgeCase[] | undefined = useQuery(api.knowledge.cases.list, { knowledgeSpaceId: space._id })
  const [off, setOff] = useQueryState('off', parseAsArrayOf(parseAsStringLiteral(SEARCH_STAGES)).withDefault([]))
  const score = useAction(api.knowledge.cases.score)
  const [scores, setScores] = useState<CaseScores | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    setScores(await score({ knowledgeSpaceId: space._id, without: off }).catch(() => null)) // reported in a toast
    setBusy(false)
  }
  if (!cases) {
    return (
      <Delayed>
        <Skeleton className="h-48 rounded-xl" />
      </Delayed>
    )
  }
  if (cases.length === 0) {
    return <EmptyState icon={ListChecks} title={t(($) => $.set.emptyTitle)} description={t(($) => $.set.emptyBody)} />
  }
  return (
    <section aria-label={t(($) => $.set.title)} className="flex flex-col gap-4">
      <p className="text-muted-foreground">{t(($) => $.set.hint)}</p>
      <StageSwitches
        stages={SCORED}
        off={off}
        missing={[]}
        onChange={(next) => void setOff(next.length > 0 ? next : null)}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
          {t(($) => $.set.run)}
        </Button>
        <div role="status">{scores && <Scores scores={scores} />}</div>
      </div>
      <Card>
        <ul className="divide-y divide-border">
          {cases.map((each) => (
            <CaseRow key={each._id} entry={each} scores={scores} onTry={() => onTry(each.question)} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function Scores({ scores }: { scores: CaseScores }) {
  const { t } = useTranslation('rag-tester')
  const { recallAt1, recallAt5, recallAt10, mrr } = scores
  const facts = [
    [t(($) => $.set.recallAt, { count: 1 }), formatPercent(recallAt1)],
    [t(($) => $.set.recallAt, { count: 5 }), formatPercent(recallAt5)],
    [t(($) => $.set.recallAt, { count: 10 }), formatPercent(recallAt10)],
    [t(($) => $.set.mrr), formatScore(mrr)],
  ]
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 tabular-nums">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type CaseRowProps = { entry: KnowledgeCase; scores: CaseScores | null; onTry: () => void }

function CaseRow({ entry: { _id, question, expected }, scores, onTry }: CaseRowProps) {
  const { t } = useTranslation('rag-tester')
  const remove = useMutation(api.knowledge.cases.remove)
  const scored = scores?.cases.find(({ caseId }) => caseId === _id)
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <button
          type="button"
          onClick={onTry}
          title={t(($) => $.log.tryIt)}
          className="max-w-full break-words text-start font-medium underline-offset-4 hover:underline"
        >
          {question}
        </button>
        <p className="truncate text-[0.8125rem] text-muted-foreground">
          {[...new Set(expected.map(({ source }) => source))].join(', ')}
        </p>
      </div>
      {scored && <Rank rank={scored.rank} />}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t(($) => $.set.remove, { question })}
        onClick={() => void remove({ caseId: _id }).catch(() => null)} // reported in a toast
      >
        <Trash2 />
      </Button>
    </li>
  )
}

function Rank({ rank }: { rank: number | null }) {
  const { t } = useTranslation('rag-tester')
  if (rank === null) return <Badge tone="destructive">{t(($) => $.set.missed)}</Badge>
  return <Badge tone={rank === 1 ? 'success' : 'warning'}>{t(($) => $.set.rank, { rank })}</Badge>
}
