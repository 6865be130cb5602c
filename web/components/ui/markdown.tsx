// Text written by models and people, shown as Markdown. Its code is loaded when the first text appears.
import { lazy, Suspense } from 'react'
import { isBearableMarkdown } from '#shared/markdown-limits.ts'
import { cn } from '#web/lib/cn.ts'
import { PartBoundary } from './part-boundary.tsx'

const MarkdownContent = lazy(() =>
  import('./markdown-content.tsx').then((module) => ({ default: module.MarkdownContent })),
)

/**
 * No raw HTML, no images, links only to http, https, mailto and tel. Shows the plain text until the code is there, and of what is too deep or
 * too much to be read as Markdown, or cannot be drawn.
 */
export function Markdown({
  text,
  isStreaming = false,
  className,
}: {
  text: string
  isStreaming?: boolean
  className?: string
}) {
  const plain = <p className="whitespace-pre-wrap">{text}</p>
  return (
    <div className={cn('min-w-0 break-words leading-relaxed', className)}>
      {isBearableMarkdown(text) ? (
        <PartBoundary fallback={plain} resetKeys={[text]}>
          <Suspense fallback={plain}>
            <MarkdownContent text={text} isStreaming={isStreaming} />
          </Suspense>
        </PartBoundary>
      ) : (
        plain
      )}
    </div>
  )
}
