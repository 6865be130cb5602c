// How a brand will look in both themes, before it is saved.
import { type CSSProperties, useId } from 'react'
import { type Brand, THEMES, type Theme } from '#shared/organizations/branding.ts'
import { Mark } from '#web/components/ui/logo.tsx'
import { useTheme } from '#web/lib/browser/theme.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { atServer } from '#web/lib/server/server-address.ts'

/** Pictures only: nothing in them can be used. `footer` empty: the web chat has none. */
export function BrandPreview({ brand, footer }: { brand: Brand; footer: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {THEMES.map((theme) => (
        <ThemePreview key={theme} theme={theme} brand={brand} footer={footer} />
      ))}
    </div>
  )
}

function ThemePreview({ theme, brand, footer }: { theme: Theme; brand: Brand; footer: string }) {
  const { t } = useTranslation('branding')
  const { palette } = useTheme()
  const id = useId()
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <figcaption id={id} className="text-[0.8125rem] text-muted-foreground">
        {t(($) => $.preview[theme])}
      </figcaption>
      <div
        data-palette={palette}
        data-testid={`brand-${theme}`}
        className={cn(
          'flex flex-1 flex-col overflow-hidden rounded-xl border border-border bg-background text-foreground',
          theme === 'dark' && 'dark',
        )}
        style={accentOf(theme, brand.accent[theme])}
      >
        <div className="flex h-14 items-center border-border border-b bg-surface px-4">
          <Head theme={theme} brand={brand} />
        </div>
        <div className="flex flex-col items-start gap-3 p-4">
          <span className="rounded-lg bg-primary px-3.5 py-2 font-medium text-primary-foreground">
            {t(($) => $.preview.button)}
          </span>
          <span className="font-medium text-primary underline">{t(($) => $.preview.link)}</span>
          <span className="rounded-md bg-primary-soft px-2 py-0.5 text-primary-soft-foreground text-xs">
            {t(($) => $.preview.badge)}
          </span>
        </div>
        <p className="mt-auto min-h-8 truncate border-border border-t px-4 py-2 text-center text-muted-foreground text-xs">
          {footer || t(($) => $.preview.noFooter)}
        </p>
      </div>
    </figure>
  )
}

function Head({ theme, brand }: { theme: Theme; brand: Brand }) {
  const { name, logo } = brand
  const path = logo[theme]
  if (path !== null)
    return <img src={atServer(path)} alt={name} className="h-8 min-w-0 max-w-44 object-contain object-left" />
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5 font-semibold text-base tracking-tight">
      <Mark brand={brand} />
      <span className="truncate">{name}</span>
    </span>
  )
}

/** As palettes.css mixes them. */
function accentOf(theme: Theme, color: string | null): CSSProperties {
  if (color === null) return {}
  const isLight = theme === 'light'
  const mix = (share: number, other: string) => `color-mix(in srgb, ${color} ${share}%, ${other})`
  return {
    '--primary': color,
    '--primary-foreground': isLight ? '#ffffff' : '#000000',
    '--primary-soft': isLight ? mix(8, '#ffffff') : mix(14, '#141412'),
    '--primary-soft-foreground': isLight ? mix(80, '#000000') : mix(75, '#ffffff'),
  } as CSSProperties
}
