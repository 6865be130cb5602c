// Lets the model of an agent query its tables for the question, and shows each of its calls.
import { Bot } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { TriedTables } from '#shared/knowledge/table-questions.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { TableCallView } from './table-call.tsx'
import { useTried } from './use-tried.ts'

type AskByModelProps = { agent: AgentSummary; question: string }

/** Started by a button, since a model call costs money. Use the question as its key: the answer belongs to that question. */
export function AskByModel({ agent, question }: AskByModelProps) {
  const { t } = useTranslation('rag-tester')
  const askModel = useAction(api.agents.tables.askModel, { hasToast: false })
  const tried = useTried<TriedTables>(() => askModel({ agentId: agent._id, query: question }))
  return (
    <div className="flex flex-col items-start gap-3 border-border border-b pb-5">
      <Button className="max-w-full" disabled={!question} isBusy={tried.isBusy} onClick={() => void tried.run()}>
        <Bot aria-hidden="true" />
        <span className="truncate">{t(($) => $.tables.byModel, { name: agent.name })}</span>
      </Button>
      <p className="max-w-prose text-[0.8125rem] text-muted-foreground">
        {question ? t(($) => $.tables.byModelHint) : t(($) => $.tables.byModelNeedsQuestion)}
      </p>
      {tried.failure && (
        <Alert tone="destructive" title={t(($) => $.tables.failed)} className="w-full">
          {tried.failure}
        </Alert>
      )}
      {tried.value && <Calls tried={tried.value} />}
    </div>
  )
}

function Calls({ tried: { calls, text } }: { tried: TriedTables }) {
  const { t } = useTranslation('rag-tester')
  return (
    <div className="flex w-full flex-col gap-4">
      <p role="status">
        {calls.length > 0 ? t(($) => $.tables.calls, { count: calls.length }) : t(($) => $.tables.noCalls)}
      </p>
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls stay in the order in which they were made, and may repeat
        <TableCallView key={at} call={call} />
      ))}
      {text && (
        <div>
          <p className="font-medium">{t(($) => $.tables.said)}</p>
          <p className="whitespace-pre-wrap break-words">{text}</p>
        </div>
      )}
    </div>
  )
}
