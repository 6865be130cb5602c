// What an agent computes from its tables: with arguments chosen here, or by its model.
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { AskableTables } from '#shared/knowledge/table-questions.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { AskByModel } from './ask-by-model.tsx'
import { TableForm } from './table-form.tsx'

type TryTablesProps = { space: KnowledgeSpace; agent: AgentSummary | undefined; question: string }

/** Use the asker as its key. */
export function TryTables({ space, agent, question }: TryTablesProps) {
  const { t } = useTranslation('rag-tester')
  const list = useAction(api.agents.tables.list, { hasToast: false })
  const asker = { knowledgeSpaceId: space._id, ...(agent && { agentId: agent._id }) }
  const { value, error, isLoading, reload } = useFetched<AskableTables>(
    ['askable-tables', space._id, agent?._id ?? '', `${space.tables}`],
    () => list(asker),
    { isFresh: true },
  )
  return (
    <Card className="flex flex-col gap-5 p-5">
      <div>
        <h2 className="font-semibold">{t(($) => $.tables.title)}</h2>
        <p className="max-w-prose text-[0.8125rem] text-muted-foreground">{t(($) => $.tables.hint)}</p>
      </div>
      {isLoading && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {error && !value && (
        <Alert tone="destructive" title={t(($) => $.tables.listFailed)}>
          <Button size="sm" onClick={reload}>
            {t(($) => $.try.again)}
          </Button>
        </Alert>
      )}
      {value?.tables.length === 0 && <NoTables space={space} agent={agent} />}
      {value && value.tables.length > 0 && (
        <>
          {agent && agent.model !== EXTRACTIVE_MODEL && <AskByModel key={question} agent={agent} question={question} />}
          <ByHand askable={value} asker={asker} />
        </>
      )}
    </Card>
  )
}

function NoTables({ space, agent }: Pick<TryTablesProps, 'space' | 'agent'>) {
  const { t } = useTranslation('rag-tester')
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted-foreground">
      <Table2 aria-hidden="true" className="size-4 shrink-0" />
      {agent ? t(($) => $.tables.noneOfAgent, { name: agent.name }) : t(($) => $.tables.none)}
      <Link
        to={`${paths.knowledgePart('tables')}?spaceSlug=${encodeURIComponent(space.slug)}`}
        className="text-primary underline underline-offset-4"
      >
        {t(($) => $.tables.toTables)}
      </Link>
    </p>
  )
}

type ByHandProps = { askable: AskableTables; asker: Parameters<typeof TableForm>[0]['asker'] }

/** Preselects the newest table. */
function ByHand({ askable: { tables, unlisted }, asker }: ByHandProps) {
  const { t } = useTranslation('rag-tester')
  const [chosen, setChosen] = useState(tables[0]?._id)
  const table = tables.find(({ _id }) => _id === chosen) ?? tables[0]
  if (!table) return null
  const size = `${t(($) => $.tables.rows, { count: table.rows })}, ${t(($) => $.tables.columns, { count: table.columns.length })}`
  return (
    <>
      <Field
        label={t(($) => $.tables.table)}
        hint={unlisted > 0 ? `${size}. ${t(($) => $.tables.unlisted, { count: unlisted })}` : size}
      >
        <Select
          className="max-w-sm"
          value={table._id}
          onValueChange={(next) => setChosen(tables.find(({ _id }) => _id === next)?._id)}
          options={tables.map(({ _id, name }) => ({ value: _id, label: name }))}
        />
      </Field>
      <TableForm key={table._id} table={table} asker={asker} />
    </>
  )
}
