// A framed part of a page.
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

/** The frame, without padding. */
export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('rounded-xl border border-border bg-surface shadow-card', className)} {...props} />
}

type CardSectionProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: ReactNode
  description?: ReactNode
  /** Buttons at the end of the heading row. */
  actions?: ReactNode
}

/** A card with a heading, as settings pages use it. `id` makes it the target of an anchor link. */
export function CardSection({ title, description, actions, className, children, ...props }: CardSectionProps) {
  return (
    <section
      className={cn('scroll-mt-20 rounded-xl border border-border bg-surface shadow-card', className)}
      {...props}
    >
      <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-5 sm:px-6">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="font-semibold text-base leading-6">{title}</h2>
          {description && <p className="mt-0.5 max-w-prose text-muted-foreground">{description}</p>}
        </div>
        {actions && <div className="flex max-w-full shrink-0 flex-wrap gap-2">{actions}</div>}
      </div>
      <div className="p-5 sm:p-6 sm:pt-5">{children}</div>
    </section>
  )
}
