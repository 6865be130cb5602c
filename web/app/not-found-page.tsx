// An address that no screen has.
import { Compass } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'

/** Says so and leads home. */
export function NotFoundPage() {
  const { t } = useTranslation()
  useDocumentTitle(t(($) => $.notFound.title))
  return (
    <div className="flex min-h-[70dvh] flex-col items-center justify-center px-6 text-center">
      <div className="mb-5 flex size-14 items-center justify-center rounded-2xl bg-muted text-muted-foreground">
        <Compass aria-hidden="true" className="size-7" strokeWidth={1.5} />
      </div>
      <h1 tabIndex={-1} className="font-semibold text-xl">
        {t(($) => $.notFound.title)}
      </h1>
      <p className="mt-2 max-w-md text-balance text-muted-foreground">{t(($) => $.notFound.body)}</p>
      <Link to={paths.home} className={buttonClasses({ variant: 'primary', className: 'mt-6' })}>
        {t(($) => $.action.home)}
      </Link>
    </div>
  )
}
