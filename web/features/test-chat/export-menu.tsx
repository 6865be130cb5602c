// The chat as a file.
import { Download } from 'lucide-react'
import type { Agent } from '#shared/agents/agents.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'
import { EXPORT_FORMATS, type ExportFormat, type ExportWords, exportChat } from './export.rules.ts'
import type { Chat } from './use-test-chat.ts'

/** Every chat on the page goes into one file, as a whole. */
export function ExportMenu({ agent, chats }: { agent: Agent; chats: readonly Chat[] }) {
  const { t } = useTranslation('test-chat')
  const words = useExportWords(agent)
  const isEmpty = chats.every(({ messages }) => !messages?.length)

  async function save(format: ExportFormat) {
    const whole = await Promise.all(chats.map(async ({ variant, loadAll }) => [variant, await loadAll()] as const))
    const exported = { agent, chats: Object.fromEntries(whole), at: Date.now() }
    const { name, content, type } = exportChat(exported, format, words)
    saveFile(name, content, type)
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          disabled={isEmpty}
          aria-label={t(($) => $.export.label)}
          title={t(($) => $.export.label)}
        >
          <Download />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {EXPORT_FORMATS.map((format) => (
          <DropdownMenuItem key={format} onSelect={() => void save(format).catch(toast.failure)}>
            {t(($) => $.export[format])}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function useExportWords(agent: Agent): ExportWords {
  const { t } = useTranslation('test-chat')
  const { t: kinds } = useTranslation('conversations')
  const user = useCurrentUser()
  const outcomeText = useOutcomeText()
  const names: Partial<Record<Message['author'], string>> = { customer: user.name || user.email, agent: agent.name }
  return {
    title: t(($) => $.page.label, { name: agent.name }),
    author: ({ author, authorName }) => names[author] ?? authorName ?? t(($) => $.export.system),
    textOf: ({ text, reason, status, attachments }) => {
      if (text || attachments.length > 0) return text
      return reason ? outcomeText(reason) : t(($) => $.export[status])
    },
    kindOf: ({ kind }) => kinds(($) => $.attachment.kind[kind]),
    time: (at) => formatDateTime(at, 'full'),
  }
}
