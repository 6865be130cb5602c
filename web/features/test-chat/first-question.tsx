// An empty test chat: whom one talks to, questions to begin with, and what the agent lacks.
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'
import { sampleQuestions } from './sample-questions.rules.ts'

const COMMON = ['offer', 'price', 'hours', 'contact'] as const
/** Notes that are looked through for questions. */
const NOTES = 20

/** A sample question is sent at once. */
export function FirstQuestion({ agent, onAsk }: { agent: Agent; onAsk: (text: string) => void }) {
  const { t } = useTranslation('test-chat')
  const samples = useSamples(agent)
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-5 overflow-y-auto px-4 py-10 text-center">
      <Avatar avatar={agent.avatar} name={agent.name} className="size-16 text-lg" />
      <div>
        <h2 className="font-semibold text-lg">{t(($) => $.empty.title, { name: agent.name })}</h2>
        <p className="mt-1 text-muted-foreground">{t(($) => $.empty.body)}</p>
      </div>
      <ul aria-label={t(($) => $.empty.samplesLabel)} className="flex max-w-xl flex-wrap justify-center gap-2">
        {samples.map((question) => (
          <li key={question} className="max-w-full">
            <Button className="max-w-full rounded-full" onClick={() => onAsk(question)}>
              <span className="truncate">{question}</span>
            </Button>
          </li>
        ))}
      </ul>
      {agent.knowledgeSpaceIds.length === 0 && (
        <Alert tone="warning" className="max-w-xl text-start">
          {t(($) => $.empty.noKnowledge)}{' '}
          <Link
            to={`${paths.agentSettings(agent.slug)}#knowledge`}
            className="font-medium underline underline-offset-2"
          >
            {t(($) => $.empty.addKnowledge)}
          </Link>
        </Alert>
      )}
    </div>
  )
}

/** None while the notes of the agent's first space are loading. */
function useSamples({ knowledgeSpaceIds: [knowledgeSpaceId] }: Agent): string[] {
  const { t } = useTranslation('test-chat')
  const notes = usePaginatedQuery(api.knowledge.fragments.list, knowledgeSpaceId ? { knowledgeSpaceId } : 'skip', {
    initialNumItems: NOTES,
  })
  if (knowledgeSpaceId && notes.status === 'LoadingFirstPage') return []
  const names = notes.results.map(({ name }) => name)
  return sampleQuestions(
    names,
    COMMON.map((sample) => t(($) => $.empty.samples[sample])),
  )
}
