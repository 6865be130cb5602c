// One question to a space, or to one of its agents: the form with samples, the search stages, the results, and the answers of tables.
import { MessageCircleQuestion } from 'lucide-react'
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace, SearchResponse, SearchResult, SpaceLink } from '#shared/knowledge/knowledge.ts'
import { SEARCH_STAGES, type SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { api } from '#web/api.ts'
import { PassageViewer } from '#web/components/passages/passage-viewer.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AskerSelect } from './asker-select.tsx'
import { FindAnswer } from './find-answer.tsx'
import { MarkAnswer } from './mark-answer.tsx'
import { QuestionForm } from './question-form.tsx'
import { SearchResults } from './search-results.tsx'
import { StageSwitches } from './stage-switches.tsx'
import { TryTables } from './tables/try-tables.tsx'
import { useExplanation } from './use-explanation.ts'

/** Question, agent and stages are kept in the URL. Asking the same question again searches again. */
export function TryQuestion({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('rag-tester')
  const [{ q: question, agent: agentId, off }, setState] = useQueryStates({
    q: parseAsString.withDefault(''),
    agent: parseAsString,
    off: parseAsArrayOf(parseAsStringLiteral(SEARCH_STAGES)).withDefault([]),
  })
  const [opened, setOpened] = useState<SearchResult | null>(null)
  const all: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const agents = (all ?? []).filter(({ knowledgeSpaceIds }) => knowledgeSpaceIds.includes(space._id))
  const agent = agents.find(({ _id }) => _id === agentId)
  const links: SpaceLink[] | undefined = useQuery(api.knowledge.spaces.listLinks, { knowledgeSpaceId: space._id })
  const link = links?.find((each) => each.agentId === agent?._id)
  const answer = useExplanation(space, { question, agent, off }, agentId === null || all !== undefined)
  function ask(next: string) {
    if (next === question) answer.reload()
    else void setState({ q: next }, { history: 'push' })
  }
  return (
    <div className="flex flex-col gap-5">
      {/* Both are recreated on change; the prefixes keep the keys of siblings distinct while question and agent are empty. */}
      <QuestionForm key={`question ${question}`} space={space} question={question} onAsk={ask} />
      {agents.length > 0 && (
        <AskerSelect agents={agents} agent={agent} link={link} onChange={(next) => void setState({ agent: next })} />
      )}
      <StageSwitches
        stages={agent ? SEARCH_STAGES : SEARCH_STAGES.filter((stage) => stage !== 'rewrite')}
        off={off}
        missing={missingFrom(answer.value, off)}
        onChange={(next) => void setState({ off: next.length > 0 ? next : null })}
      />
      {!question && (
        <EmptyState
          icon={MessageCircleQuestion}
          title={t(($) => $.try.idleTitle)}
          description={t(($) => $.try.idleBody)}
        />
      )}
      {answer.isLoading && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {answer.error && (
        <Alert tone="destructive" title={t(($) => $.try.failed)}>
          <Button size="sm" onClick={answer.reload}>
            {t(($) => $.try.again)}
          </Button>
        </Alert>
      )}
      {answer.value && (
        <SearchResults
          answer={answer.value}
          onOpen={setOpened}
          // A passage found by an agent may belong to another space, and to that space's test set.
          mark={(result) => !agent && <MarkAnswer space={space} question={question} result={result} />}
        />
      )}
      {answer.value && !agent && <FindAnswer space={space} question={question} />}
      <TryTables key={`tables ${agent?._id}`} space={space} agent={agent} question={question} />
      <PassageViewer source={opened && sourceOf(opened, question)} onClose={() => setOpened(null)} />
    </div>
  )
}

/** The timing that shows that a stage called a model, whether or not it answered. */
const ASKED = { rewrite: 'rewrite', meaning: 'embed', rerank: 'rerank' } as const

/** Enabled stages for which no model was called; empty before the first response. */
function missingFrom(answer: SearchResponse | undefined, off: SearchStage[]): (keyof typeof ASKED)[] {
  if (!answer) return []
  return (['rewrite', 'meaning', 'rerank'] as const).filter(
    (stage) => !off.includes(stage) && answer.stages.every((timed) => timed.stage !== ASKED[stage]),
  )
}

function sourceOf({ documentId, id, content, metadata }: SearchResult, about: string) {
  return { documentId, name: metadata.source, chunkId: id, excerpt: content, about, place: metadata }
}
