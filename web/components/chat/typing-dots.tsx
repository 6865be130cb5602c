// Dots while a person or the agent is writing.

/** Three moving dots; `label` says who, for assistive technology. Still under reduced motion. */
export function TypingDots({ label }: { label: string }) {
  return (
    <span className="inline-flex h-5 items-center gap-1 text-muted-foreground">
      <span className="sr-only">{label}</span>
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          aria-hidden="true"
          className="size-1.5 animate-bounce rounded-full bg-current"
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
    </span>
  )
}
