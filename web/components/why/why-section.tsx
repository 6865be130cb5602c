// A part of the "Why?" panel.
import type { ReactNode } from 'react'

/** Content under a heading. */
export function WhySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{title}</h3>
      {children}
    </section>
  )
}

/** Text that a machine wrote or read, as it was: scrolls instead of growing without end. */
export function WhyRaw({ children }: { children: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-64 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-muted p-3 font-mono text-xs leading-relaxed"
    >
      {children}
    </pre>
  )
}
