// What the organization and its agents have spent this month, live.
import { useEffect, useState } from 'react'
import type { MonthSpend } from '#shared/organizations/billing.ts'
import { api } from '#web/api.ts'
import { useQuery } from './server/convex.ts'
import { useOrganization } from './sign-in/current-user.tsx'
import { comingMidnight, dayIn } from './usage-range.ts'

/** Undefined while loading. The month is that of the organization's clock, and the next one begins by itself. */
export function useMonthSpend(): MonthSpend | undefined {
  const { timeZone } = useOrganization()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), comingMidnight(now, timeZone) - Date.now())
    return () => clearTimeout(timer)
  }, [now, timeZone])
  return useQuery(api.billing.getMonthSpend, { month: dayIn(now, timeZone).slice(0, 7) })
}
