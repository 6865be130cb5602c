// /agents/:slug/test: conversations with one agent through the same pipeline as customers', without a channel.
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useIsWide } from '#web/lib/browser/use-is-wide.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAgent } from '#web/lib/server/use-entity.ts'
import { ControlPanel } from './panel/control-panel.tsx'
import { TestBar } from './test-bar.tsx'
import { TestChat } from './test-chat.tsx'
import { useControls } from './use-controls.ts'
import { useTestChat } from './use-test-chat.ts'

/** Fills the window: bar, chats, message box, and the control panel next to them. */
export function AgentTestPage() {
  const { t } = useTranslation('test-chat')
  const { slug } = useParams()
  const { entity: agent, name } = useAgent(slug)
  return (
    <Page
      title={name ? t(($) => $.page.label, { name }) : t(($) => $.picker.title)}
      documentTitle={name ? t(($) => $.page.documentTitle, { name }) : t(($) => $.picker.title)}
      width="full"
      isTitleHidden
    >
      {agent ? (
        <Workbench key={agent._id} agent={agent} />
      ) : (
        <Delayed>
          <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
            <Skeleton className="h-10 w-64" />
            <Skeleton className="h-24 w-2/3" />
          </div>
        </Delayed>
      )}
    </Page>
  )
}

/** The panel is open where it fits. On smaller screens it is a sheet, opened on demand. */
function Workbench({ agent }: { agent: Agent }) {
  const { t } = useTranslation('test-chat')
  const controls = useControls(agent)
  const a = useTestChat(agent, 'a', controls.of('a'))
  const b = useTestChat(agent, 'b', controls.of('b'), controls.isComparing)
  const chats = controls.isComparing ? [a, b] : [a]
  const isWide = useIsWide()
  const [isDocked, setDocked] = useState(true)
  const [isSheetOpen, setSheetOpen] = useState(false)
  if (isWide && isSheetOpen) setSheetOpen(false)
  const panel = <ControlPanel agent={agent} controls={controls} turns={{ a: a.lastTurn, b: b.lastTurn }} />
  return (
    <>
      <TestBar
        agent={agent}
        chats={chats}
        controls={controls}
        isPanelOpen={isWide ? isDocked : isSheetOpen}
        onPanelToggle={() => (isWide ? setDocked(!isDocked) : setSheetOpen(!isSheetOpen))}
      />
      <div className="flex min-h-0 flex-1">
        <TestChat agent={agent} chats={chats} controls={controls} />
        {isWide && isDocked && (
          <aside
            aria-label={t(($) => $.panel.title)}
            className="w-80 shrink-0 overflow-y-auto border-border border-s bg-surface xl:w-96"
          >
            {panel}
          </aside>
        )}
      </div>
      {!isWide && (
        <Sheet open={isSheetOpen} onOpenChange={setSheetOpen}>
          <SheetContent title={t(($) => $.panel.title)}>
            <div className="-mx-5 border-border border-t">{panel}</div>
          </SheetContent>
        </Sheet>
      )}
    </>
  )
}
