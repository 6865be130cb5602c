// The mark and the logo of the brand that pages are under. The program's own mark: two speech shapes that answer each other, in the colours of
// theme and palette.
import type { Brand } from '#shared/organizations/branding.ts'
import { hasProductMark, useBrand } from '#web/lib/browser/brand.ts'
import { useTheme } from '#web/lib/browser/theme.ts'
import { cn } from '#web/lib/cn.ts'
import { atServer } from '#web/lib/server/server-address.ts'

/** The mark of the brand that pages are under. */
export function LogoMark({ className }: { className?: string }) {
  return <Mark brand={useBrand()} className={className} />
}

/** The mark of a brand: its icon, else the first letter of its name. */
export function Mark({ brand, className }: { brand: Pick<Brand, 'name' | 'icon'>; className?: string | undefined }) {
  if (brand.icon !== null)
    return <img src={atServer(brand.icon)} alt="" className={cn('size-7 shrink-0 object-contain', className)} />
  if (!hasProductMark(brand))
    return (
      <span
        aria-hidden="true"
        className={cn(
          'flex size-7 shrink-0 select-none items-center justify-center rounded-lg bg-primary font-semibold text-primary-foreground text-sm',
          className,
        )}
      >
        {[...brand.name][0]?.toUpperCase()}
      </span>
    )
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <path
        d="M8 10.5A3.5 3.5 0 0 1 11.5 7h6a3.500 3.500 0 0 1 3.500 3.500v3a3.500 3.500 0 0 1-3.500 3.500H12l-4 3.500z"
        className="fill-primary-foreground"
      />
      <path
        d="M24 15.500v10l-4-3.300h-5a3 3 0 0 1-2.800-2H18a6 6 0 0 0 6-4.700z"
        className="fill-primary-foreground"
        fillOpacity="0.72"
      />
    </svg>
  )
}

/** The logo of the brand for the theme on screen, else mark and name. */
export function Logo({ className }: { className?: string }) {
  const { name, logo } = useBrand()
  const path = logo[useTheme().theme]
  if (path !== null)
    return (
      <img
        src={atServer(path)}
        alt={name}
        className={cn('h-8 min-w-0 max-w-44 object-contain object-left', className)}
      />
    )
  return (
    <span
      className={cn(
        'inline-flex min-w-0 items-center gap-2.5 font-semibold text-base text-foreground tracking-tight',
        className,
      )}
    >
      <LogoMark />
      <span className="truncate">{name}</span>
    </span>
  )
}
