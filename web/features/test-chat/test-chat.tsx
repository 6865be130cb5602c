// The chats of the page, one or two next to each other, and the one message box.
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs, TabsContent } from '#web/components/ui/tabs.tsx'
import { useIsWide } from '#web/lib/browser/use-is-wide.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { AllowanceNote } from './allowance-note.tsx'
import { ChatColumn } from './chat-column.tsx'
import { TestComposer } from './composer/test-composer.tsx'
import { countSet } from './controls.rules.ts'
import { DailyLimitNote } from './daily-limit-note.tsx'
import { FirstQuestion } from './first-question.tsx'
import { PauseBar } from './pause-bar.tsx'
import { SideTabs } from './side-tabs.tsx'
import type { TestControls } from './use-controls.ts'
import type { Chat } from './use-test-chat.ts'

type TestChatProps = { agent: Agent; chats: readonly Chat[]; controls: TestControls }

/** A message goes to every chat on the page. */
export function TestChat({ agent, chats, controls }: TestChatProps) {
  const isExtractive = chats.some(({ variant }) => modelOf(agent, controls, variant) === EXTRACTIVE_MODEL)
  return (
    <TestComposer
      agent={agent}
      chats={chats}
      note={
        <>
          <GoneSpacesNote chats={chats} controls={controls} />
          <AllowanceNote />
          <DailyLimitNote agent={agent} chats={chats} controls={controls} />
          {isExtractive && <ExtractiveNote agent={agent} />}
        </>
      }
    >
      <Chats
        agent={agent}
        chats={chats}
        controls={controls}
        onAsk={(text) => void Promise.all(chats.map((chat) => chat.send(text, []))).catch(toast.failure)}
      />
    </TestComposer>
  )
}

function Chats({ agent, chats, controls, onAsk }: TestChatProps & { onAsk: (text: string) => void }) {
  const isWide = useIsWide()
  if (chats.some(({ messages }) => messages === undefined)) return <Loading />
  if (chats.every(({ messages }) => messages?.length === 0)) return <FirstQuestion agent={agent} onAsk={onAsk} />
  const columns = chats.map((chat) => <Side key={chat.variant} agent={agent} chat={chat} controls={controls} />)
  if (isWide || !controls.isComparing) return <div className="flex min-h-0 flex-1">{columns}</div>
  return (
    <Tabs
      value={controls.side}
      onValueChange={(next) => controls.setSide(next === 'b' ? 'b' : 'a')}
      className="flex min-h-0 flex-1 flex-col"
    >
      <SideTabs controls={controls} />
      {chats.map(({ variant }, index) => (
        <TabsContent key={variant} value={variant} className="flex min-h-0 flex-1 pt-0 data-[state=inactive]:hidden">
          {columns[index]}
        </TabsContent>
      ))}
    </Tabs>
  )
}

function Side({ agent, chat, controls }: { agent: Agent; chat: Chat; controls: TestControls }) {
  const { t } = useTranslation('test-chat')
  const side = chat.variant.toUpperCase()
  const { controls: set } = controls.of(chat.variant)
  const label = t(($) => $.page.label, { name: agent.name })
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col border-border not-first:border-s">
      {controls.isComparing && (
        <h2 className="flex min-h-10 items-center gap-2 border-border border-b px-4 py-2 font-medium text-sm max-lg:hidden">
          {t(($) => $.compare.side, { side })}
          {countSet(set) > 0 && (
            <Badge tone="primary">{t(($) => $.panel.changedCount, { count: countSet(set) })}</Badge>
          )}
        </h2>
      )}
      <PauseBar chat={chat} />
      <ChatColumn
        agent={agent}
        chat={chat}
        label={controls.isComparing ? `${label}: ${side}` : label}
        customerName={set.name}
      />
    </div>
  )
}

function Loading() {
  return (
    <div className="min-h-0 flex-1">
      <Delayed>
        <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
          <Skeleton className="h-10 w-1/2 self-end" />
          <Skeleton className="h-24 w-2/3" />
        </div>
      </Delayed>
    </div>
  )
}

function modelOf(agent: Agent, controls: TestControls, variant: Chat['variant']): string {
  return controls.of(variant).controls.model ?? agent.model
}

function GoneSpacesNote({ chats, controls }: Pick<TestChatProps, 'chats' | 'controls'>) {
  const { t } = useTranslation('test-chat')
  const count = Math.max(...chats.map(({ variant }) => controls.of(variant).goneSpaces))
  if (count === 0) return null
  return (
    <span role="status" className="block rounded-lg bg-warning-soft px-3 py-2 text-warning-soft-foreground">
      {t(($) => $.knowledge.gone, { count })}
    </span>
  )
}

function ExtractiveNote({ agent }: { agent: Agent }) {
  const { t } = useTranslation('test-chat')
  return (
    <>
      {t(($) => $.page.extractiveNotice)}{' '}
      <Link to={`${paths.agentSettings(agent.slug)}#model`} className="text-primary underline underline-offset-2">
        {t(($) => $.page.changeModel)}
      </Link>
    </>
  )
}
