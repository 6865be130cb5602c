// How long a pause still has to go.

/** What a running pause still has to go, as a clock: 4:05 or 1:02:30. Never below 0:00. */
export function countdownText(resumeAt: number, now: number): string {
  const total = Math.max(0, Math.ceil((resumeAt - now) / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}
