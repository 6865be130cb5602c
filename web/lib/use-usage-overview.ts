// What the organization has used of its plan, live.
import { useEffect, useMemo, useState } from 'react'
import { USAGE_DEFAULT_PERIOD_DAYS } from '#shared/limits.ts'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { api } from '#web/api.ts'
import { useQuery } from './server/convex.ts'
import { useOrganization } from './sign-in/current-user.tsx'
import { usageRange } from './usage-range.ts'

/** The last `days` days, today included. Undefined while loading. All who ask for the same days on a page share one query. */
export function useUsageOverview(days = USAGE_DEFAULT_PERIOD_DAYS): UsageOverview | undefined {
  const { _id: organizationId, timeZone } = useOrganization()
  const timeRange = useTimeRange(timeZone, days)
  return useQuery(api.billing.getOrganizationUsageOverview, { organizationId, timeRange })
}

/** The range ends at the organization's coming midnight, so that it stays the same, and the query live, all day. */
function useTimeRange(timeZone: string, days: number) {
  const [now, setNow] = useState(Date.now)
  const range = useMemo(() => usageRange(now, days, timeZone), [now, days, timeZone])
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), range.end - Date.now())
    return () => clearTimeout(timer)
  }, [range])
  return range
}
