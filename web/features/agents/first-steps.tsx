// The way from an empty organization to an answered customer. Ticks come from real data, never from clicks.
import { CircleCheck, CircleDashed, ListChecks, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { FIRST_STEPS, type FirstStep, stepsTaken } from './first-steps.rules.ts'

/** Where the choice to hide the steps is kept. */
const HIDDEN_KEY = 'parley-first-steps-hidden'

type FirstStepsProps = { agents: AgentSummary[]; spaces: KnowledgeSpace[]; connections: ChannelConnection[] }

/** Goes away by itself when everything is done; can be hidden before and brought back. */
export function FirstSteps(props: FirstStepsProps) {
  const { t } = useTranslation('agents')
  const [isHidden, setHidden] = useState(() => readHidden())
  const taken = stepsTaken(props)
  if (taken.size === FIRST_STEPS.length) return null
  const hide = (next: boolean) => {
    storeHidden(next)
    setHidden(next)
  }
  if (isHidden) {
    return (
      <Button variant="link" size="sm" className="self-start" onClick={() => hide(false)}>
        <ListChecks aria-hidden="true" />
        {t(($) => $.steps.show)}
      </Button>
    )
  }
  return (
    <Card className="p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{t(($) => $.steps.title)}</h2>
          <p className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.steps.progress, { done: taken.size, total: FIRST_STEPS.length })}
          </p>
        </div>
        <Button variant="ghost" size="icon-sm" aria-label={t(($) => $.steps.hide)} onClick={() => hide(true)}>
          <X />
        </Button>
      </div>
      <Progress value={taken.size / FIRST_STEPS.length} label={t(($) => $.steps.title)} className="my-3" />
      <ol className="grid gap-1 sm:grid-cols-2 xl:grid-cols-3">
        {FIRST_STEPS.map((step) => (
          <Step key={step} step={step} isDone={taken.has(step)} to={targetOf(step, props)} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ step, isDone, to }: { step: FirstStep; isDone: boolean; to: string }) {
  const { t } = useTranslation('agents')
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li>
      <Link to={to} className="flex min-h-11 items-start gap-2.5 rounded-lg p-2 hover:bg-muted">
        <Icon
          aria-hidden="true"
          className={cn('mt-0.5 size-4.5 shrink-0', isDone ? 'text-success-soft-foreground' : 'text-muted-foreground')}
        />
        <span className="min-w-0">
          <span className={cn('block font-medium', isDone && 'text-muted-foreground line-through')}>
            {t(($) => $.steps[step])}
            <span className="sr-only"> – {t(($) => $.steps[isDone ? 'done' : 'todo'])}</span>
          </span>
          {!isDone && (
            <span className="block text-[0.8125rem] text-muted-foreground">{t(($) => $.steps[`${step}Hint`])}</span>
          )}
        </span>
      </Link>
    </li>
  )
}

function targetOf(step: FirstStep, { agents, spaces }: FirstStepsProps): string {
  const [agent] = agents
  const [space] = spaces
  switch (step) {
    case 'createAgent':
      return paths.newAgent
    case 'addKnowledge':
      return space ? paths.space(space.slug) : paths.knowledge
    case 'linkKnowledge':
      return agent ? `${paths.agentSettings(agent.slug)}#knowledge` : paths.agents
    case 'connectChannel':
      return paths.channelSetup('telegram')
    case 'answerCustomer':
      return paths.chats
    default:
      return step satisfies never
  }
}

function readHidden(): boolean {
  try {
    return localStorage.getItem(HIDDEN_KEY) === 'yes'
  } catch {
    return false // storage may be forbidden; the choice then lasts until the page is closed
  }
}

function storeHidden(isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(HIDDEN_KEY, 'yes')
    else localStorage.removeItem(HIDDEN_KEY)
  } catch {
    // see readHidden()
  }
}
