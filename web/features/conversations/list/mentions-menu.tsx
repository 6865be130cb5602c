// Notes in which colleagues mention the reader, until the reader opens the conversation.
import { AtSign } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { Id } from '#shared/ids.ts'
import type { Mention } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

/** Renders nothing without mentions. */
export function MentionsMenu() {
  const { t } = useTranslation('conversations')
  const mentions: Mention[] = useQuery(api.conversations.notes.mentions, {}) ?? []
  if (mentions.length === 0) return null
  return (
    <div className="border-border border-b px-3 py-2">
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="sm" className="bg-warning-soft text-warning-soft-foreground">
            <AtSign aria-hidden="true" />
            {t(($) => $.note.mentioned, { count: mentions.length })}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="max-w-80">
          {mentions.map((mention) => (
            <DropdownMenuItem key={mention.noteId} asChild>
              <Link to={`${paths.conversation(mention.conversationId)}#note-${mention.noteId}`}>
                {mention.author && <PersonAvatar person={mention.author} isInside />}
                <span className="flex min-w-0 flex-col">
                  <span className="truncate font-medium">{mention.customerName || t(($) => $.list.unnamed)}</span>
                  <span className="truncate text-muted-foreground text-xs">
                    {mention.author?.name ?? t(($) => $.note.formerAuthor)}: {mention.text}
                  </span>
                </span>
              </Link>
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
    </div>
  )
}

/** Marks the mentions of a conversation as seen while it is open in a visible tab. */
export function useMentionsSeen(conversationId: Id<'conversations'>): void {
  const mentions: Mention[] | undefined = useQuery(api.conversations.notes.mentions, {})
  const markSeen = useMutation(api.conversations.notes.markSeen, { hasToast: false })
  const isCalled = mentions?.some((mention) => mention.conversationId === conversationId) ?? false
  useEffect(() => {
    if (!isCalled) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      markSeen({ conversationId }).catch(() => undefined) // the mention stays unseen; the next visit retries
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [conversationId, isCalled, markSeen])
}
