// The place where the agent's answer is about to appear.
import type { Agent } from '#shared/agents/agents.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { TypingDots } from './typing-dots.tsx'

/** Looks like the beginning of a message of the agent; `isOwn` puts it on the operator's side. */
export function TypingRow({ agent, isOwn = false }: { agent: Pick<Agent, 'name' | 'avatar'>; isOwn?: boolean }) {
  const { t } = useTranslation('conversations')
  return (
    <div className={cn('flex items-start gap-3', isOwn && 'flex-row-reverse')}>
      <Avatar avatar={agent.avatar} name={agent.name} className="size-8" />
      <div className="rounded-2xl border border-border bg-surface px-3.5 py-2.5">
        <TypingDots label={t(($) => $.page.typing, { name: agent.name })} />
      </div>
    </div>
  )
}
