// How many strangers may write in web chats: of one address, of one site and of one organization.

/** New visitors of one address, and messages of all its visitors: burst, then per hour. */
export const WEBCHAT_ADDRESS_NEW_VISITORS = 30
export const WEBCHAT_ADDRESS_NEW_VISITORS_PER_HOUR = 60
export const WEBCHAT_ADDRESS_MESSAGES = 60
export const WEBCHAT_ADDRESS_MESSAGES_PER_HOUR = 360
/** In one hour of the clock: visitors who are answered for the first time, and answers to all visitors; of one web chat, and of an organization. */
export const WEBCHAT_SITE_NEW_VISITORS_PER_HOUR = 500
export const WEBCHAT_SITE_ANSWERS_PER_HOUR = 2000
export const WEBCHAT_ORGANIZATION_NEW_VISITORS_PER_HOUR = 1000
export const WEBCHAT_ORGANIZATION_ANSWERS_PER_HOUR = 4000
