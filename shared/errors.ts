// The error catalogue: every expected failure has a code here and a text in web/locales/*/errors.json.
import { ConvexError, type Value } from 'convex/values'

/** Code → when it happens. */
export const ERROR_CODES = {
  unauthenticated: 'No session, or the session has ended.',
  forbidden: 'The caller may not do this.',
  admin_required: 'Only a platform admin may do this.',
  organization_required: 'The caller belongs to no organization yet.',
  not_found: 'No such thing, or it belongs to another organization.',
  invalid_arguments: 'The arguments do not have the expected shape; `issues` lists paths and messages.',
  unknown_function: 'No public function has this name.',
  rate_limited: 'Too many calls; `retryAfterMs` says how long to wait.',
  conflict: 'The thing was changed by somebody else at the same time.',
  idempotency_key_reused: 'The idempotency key was used for another request.',
  invalid_validity: 'The time in which a source holds would end before it begins.',
  too_many_cases: 'The test set of the space has `max` questions already.',
  too_many_tokens: 'The organization has `max` tokens already.',
  organization_exists: 'The caller already belongs to an organization.',
  slug_taken: 'Another agent or space of the organization has this slug.',
  model_unknown: 'No such model in the registry.',
  model_not_configured: 'The provider of this model has no key.',
  model_cannot_write: 'The built-in model quotes knowledge and cannot write texts.',
  allowance_used_up: 'The plan of the organization has no messages left this month.',
  spending_limit_reached: 'A spending ceiling of the month is reached, of the organization or of the agent.',
  model_failed: 'The model provider failed; `reason` says how.',
  key_missing: 'No key of this provider is stored for the agent.',
  key_refused: 'The model provider does not accept the key.',
  key_without_quota: 'The account of the key has no money or quota left.',
  key_model_refused: 'The provider accepts the key and refuses the model; `model`.',
  provider_busy: 'The model provider refuses calls for now.',
  provider_unreachable: 'The model provider does not answer.',
  agent_unavailable: 'The agent does not exist or the caller has no rights to it.',
  space_in_use: 'The space is linked to agents.',
  unsupported_format: 'The file format is not accepted.',
  raw_body_expected: 'The body of the request is the file itself (curl --data-binary @file), not a form (curl -F).',
  file_too_large: 'The file is larger than allowed; `maxBytes`.',
  file_empty: 'The file holds nothing.',
  files_limit_reached: 'No more files may be sent in this hour; `retryAfterMs` says how long to wait.',
  upload_expired: "The upload is not there any more, or it is somebody else's.",
  document_not_cancellable: 'The document is not being processed.',
  document_not_retryable: 'Only a document in state error can be tried again.',
  chunk_not_editable: 'Only the passages of documents can be changed; a note is changed as a whole.',
  table_not_cancellable: 'The table is not being analyzed.',
  table_not_retryable: 'Only a table in state error can be tried again.',
  table_busy: 'Rows can be changed when the table is neither being analyzed nor imported.',
  too_many_rows: 'The table would have more than `max` rows.',
  table_not_analyzed: 'A column can be imported when the analysis of its table has finished.',
  table_is_importing: 'A column of the table is being imported.',
  table_has_chunks: 'A column is imported already: its texts must be cleared before another one can be.',
  table_has_no_chunks: 'No column of the table is imported.',
  web_search_not_configured: 'The installation has no provider of web search.',
  web_search_limit_reached: 'No searches of the web are left today; `limit`.',
  web_search_failed: 'The provider of web search failed; `reason` says how.',
  domain_invalid: 'The text is no domain.',
  domain_exists: 'The domain is already listed; `domain`.',
  too_many_domains: 'No more than `max` domains can be listed.',
  site_address_invalid: 'The text is no address of a site.',
  site_exists: 'The space takes its documents from this address already.',
  too_many_sites: 'A space can have no more than `max` sites.',
  site_syncing: 'The site is being read.',
  site_not_syncing: 'The site is not being read.',
  telegram_token_invalid: 'Telegram does not accept this bot token.',
  telegram_token_in_use: 'The bot is connected already; `context` says whether to this agent or another of the caller.',
  telegram_alert_bot: 'The bot is the one by which this installation alerts people of the team.',
  telegram_unreachable: 'The Telegram Bot API did not answer.',
  telegram_other_bot: 'The token belongs to another bot than the connection.',
  telegram_not_connected: 'The bot is not connected: its token was refused.',
  telegram_failed: 'Telegram refused the call; `description` is its own text.',
  whatsapp_credentials_invalid: 'GREEN-API does not accept this instance id with this token.',
  whatsapp_address_refused: 'The address of the instance is none of GREEN-API.',
  whatsapp_instance_in_use: 'The instance is already connected; `context` as for bots.',
  whatsapp_not_authorized: 'The account may not send: its phone is not linked, or WhatsApp restricts it.',
  whatsapp_qr_failed: 'GREEN-API gives no code to be scanned; `description` is its own text.',
  whatsapp_partner_missing: 'Instances are not made here: no credentials of a GREEN-API partner are configured.',
  whatsapp_partner_refused: 'GREEN-API does not accept the credentials of the partner.',
  whatsapp_instance_waiting: 'The organization has an instance already whose phone is still to be linked.',
  whatsapp_instance_not_ready: 'The instance was made a moment ago and does not answer yet.',
  whatsapp_webhook_needs_https: 'Delivery to a webhook needs a public https address of this installation.',
  whatsapp_throttled: 'Asked too often; `retryAfterMs` says how long to wait.',
  whatsapp_unreachable: 'GREEN-API did not answer.',
  whatsapp_failed: 'GREEN-API refused the call; `description` is its own text.',
  cloud_credentials_invalid: 'Meta does not accept the access token for this number.',
  cloud_number_foreign: 'The number does not belong to this WhatsApp Business account.',
  cloud_secret_invalid: 'The secret is not that of the app to which the access token belongs.',
  cloud_number_in_use: 'The number is connected already; `context` as for bots.',
  cloud_suspended: 'The account or number may not send for now.',
  cloud_window_closed: 'The customer last wrote more than a day ago: only a template may be sent.',
  cloud_throttled: 'Asked too often; `retryAfterMs` says how long to wait.',
  cloud_unreachable: 'Meta did not answer.',
  cloud_failed: 'Meta refused the call; `description` is its own text.',
  template_unknown: 'The template is not there any more, is not approved, or its places have changed.',
  channel_has_no_templates: 'The channel of the conversation has no templates.',
  connection_disconnected: 'The channel connection is not connected.',
  mail_not_configured: 'This installation sends no mail.',
  alert_bot_missing: 'This installation has no Telegram bot for alerts.',
  alert_bot_unreachable: 'Telegram did not answer or refused the alert bot.',
  alert_chat_missing: 'No Telegram chat is connected for alerts.',
  push_device_missing: 'This browser is alerted by push no more.',
  push_not_taken: 'The push service of the browser did not take the alert.',
  mail_not_sent: 'The mail server did not take the letter.',
  nothing_to_answer: 'The customer has said nothing in words.',
  canned_reply_exists: 'A reply of this name is kept already; `name`.',
  too_many_views: 'No more than `max` views of the inbox can be kept.',
  too_many_canned_replies: 'No more than `max` replies can be kept ready.',
  too_many_exports: 'No more than `max` exports can be under way at once.',
  export_not_cancellable: 'The export is over.',
  export_not_ready: 'The file of the export is not there: not yet, or not any more.',
  nothing_to_share: 'There is no message to share yet.',
  link_expired: 'The link is not good any more, or was never ours.',
  channel_sends_no_files: 'The channel of the conversation sends no files.',
  conversation_changed:
    'Somebody has changed the conversation since: what was to be taken back does not stand any more.',
  conversation_ended: 'The conversation has ended.',
  conversation_deleted: 'The conversation was deleted; it has to be put back first.',
  too_many_tags: 'A conversation has no room for another tag.',
  conversation_not_pausable: 'Only an active conversation can be paused.',
  too_few_to_merge: 'At least two conversations are needed to merge.',
  thread_too_long: 'No more than `max` conversations can be shown as one.',
  several_contacts: 'The conversations are not of one contact.',
  merged_already: 'The conversations are shown as one already.',
  contact_on_legal_hold: 'Nothing of the contact may be removed until the legal hold is lifted.',
  contacts_one_already: 'The contacts are one person already.',
  message_empty: 'A message needs a text or an attachment.',
  message_too_long: 'The text is longer than `max` characters.',
  nothing_to_stop: 'No reply is being generated.',
  nothing_to_regenerate: 'Nothing was asked in this test chat.',
  avatar_not_loadable: 'The avatar URL does not lead to an image that may be loaded.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** What travels to the client in `ConvexError.data`. `message` is for logs and API users; the web translates `code`. */
export type AppErrorData = { code: ErrorCode; message: string; params: Record<string, Value> }

/** An expected failure with a code of the catalogue. Everything else that is thrown is a bug and goes out as "Server Error". */
export class AppError extends ConvexError<AppErrorData> {
  readonly code: ErrorCode
  constructor(code: ErrorCode, params: Record<string, Value> = {}) {
    super({ code, message: ERROR_CODES[code], params })
    this.name = 'AppError'
    this.code = code
  }
}

/** The catalogue data of an error, whether thrown here or decoded by the client; undefined for anything else. */
export function appErrorData(error: unknown): AppErrorData | undefined {
  if (!(error instanceof ConvexError)) return undefined
  const data: unknown = error.data
  if (typeof data !== 'object' || data === null || !('code' in data)) return undefined
  return typeof data.code === 'string' && data.code in ERROR_CODES ? (data as AppErrorData) : undefined
}
