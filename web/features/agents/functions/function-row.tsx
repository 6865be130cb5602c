// One function of an agent: its switch, what its calls came to, and the last of them.
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import type { AgentFunctionState, FunctionCall } from '#shared/tools/functions.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { formatCost, formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { patchOf } from './functions.rules.ts'

type FunctionRowProps = {
  agent: Agent
  state: AgentFunctionState
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The switch saves at once: live where the newest version is live, else in the draft. */
export function FunctionRow({ agent, state, isOpen, onOpen }: FunctionRowProps) {
  const { t } = useTranslation('tools')
  const id = useId()
  const update = useMutation(api.agents.update)
  const [isBusy, setBusy] = useState(false)
  const turn = async (isOn: boolean) => {
    setBusy(true)
    const isDraft = agent.version > agent.liveVersion
    const saving = { id: agent._id, patch: patchOf(agent, state, isOn), baseVersion: agent.version, isDraft }
    await update(saving).catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  const isBuiltIn = state.kind === 'built-in'
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span id={id} className="break-all font-medium">
              {isBuiltIn ? t(($) => $.builtIn[state.name].name) : state.name}
            </span>
            {!isBuiltIn && state.failing && (
              <Badge tone="destructive">{t(($) => $.list.failing, { count: state.failing.times })}</Badge>
            )}
            {state.kind === 'mcp' && !state.isOffered && <Badge tone="warning">{t(($) => $.mcp.unoffered)}</Badge>}
            {isBuiltIn && state.isOn && state.isMissing && <Badge>{t(($) => $.functions.missing)}</Badge>}
          </p>
          {state.kind === 'mcp' && (
            <p className="break-words text-[0.8125rem] text-muted-foreground">
              {t(($) => $.mcp.ofServer, { server: state.server })}
            </p>
          )}
          <p className="line-clamp-3 break-words text-[0.8125rem] text-muted-foreground">
            {isBuiltIn ? t(($) => $.builtIn[state.name].hint) : state.description}
          </p>
          {isBuiltIn && state.name === 'calendar' && state.isMissing && (
            <Link to={paths.calendarSetup(agent.slug)} className="text-[0.8125rem] text-primary hover:underline">
              {t(($) => $.functions.toCalendar)}
            </Link>
          )}
        </div>
        <Switch
          aria-labelledby={id}
          checked={state.isOn}
          disabled={isBusy}
          onCheckedChange={(isOn) => void turn(isOn)}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[0.8125rem] text-muted-foreground tabular-nums">
        <span>{t(($) => $.functions.calls, { count: state.calls })}</span>
        <span className={state.failures > 0 ? 'text-destructive-soft-foreground' : undefined}>
          {t(($) => $.functions.failures, { count: state.failures })}
        </span>
        {state.costMicroUsd !== null && <span>{formatCost(state.costMicroUsd / 1_000_000)}</span>}
        {state.lastAt !== null && (
          <>
            <span>
              {t(($) => $.functions.last)} <RelativeTime at={state.lastAt} />
            </span>
            <Button variant="link" size="sm" isForReading aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
              {isOpen ? t(($) => $.functions.hide) : t(($) => $.functions.show)}
            </Button>
          </>
        )}
      </div>
      {isOpen && <LastCalls agent={agent} name={state.name} />}
    </li>
  )
}

function LastCalls({ agent, name }: { agent: Agent; name: string }) {
  const { t } = useTranslation('tools')
  const { t: why } = useTranslation('why')
  const calls: FunctionCall[] | undefined = useQuery(api.agentFunctions.calls, { agentId: agent._id, name })
  if (!calls) return <Skeleton className="h-20" />
  if (calls.length === 0)
    return <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.functions.noCalls)}</p>
  return (
    <ul className="flex flex-col gap-1 rounded-lg bg-muted px-3 py-2 text-[0.8125rem]">
      {calls.map((call) => (
        <li key={`${call.turnId}-${call.position}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <RelativeTime at={call.at} />
          <span className="text-muted-foreground">{formatDuration(call.durationMs)}</span>
          {call.hasFailed && (
            <span className="text-destructive-soft-foreground">
              {call.refusal ? why(($) => $.tools.refusal[call.refusal ?? 'bad_arguments']) : why(($) => $.tools.failed)}
            </span>
          )}
          <Link to={paths.conversation(call.conversationId)} className="text-primary hover:underline">
            {t(($) => $.functions.conversation)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
