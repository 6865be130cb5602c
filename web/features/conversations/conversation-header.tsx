// The bar over a conversation: the contact, the state, and the actions.
import { ArrowLeft, CircleCheckBig, Download, EllipsisVertical, ExternalLink, IdCard, Pause } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { channelName } from '#shared/channels/manifests.ts'
import type { Conversation, OpenConversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { shortcutKeys } from '#web/lib/browser/shortcuts.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { May, useMay } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'
import { ExportDialog } from './exports/export-dialog.tsx'
import { ConversationSteps } from './panel/conversation-steps.tsx'
import { DetailsSheet } from './panel/details-sheet.tsx'
import { showChange, withStatus } from './reply/optimistic-updates.ts'
import { PauseDialog } from './thread/pause-dialog.tsx'
import { ThreadDialog, ThreadItems, type ThreadStep } from './thread/thread-items.tsx'

type ConversationHeaderProps = {
  conversation: OpenConversation
  /** Undefined when it was deleted. */
  agent: AgentSummary | undefined
  customerName: string
  isSplitView: boolean
  onClose: () => void
}

/** Where a channel shows the person behind a user name. Other channels have user names, and no such page. */
const PROFILES: Partial<Record<Channel, string>> = {
  telegram: 'https://t.me/',
  instagram: 'https://www.instagram.com/',
}
const TONES = { active: 'success', paused: 'warning', ended: 'neutral' } as const

/** Pausing is a button, and so are the contact's details when there is room; other actions are in a menu. */
export function ConversationHeader({
  conversation,
  agent,
  customerName,
  isSplitView,
  onClose,
}: ConversationHeaderProps) {
  const { t } = useTranslation('conversations')
  const { status, customer } = conversation
  const [isShowingDetails, setShowingDetails] = useState(false)
  return (
    <div className="flex items-center gap-3 border-border border-b bg-surface px-4 py-2.5 max-sm:gap-1 max-sm:px-2 sm:px-6">
      <Button variant="ghost" size="icon" className="lg:hidden" aria-label={t(($) => $.page.back)} onClick={onClose}>
        <ArrowLeft />
      </Button>
      <Avatar avatar={null} name={customerName} className="bg-accent text-foreground max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <h2 className="truncate font-semibold">{customerName}</h2>
          <Badge tone={TONES[status]} hasDot className="max-sm:hidden">
            {t(($) => $.status[status])}
          </Badge>
        </div>
        <p className="truncate text-muted-foreground text-xs">
          <span className="sm:hidden">{t(($) => $.status[status])} · </span>
          {channelName(conversation.channel, currentLanguage())}
          {customer?.username && ` · @${customer.username}`}
          {' · '}
          {agent ? (
            <Link to={paths.agentSettings(agent.slug)} className="underline-offset-2 hover:underline">
              {agent.name}
            </Link>
          ) : (
            conversation.agentName
          )}
        </p>
      </div>
      <ConversationSteps conversation={conversation} isSplitView={isSplitView} />
      <May need="inbox.write">
        <PauseButton conversation={conversation} agent={agent} />
      </May>
      <Button
        variant="ghost"
        size="icon"
        className="max-sm:hidden"
        aria-label={t(($) => $.details.title)}
        title={t(($) => $.details.title)}
        onClick={() => setShowingDetails(true)}
      >
        <IdCard />
      </Button>
      <MoreActions conversation={conversation} onShowDetails={() => setShowingDetails(true)} />
      <DetailsSheet conversation={conversation} isOpen={isShowingDetails} onClose={() => setShowingDetails(false)} />
    </div>
  )
}

/**
 * Resuming is in the banner, which is shown throughout a pause. Among merged conversations, one with an active agent is enough to offer
 * pausing.
 */
function PauseButton({ conversation, agent }: Pick<ConversationHeaderProps, 'conversation' | 'agent'>) {
  const { t } = useTranslation('conversations')
  const [isPausing, setPausing] = useState(false)
  const speaking = conversation.thread?.parts ?? [conversation]
  if (conversation.status === 'ended' || conversation.folder === 'deleted') return null
  if (speaking.every(({ status }) => status !== 'active')) return null
  return (
    <>
      <Button onClick={() => setPausing(true)} aria-label={t(($) => $.pause.action)}>
        <Pause aria-hidden="true" />
        <span className="max-sm:hidden">{t(($) => $.pause.action)}</span>
      </Button>
      {isPausing && <PauseDialog conversation={conversation} agent={agent} onClose={() => setPausing(false)} />}
    </>
  )
}

type MoreActionsProps = { conversation: Conversation; onShowDetails: () => void }

/** Includes what does not fit into the bar on a phone. */
function MoreActions({ conversation, onShowDetails }: MoreActionsProps) {
  const { t } = useTranslation('conversations')
  const { t: exportTexts } = useTranslation('exports')
  const [isEnding, setEnding] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [threadStep, setThreadStep] = useState<ThreadStep | null>(null)
  const username = conversation.customer?.username
  const profiles = PROFILES[conversation.channel]
  const mayWrite = useMay('inbox.write')
  const mayMerge = useMay('contacts.write')
  const mayExport = useMay('data.write')
  const canEnd = mayWrite && conversation.status !== 'ended' && conversation.folder !== 'deleted'
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t(($) => $.page.actions)}>
            <EllipsisVertical />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem className="sm:hidden" onSelect={onShowDetails}>
            <IdCard aria-hidden="true" />
            {t(($) => $.details.title)}
          </DropdownMenuItem>
          {username && profiles && (
            <DropdownMenuItem asChild>
              <a href={profiles + encodeURIComponent(username)} target="_blank" rel="noopener noreferrer">
                <ExternalLink aria-hidden="true" />
                {t(($) => $.page.profile, { channel: channelName(conversation.channel, currentLanguage()) })}
              </a>
            </DropdownMenuItem>
          )}
          {mayExport && (
            <DropdownMenuItem onSelect={() => setExporting(true)}>
              <Download aria-hidden="true" />
              {exportTexts(($) => $.action)}
            </DropdownMenuItem>
          )}
          {mayMerge && <ThreadItems conversation={conversation} onChoose={setThreadStep} />}
          {canEnd && (
            <DropdownMenuItem onSelect={() => setEnding(true)}>
              <CircleCheckBig aria-hidden="true" />
              {t(($) => $.end.action)}
              <Kbd keys={shortcutKeys('end')} className="ms-auto" />
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {isExporting && (
        <ExportDialog exported={{ conversationId: conversation._id }} onClose={() => setExporting(false)} />
      )}
      {isEnding && <EndDialog conversation={conversation} onClose={() => setEnding(false)} />}
      <ThreadDialog conversation={conversation} step={threadStep} onClose={() => setThreadStep(null)} />
    </>
  )
}

function EndDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const end = useMutation(api.conversations.end, {
    optimisticUpdate: (store, args) =>
      showChange(store, { conversationIds: [args.conversationId] }, withStatus('ended')),
  })
  return (
    <ConfirmDialog
      title={t(($) => $.end.title)}
      description={t(($) => $.end.description)}
      cancelLabel={t(($) => $.end.cancel)}
      confirmLabel={t(($) => $.end.confirm)}
      onConfirm={async () => {
        await end({ conversationId: conversation._id })
        toast.success(t(($) => $.end.done))
      }}
      onClose={onClose}
    />
  )
}
