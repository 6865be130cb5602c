// The sheet next to a conversation: who the customer is, and what it has come to.
import { useState } from 'react'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { Sheet, SheetContent } from '#web/components/ui/sheet.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ContactSection } from '../contact/contact-section.tsx'
import { MetricsSection } from './metrics-section.tsx'

type DetailsSheetProps = { conversation: OpenConversation; isOpen: boolean; onClose: () => void }

/** Live as long as it is open. */
export function DetailsSheet({ conversation, isOpen, onClose }: DetailsSheetProps) {
  const { t } = useTranslation('conversations')
  const [isDirty, setDirty] = useState(false)
  return (
    <Sheet open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <SheetContent title={t(($) => $.details.title)} onInteractOutside={(event) => isDirty && event.preventDefault()}>
        {conversation.customer && (
          <ContactSection
            customerId={conversation.customer._id}
            conversationId={conversation._id}
            onDirtyChange={setDirty}
          />
        )}
        <MetricsSection conversation={conversation} />
      </SheetContent>
    </Sheet>
  )
}
