// The log of a conversation: days, runs of messages, the way back to the newest one, and polite announcements.
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Message } from '#shared/messaging/conversations.ts'
import type { Note } from '#shared/messaging/operator-tools.ts'
import { Button } from '#web/components/ui/button.tsx'
import { PartBoundary, Undrawn } from '#web/components/ui/part-boundary.tsx'
import { formatDay, timeZoneShown } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { PictureViewer } from './attachments/picture-viewer.tsx'
import { MessageRun, type MessageRunProps, messageAnchor } from './message-run.tsx'
import { TeamNote } from './team-note.tsx'
import { type MessageRun as Run, timeline } from './timeline.ts'
import { useAnnouncement } from './use-announcement.ts'
import { useChatScroll } from './use-chat-scroll.ts'
import { useUnseenCount } from './use-unseen-count.ts'

type ChatLogProps = Omit<MessageRunProps, 'run'> & {
  /** Oldest first. */
  messages: Message[]
  /** Notes of the team, oldest first; absent where there are no notes. */
  notes?: Note[]
  /** Returns the action that removes a note, or undefined when the reader may not remove it. */
  onRemoveNote?: (note: Note) => (() => void) | undefined
  /** Names the log. */
  label: string
  /** Above the oldest message: a loader, or the mark of the beginning. */
  start?: ReactNode
  /** Below the newest message, for example who is typing. */
  end?: ReactNode
  onNearTop?: () => void
  /** Present while newer messages are not loaded. */
  below?: { onNear: () => void; onJump: () => void } | undefined
}

/** Follows the newest message only while the reader is at the bottom. */
export function ChatLog({ messages, notes, label, start, end, onNearTop, onRemoveNote, below, ...run }: ChatLogProps) {
  const { t } = useTranslation('conversations')
  const days = useMemo(() => timeline(messages, timeZoneShown(), notes), [messages, notes])
  const scroll = useChatScroll(messages[0]?._id, {
    onNearTop,
    onNearBottom: below?.onNear,
    opensAt: run.target ? messageAnchor(run.target) : null,
  })
  const unseen = useUnseenCount(messages, scroll.isAtBottom || below !== undefined)
  const announcement = useAnnouncement(messages, run.agent.name)
  return (
    <PictureViewer messages={messages}>
      <div className="relative min-h-0 flex-1">
        <section
          ref={scroll.viewportRef}
          onScroll={scroll.onScroll}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
        >
          <div ref={scroll.contentRef} className="mx-auto flex max-w-4xl flex-col gap-5 px-4 py-5 sm:px-6">
            {start}
            {days.map((day) => (
              <div key={day.key} className="flex flex-col gap-5">
                <DaySeparator at={day.at} />
                <ol className="flex flex-col gap-5">
                  {day.runs.map((each) => (
                    <PartBoundary key={each.key} fallback={<UndrawnRun run={each} />} resetKeys={[each]}>
                      {each.note ? (
                        <TeamNote note={each.note} onRemove={onRemoveNote?.(each.note)} />
                      ) : (
                        <MessageRun run={each} {...run} />
                      )}
                    </PartBoundary>
                  ))}
                </ol>
              </div>
            ))}
            {end}
          </div>
        </section>
        {!scroll.isAtBottom && (
          <Button
            size="sm"
            onClick={below?.onJump ?? scroll.jumpToLatest}
            className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
          >
            <ArrowDown aria-hidden="true" />
            {unseen > 0 ? t(($) => $.page.newMessages, { count: unseen }) : t(($) => $.page.jump)}
          </Button>
        )}
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
    </PictureViewer>
  )
}

/** The plain text of messages or a note that failed to render. */
function UndrawnRun({ run: { note, messages } }: { run: Run }) {
  return (
    <li>
      <Undrawn text={note?.text ?? messages.map(({ text }) => text).join('\n\n')} />
    </li>
  )
}

function DaySeparator({ at }: { at: number }) {
  useTranslation() // renders again when the language changes
  return (
    <div className="flex items-center gap-3 text-muted-foreground text-xs">
      <span className="h-px flex-1 bg-border" />
      <time dateTime={new Date(at).toISOString()}>{formatDay(at, Date.now())}</time>
      <span className="h-px flex-1 bg-border" />
    </div>
  )
}
