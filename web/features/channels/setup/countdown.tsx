// A countdown, as a bar and in words.
import { useEffect, useState } from 'react'
import { Progress } from '#web/components/ui/progress.tsx'

type CountdownProps = {
  /** When it ends, milliseconds. */
  until: number
  /** The whole duration. */
  totalMs: number
  label: string
  /** The text while this many seconds are left. */
  children: (seconds: number) => string
}

/** Not announced to assistive technology: it changes each second. What happens at its end is. */
export function Countdown({ until, totalMs, label, children }: CountdownProps) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.min(Math.max(0, until - now), totalMs)
  return (
    <div className="flex flex-col gap-1.5 text-[0.8125rem] text-muted-foreground">
      <Progress value={leftMs / totalMs} label={label} />
      <p className="tabular-nums">{children(Math.ceil(leftMs / 1000))}</p>
    </div>
  )
}

/** Whether a moment has passed; updates by itself. */
export function usePassed(at: number): boolean {
  const [hasPassed, setPassed] = useState(() => Date.now() >= at)
  useEffect(() => {
    setPassed(Date.now() >= at)
    const timer = setTimeout(() => setPassed(true), Math.max(0, at - Date.now()))
    return () => clearTimeout(timer)
  }, [at])
  return hasPassed
}
