// The numbers of outgoing webhooks.

/** Endpoints of webhooks of one organization. */
export const WEBHOOK_ENDPOINTS_MAX = 10
/** Characters of the address of a webhook, and of its description. */
export const WEBHOOK_URL_MAX = 2000
export const WEBHOOK_DESCRIPTION_MAX = 200
/** The most that may be chosen as attempts a minute. */
export const WEBHOOK_PER_MINUTE_MAX = 6000
/** Events that may wait for one endpoint; beyond that new ones are not kept. */
export const WEBHOOK_WAITING_MAX = 10_000
/** How long events and their deliveries are kept, days. */
export const WEBHOOK_LOG_DAYS = 30
/** How long events are signed with the former secret too, hours. */
export const WEBHOOK_ROTATION_HOURS = 24
/** Days of failures after which an endpoint is disabled. */
export const WEBHOOK_FAILING_DAYS = 5
/** Attempts and hours after which an event is given up: both have to be over. */
export const WEBHOOK_TRIES_MIN = 8
export const WEBHOOK_TRIED_HOURS = 24
/** How long a receiver may take to answer, seconds. */
export const WEBHOOK_TIMEOUT_SECONDS = 15
