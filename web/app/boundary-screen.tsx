// What stands in place of something that cannot be shown: why, and what can be done.
import { BotOff, CloudOff, DatabaseZap, Ghost, type LucideIcon, ShieldX, TriangleAlert } from 'lucide-react'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'

export type BoundaryKind = 'database' | 'network' | 'authorization' | 'agent' | 'data' | 'general' | 'crash'

const ICONS: Record<BoundaryKind, LucideIcon> = {
  database: DatabaseZap,
  network: CloudOff,
  authorization: ShieldX,
  agent: BotOff,
  data: Ghost,
  general: TriangleAlert,
  crash: TriangleAlert,
}

type BoundaryScreenProps = {
  kind: BoundaryKind
  error: unknown
  /** Inside the application frame it fills the content only. */
  isInline?: boolean
  hasBack?: boolean
}

/** Reload, home and back, and the id under which the server logged the error. Home is a full load: the state is suspect. */
export function BoundaryScreen({ kind, error, isInline = false, hasBack = true }: BoundaryScreenProps) {
  const { t } = useTranslation()
  const described = describeError(error)
  const Icon = ICONS[kind]
  // What is missing or forbidden will be so after a reload, too.
  const isFinal = kind === 'data' || kind === 'authorization' || kind === 'agent'
  // Inside the application frame there is a main landmark already.
  const Frame = isInline ? 'div' : 'main'
  return (
    <Frame className={`flex flex-col items-center justify-center px-6 text-center ${isInline ? 'py-24' : 'min-h-dvh'}`}>
      <div className="mb-5 flex size-14 items-center justify-center rounded-2xl bg-muted text-muted-foreground">
        <Icon aria-hidden="true" className="size-7" strokeWidth={1.5} />
      </div>
      <h1 tabIndex={-1} className="font-semibold text-xl">
        {t(($) => $.boundary[kind].title)}
      </h1>
      <p className="mt-2 max-w-md text-balance text-muted-foreground">{t(($) => $.boundary[kind].body)}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Button variant={isFinal ? 'secondary' : 'primary'} onClick={() => window.location.reload()}>
          {t(($) => $.action.reload)}
        </Button>
        <a href={paths.home} className={buttonClasses({ variant: isFinal ? 'primary' : 'secondary' })}>
          {t(($) => $.action.home)}
        </a>
        {hasBack && (
          <Button variant="ghost" onClick={() => window.history.back()}>
            {t(($) => $.action.back)}
          </Button>
        )}
      </div>
      <ErrorDetails code={described.code} requestId={described.requestId} />
    </Frame>
  )
}

function ErrorDetails({ code, requestId }: { code: string; requestId: string | null }) {
  const { t } = useTranslation()
  const id = requestId ?? code
  return (
    <p className="mt-8 flex items-center gap-1 text-muted-foreground text-xs">
      {t(($) => $.boundary.errorId)}: <code className="font-mono">{id}</code>
      <CopyButton text={id} />
    </p>
  )
}
