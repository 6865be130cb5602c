// What a model can do for the operator, and what it has done.
import { Sparkles, X } from 'lucide-react'
import { HELPER_DRAFT_MAX } from '#shared/limits.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { REWRITE_MANNERS, TRANSLATION_LANGUAGES } from '#shared/messaging/operator-tools.ts'
import { MessageSources } from '#web/components/chat/message-sources.tsx'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Helper } from './use-helper.ts'

/** Rewriting and translating want a draft. */
export function HelperMenu({ helper, draft }: { helper: Helper; draft: string }) {
  const { t } = useTranslation('conversations')
  const length = draft.trim().length
  const hasDraft = length > 0 && length <= HELPER_DRAFT_MAX
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          isBusy={helper.isBusy}
          aria-label={t(($) => $.helper.title)}
          title={t(($) => $.helper.title)}
        >
          <Sparkles aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={helper.suggest}>{t(($) => $.helper.suggest)}</DropdownMenuItem>
        <DropdownMenuItem onSelect={helper.summarize}>{t(($) => $.helper.summarize)}</DropdownMenuItem>
        {REWRITE_MANNERS.map((manner) => (
          <DropdownMenuItem key={manner} disabled={!hasDraft} onSelect={() => helper.rewrite(manner)}>
            {t(($) => $.helper.rewrite[manner])}
          </DropdownMenuItem>
        ))}
        {TRANSLATION_LANGUAGES.map((language) => (
          <DropdownMenuItem key={language} disabled={!hasDraft} onSelect={() => helper.translate(language)}>
            {t(($) => $.helper.translate[language])}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

type HelperNoteProps = { helper: Helper; onOpenSource: (source: MessageSource, answer: string) => void }

/** Above the box, until it is put away. */
export function HelperResult({ helper: { note, isBusy, undo, dismiss }, onOpenSource }: HelperNoteProps) {
  const { t } = useTranslation('conversations')
  return (
    <div role="status">
      {isBusy && <p className="text-muted-foreground text-xs">{t(($) => $.helper.busy)}</p>}
      {!isBusy && note && (
        <div className="flex items-start gap-2 rounded-lg border border-border bg-muted px-3 py-2 text-sm">
          <div className="flex min-w-0 flex-1 flex-col gap-1.5">
            {note.kind === 'summary' ? (
              <>
                <p className="font-medium">{t(($) => $.helper.summary)}</p>
                <p className="max-h-48 overflow-y-auto whitespace-pre-wrap break-words">{note.text}</p>
              </>
            ) : (
              <>
                <p>
                  {t(($) => $.helper.written)}{' '}
                  <Button variant="ghost" size="sm" onClick={undo}>
                    {t(($) => $.helper.undo)}
                  </Button>
                </p>
                <MessageSources sources={note.sources} onOpen={(source) => onOpenSource(source, note.text)} />
              </>
            )}
          </div>
          <Button variant="ghost" size="icon-sm" aria-label={t(($) => $.helper.dismiss)} onClick={dismiss}>
            <X aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  )
}
