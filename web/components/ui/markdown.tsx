// Text written by models and people, shown as Markdown. Its code is loaded when the first text appears.
import { lazy, Suspense } from 'react'
import { cn } from '#web/lib/cn.ts'

const MarkdownContent = lazy(() =>
  import('./markdown-content.tsx').then((module) => ({ default: module.MarkdownContent })),
)

/** No raw HTML, no images, links only to http, https, mailto and tel. Shows the plain text until the code is there. */
export function Markdown({
  text,
  isStreaming = false,
  className,
}: {
  text: string
  isStreaming?: boolean
  className?: string
}) {
  return (
    <div className={cn('min-w-0 break-words leading-relaxed', className)}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownContent text={text} isStreaming={isStreaming} />
      </Suspense>
    </div>
  )
}
