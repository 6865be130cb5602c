// Whether the installation is fresh: sign-up comes before sign-in then, and says what its first account becomes.

import { useFetched } from '#web/lib/server/query-client.ts'
import { getConfig } from '#web/lib/sign-in/auth.ts'

/** Both false while it is not known. */
export function useFirstAccount(): { isFirst: boolean; makesAdmin: boolean } {
  const { value } = useFetched(['config'], getConfig)
  return { isFirst: value?.signUp?.isFirst ?? false, makesAdmin: value?.signUp?.makesAdmin ?? false }
}
