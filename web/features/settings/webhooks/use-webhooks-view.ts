// What the page of webhooks shows, kept in its address: the list or one endpoint, which of its deliveries, and which of them is open.
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { DELIVERY_STATES } from '#shared/webhooks/webhooks.ts'

const parsers = {
  endpoint: parseAsString.withOptions({ history: 'push' }),
  state: parseAsStringLiteral(DELIVERY_STATES),
  delivery: parseAsString,
}

/** The view in the address, and its setter. */
export function useWebhooksView() {
  return useQueryStates(parsers)
}
