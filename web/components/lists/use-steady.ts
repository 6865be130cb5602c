// What keeps a list still while it is searched.
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 250

/** A value that follows another once that has rested for a moment. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** The last value that was there, while the next one is loading; undefined before the first. */
export function useLastLoaded<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return value ?? last.current
}
