// Copies a text to the clipboard.
import { Check, Copy, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from './button.tsx'

const SHOWN_MS = 2000

type CopyButtonProps = { text: string; label?: string; className?: string; icon?: LucideIcon }

/** An icon button; `label` says what is copied. Needs no provider, so that crash pages may use it. It shows a tick for two seconds, or a toast when the browser refuses. */
export function CopyButton({ text, label, className, icon: Icon = Copy }: CopyButtonProps) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast.error(t(($) => $.action.copyFailed))
    }
  }
  const name = label ?? t(($) => $.action.copy)
  return (
    <Button
      isForReading
      variant="ghost"
      size="icon-sm"
      className={className}
      title={name}
      aria-label={name}
      onClick={copy}
    >
      {isCopied ? <Check /> : <Icon />}
      <span role="status" className="sr-only">
        {isCopied ? t(($) => $.action.copied) : ''}
      </span>
    </Button>
  )
}
