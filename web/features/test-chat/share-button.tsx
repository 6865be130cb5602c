// A link to the test chats for people without an account.
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import type { Chat } from './use-test-chat.ts'

type SharedLink = { url: string; expiresAt: number }

/** Creates the link on press, and shows it for copying. */
export function ShareButton({ agent, chats }: { agent: Agent; chats: readonly Chat[] }) {
  const { t } = useTranslation('test-chat')
  const share = useMutation(api.testChat.share)
  const [link, setLink] = useState<SharedLink | null>(null)
  const isEmpty = chats.every(({ messages }) => !messages?.length)

  async function open() {
    const { ticket, expiresAt } = await share({ agentId: agent._id })
    setLink({ url: `${window.location.origin}${paths.sharedChat}#${encodeURIComponent(ticket)}`, expiresAt })
  }
  return (
    <>
      <Tooltip content={t(($) => $.share.label)}>
        <Button
          variant="ghost"
          size="icon"
          disabled={isEmpty}
          aria-label={t(($) => $.share.label)}
          onClick={() => void open().catch(() => undefined)} // reported in a toast
        >
          <Share2 />
        </Button>
      </Tooltip>
      <Dialog open={link !== null} onOpenChange={(isOpen) => !isOpen && setLink(null)}>
        {link && (
          <DialogContent
            title={t(($) => $.share.title)}
            description={t(($) => $.share.description, { date: formatDateTime(link.expiresAt) })}
          >
            <LinkField url={link.url} />
          </DialogContent>
        )}
      </Dialog>
    </>
  )
}

function LinkField({ url }: { url: string }) {
  const { t } = useTranslation('test-chat')
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label={t(($) => $.share.link)}>
          <Input readOnly value={url} onFocus={(event) => event.target.select()} />
        </Field>
      </div>
      <CopyButton text={url} label={t(($) => $.share.copy)} className="mb-1" />
    </div>
  )
}
