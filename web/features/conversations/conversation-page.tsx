// /conversations/:conversationId: one conversation on a page of its own, for narrow screens and for links.
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Page } from '#web/components/ui/page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useInboxFilters, withQuery } from './filters/use-inbox-filters.ts'
import { keepOpened, listKey } from './list/scroll-restoration.ts'
import { ConversationPanel } from './panel/conversation-panel.tsx'

/** Live. */
export function ConversationPage() {
  const { t } = useTranslation('conversations')
  const { conversationId = '' } = useParams()
  const navigate = useNavigate()
  const [query] = useInboxFilters()
  const list = listKey(query)
  useEffect(() => keepOpened(list, conversationId), [list, conversationId])
  const conversation: Conversation | undefined = useQuery(api.conversations.get, {
    conversationId: conversationId as Id<'conversations'>,
  })
  const name = conversation && (conversation.customer?.name || t(($) => $.list.unnamed))
  return (
    <Page
      title={name ? t(($) => $.page.label, { name }) : t(($) => $.list.title)}
      documentTitle={name ? t(($) => $.page.documentTitle, { name }) : t(($) => $.list.title)}
      width="full"
      isTitleHidden
    >
      <ConversationPanel
        key={conversationId}
        conversationId={conversationId}
        isSplitView={false}
        onClose={() => void navigate(withQuery(paths.chats, query))}
      />
    </Page>
  )
}
