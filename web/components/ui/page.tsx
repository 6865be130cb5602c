// The frame of a screen's content: width, heading row, document title.
import { type ReactNode, useEffect } from 'react'
import { useBrand } from '#web/lib/browser/brand.ts'
import { setTitle } from '#web/lib/browser/tab-badge.ts'
import { cn } from '#web/lib/cn.ts'

type PageProps = {
  /** The h1; also the document title unless `documentTitle` is given. */
  title: string
  description?: ReactNode
  /** Buttons at the end of the heading row, the main one last. */
  actions?: ReactNode
  documentTitle?: string
  /** `narrow` for forms, `wide` for lists, `full` for chats that fill the window. */
  width?: 'narrow' | 'wide' | 'full'
  isTitleHidden?: boolean
  children: ReactNode
}

/** A screen. Its h1 receives the focus after navigation. */
export function Page({
  title,
  description,
  actions,
  documentTitle,
  width = 'wide',
  isTitleHidden,
  children,
}: PageProps) {
  useDocumentTitle(documentTitle ?? title)
  return (
    <div
      className={cn(
        'mx-auto flex w-full flex-col',
        width === 'full'
          ? 'h-[calc(100dvh-var(--header)-var(--notice,0px)-var(--bottom-bar))] min-h-0'
          : 'gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8',
        width === 'narrow' && 'max-w-3xl',
        width === 'wide' && 'max-w-6xl',
      )}
    >
      <div className={cn('flex flex-wrap items-start justify-between gap-x-6 gap-y-3', isTitleHidden && 'sr-only')}>
        <div className="min-w-0">
          <h1 tabIndex={-1} className="break-words font-semibold text-[1.375rem] leading-7 tracking-tight">
            {title}
          </h1>
          {description && <p className="mt-1 max-w-prose text-muted-foreground">{description}</p>}
        </div>
        {actions && <div className="flex max-w-full flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** Sets `document.title` to the title and the name of the product, after the number of unread conversations. */
export function useDocumentTitle(title: string): void {
  const { name } = useBrand()
  useEffect(() => {
    setTitle(title ? `${title} · ${name}` : name)
  }, [title, name])
}
