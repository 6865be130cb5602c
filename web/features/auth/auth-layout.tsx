// The frame of the sign-in and sign-up pages: the form, and next to it what the product does.
import { Check } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Preferences } from '#web/components/preferences.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { showBrand } from '#web/lib/browser/brand.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { HeroPicture } from './hero-picture.tsx'

type AuthLayoutProps = {
  page: 'signIn' | 'signUp'
  title: string
  subtitle: ReactNode
  children: ReactNode
  /** The link to the other page; null: none. */
  footer: ReactNode
}

/** On small screens only the form is shown. Under the brand of the installation. */
export function AuthLayout({ page, title, subtitle, children, footer }: AuthLayoutProps) {
  useEffect(() => showBrand(null), [])
  useDocumentTitle(title)
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(28rem,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col px-5 py-5 sm:px-10">
        <OutageBanner className="mb-5 overflow-hidden rounded-lg" />
        <header className="flex items-center justify-between">
          <Logo />
          <Preferences />
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          <p className="mt-1.5 mb-7 text-[0.9375rem] text-muted-foreground">{subtitle}</p>
          {children}
          {footer && <p className="mt-7 text-center text-muted-foreground">{footer}</p>}
        </main>
      </div>
      <Hero page={page} />
    </div>
  )
}

function Hero({ page }: { page: 'signIn' | 'signUp' }) {
  const { t } = useTranslation('auth')
  return (
    <aside className="hidden border-border border-s bg-hero px-12 py-10 text-hero-foreground lg:flex xl:px-20">
      <div className="m-auto w-full max-w-lg">
        <HeroPicture />
        <h2 className="mt-10 font-semibold text-[1.75rem] leading-9 tracking-tight">{t(($) => $.hero[page].title)}</h2>
        <p className="mt-3 text-base text-muted-foreground">{t(($) => $.hero[page].subtitle)}</p>
        <ul className="mt-6 flex flex-col gap-3">
          {(['first', 'second', 'third'] as const).map((bullet) => (
            <li key={bullet} className="flex items-start gap-3 text-[0.9375rem]">
              <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full bg-primary text-primary-foreground">
                <Check aria-hidden="true" className="size-3" strokeWidth={3} />
              </span>
              {t(($) => $.hero[page][bullet])}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  )
}
