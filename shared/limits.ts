// Every number of the product in one place, with its unit.

/** Characters. */
export const PASSWORD_MIN = 8
/** Characters. */
export const PERSON_NAME_MAX = 100
/** Characters. */
export const ORGANIZATION_NAME_MIN = 3
export const ORGANIZATION_NAME_MAX = 100
export const ORGANIZATION_DISPLAY_NAME_MAX = 50
export const AGENT_NAME_MAX = 100
export const SPACE_NAME_MAX = 100
export const SPACE_DESCRIPTION_MAX = 500
/** How long undoing the removal of a space is offered, milliseconds. */
export const SPACE_UNDO_MS = 10_000
/** Notes of one import call. */
export const IMPORT_NOTES_MAX = 100
export const FRAGMENT_NAME_MAX = 200
export const FRAGMENT_CONTENT_MAX = 20_000
export const ALSO_ASKED_AS_MAX_ITEMS = 50
/** Characters of one further wording. */
export const ALSO_ASKED_AS_MAX = 500
export const DOCUMENT_NAME_MAX = 255
/** Of an incoming file; longer names are shortened. */
export const FILE_NAME_MAX = 2000
/** File names checked in one call for existing documents. */
export const FIND_NAMED_MAX = 100
export const SYSTEM_PROMPT_MAX = 50_000
export const MESSAGE_TEXT_MAX = 32_000
/** Characters of a tag of a conversation. */
export const TAG_MAX = 40
/** Tags of one conversation, and tags that are suggested. */
export const CONVERSATION_TAGS_MAX = 20
export const TAGS_SUGGESTED = 200
/** Conversations that a search of the inbox finds in one go, and that it shows page by page. */
export const SEARCH_HITS_MAX = 100
export const SEARCH_SHOWN_MAX = 1000
/** The unread counter shows at most this many. */
export const UNREAD_COUNTED_MAX = 99
/** Views of the inbox that an organization keeps, and each member for themselves; characters of a name, and of the query of the address. */
export const INBOX_VIEWS_MAX = 50
export const INBOX_VIEW_NAME_MAX = 60
export const INBOX_VIEW_QUERY_MAX = 3000
/** Conversations changed in one bulk action. */
export const BULK_MAX = 1000
/** How long a bulk change of conversations can be undone from its toast, milliseconds. */
export const BULK_UNDO_MS = 10_000
/** Unsent drafts are kept in the browser: how many days, and how many drafts. */
export const DRAFT_DAYS = 30
export const DRAFTS_MAX = 100
/** How long the toast about a failed send or change stays, with its retry button, in ms. */
export const FAILURE_TOAST_MS = 10_000
/** Of what takes a step of a conversation back, which holds the note of a handoff twice. */
export const UNDO_TICKET_MAX = 40_000
/** Days for which a deleted conversation can be put back. */
export const DELETED_DAYS = 30
/** Characters of the reason of a legal hold. */
export const LEGAL_HOLD_REASON_MAX = 500
/** Maximum retention of messages, attachments and records, days. */
export const RETENTION_DAYS_MAX = 3650

/** Exports of one organization that may be queued or running at the same time. */
export const EXPORTS_OPEN_MAX = 5
/** Bytes of one exported file. */
export const EXPORT_MAX_BYTES = 4 * 1024 ** 3
/** Days for which an exported file is kept, and milliseconds for which a link to it is good. */
export const EXPORT_DAYS = 7
export const EXPORT_LINK_MS = 3_600_000

/** Characters of a text that a rule of the agent sends to a customer. */
export const NOTICE_MAX = 2000
/** Choices offered in one message. */
export const CHOICES_MAX = 8
/** Telegram keeps no more with a button. Bytes. @source core.telegram.org/bots/api#inlinekeyboardbutton */
export const CHOICE_MAX_BYTES = 64
/** Commands of a connection besides those that every bot knows. */
export const COMMANDS_MAX = 20
/** Telegram refuses longer descriptions of a command. Characters. @source core.telegram.org/bots/api#botcommand */
export const COMMAND_DESCRIPTION_MAX = 256
/** Longest silence that can be set before a new conversation begins: thirty days. */
export const SESSION_MAX_MINUTES = 30 * 24 * 60
/** Highest ceiling of spending, US dollars a month. */
export const SPEND_LIMIT_MAX_USD = 1_000_000
/** Phrases of one list, and characters of one of them. */
export const PHRASES_MAX = 50
export const PHRASE_MAX = 100
/** Default limits of an agent's answers a day, to one customer and in total. */
export const CUSTOMER_DAILY_LIMIT_DEFAULT = 200
export const AGENT_DAILY_LIMIT_DEFAULT = 5000
/** Seconds that an agent may wait for a customer to finish. */
export const MESSAGE_BUFFER_MAX_SECONDS = 120
/** Ages after which messages are left out of the model's context, minutes. */
export const CONTEXT_AGE_OPTIONS_MINUTES = [5, 15, 30, 60, 360, 1440]
/** Characters of the description from which the prompt generator writes. */
export const PROMPT_DESCRIPTION_MAX = 4000
/** Models that are tried after the first one. */
export const FALLBACK_MODELS_MAX = 3
export const FOLLOW_UP_STEPS_MAX = 5
/** Characters of a key of a model provider. */
export const PROVIDER_KEY_MIN = 8
export const PROVIDER_KEY_MAX = 500

/** Degrees of randomness that a model accepts; models without the setting run at TEMPERATURE_FIXED. */
export const TEMPERATURE_MIN = 0
export const TEMPERATURE_MAX = 2
export const TEMPERATURE_FIXED = 1

/** Bytes of one uploaded document. */
export const DOCUMENT_MAX_BYTES = 50 * 1024 * 1024
/** Characters by which a list is searched. */
export const LIST_SEARCH_MAX = 200
/** Characters of a chunk that a person has changed; longer ones find too much and say too little. */
export const CHUNK_CONTENT_MAX = 4000
/** Chunks read in one call from a place in their source. */
export const CHUNK_RANGE_MAX = 100
/** Characters of the name of a token of the API, and tokens of one organization. */
export const API_TOKEN_NAME_MAX = 100
export const API_TOKENS_MAX = 20
/** Requests by one token. */
export const API_REQUESTS_PER_MINUTE = 300
/** Rows of one table, rows of one request to the API, and characters of one cell that it takes. */
export const TABLE_ROWS_MAX = 50_000
export const API_ROWS_MAX = 100
export const TABLE_CELL_MAX = 10_000
/** Bytes of the body of an API request that is not a file. */
export const API_BODY_MAX_BYTES = 1024 * 1024
/** Hours for which the answer to a request is repeated for the same idempotency key. */
export const API_ANSWER_HOURS = 48
/** Passages that an answer is made from, and tokens of them together with those that complete them. */
export const ANSWER_PASSAGES = 8
export const ANSWER_PASSAGE_TOKENS = 3000
/** Characters of a passage that documents are cut into, and how much of it the next one may repeat at most, as a share of it. */
export const PASSAGE_LENGTH_MIN = 200
export const PASSAGE_LENGTH_MAX = 2000
export const PASSAGE_OVERLAP_MAX = 0.5
/** Tags of one source, and characters of one. */
export const SOURCE_TAGS_MAX = 20
export const SOURCE_TAG_MAX = 40
/** Questions with few hits, shown in one list. */
export const KNOWLEDGE_GAPS_MAX = 500
/** Questions of the test set of a space. */
export const KNOWLEDGE_CASES_MAX = 100
/** Days for which it is kept what agents have looked up. */
export const QUERY_LOG_DAYS = 90
/** Bytes of one uploaded table. */
export const TABLE_MAX_BYTES = 20 * 1024 * 1024
/** Sheets of a workbook of which tables can be made. */
export const TABLE_SHEETS_MAX = 200
/** Tool calls executed in one step of a model, and in one answer across all models used for it. */
export const TOOL_CALLS_PER_STEP = 8
export const TOOL_CALLS_PER_TURN = 24
/** Tool calls executed for one customer within a window, milliseconds. */
export const TOOL_CALLS_PER_CUSTOMER = 120
export const TOOL_CALLS_WINDOW_MS = 10 * 60_000
/** Characters of the arguments of one tool call. */
export const TOOL_ARGUMENTS_MAX = 8000
/** Characters of one tool result that a model receives, and of all results of one answer. */
export const TOOL_RESULT_MAX = 20_000
export const TOOL_RESULTS_MAX = 60_000
/** Tool calls that are kept in the record of a turn; of more it keeps the number. */
export const TRACE_TOOL_CALLS_MAX = 100
/** Concurrent searches of knowledge and tables of one organization in a process; the others wait. */
export const SEARCHES_AT_ONCE = 3
/** Searches of the web that a model may make for one answer. */
export const WEB_SEARCHES_PER_TURN = 5
/** Characters of one question to the web. */
export const WEB_QUERY_MAX = 400
/** Domains to which a space can limit its searches of the web. */
export const WEB_DOMAINS_MAX = 20
/** Web searches a day of a space: maximum and default. */
export const WEB_SEARCHES_PER_DAY_MAX = 10_000
export const WEB_SEARCHES_PER_DAY_DEFAULT = 100
/** Sites of one space. */
export const SITES_MAX = 20
/** Pages that are taken from one site. */
export const SITE_PAGES_MAX = 1000
export const SITE_PAGES_DEFAULT = 200
/** Links between the address of a site and a page of it. */
export const SITE_DEPTH_MAX = 10
export const SITE_DEPTH_DEFAULT = 3
/** Bytes of one webhook body. Meta puts up to 3 MB together. */
export const WEBHOOK_MAX_BYTES = 3 * 1024 * 1024

/** Telegram refuses longer texts. Characters (UTF-16 units). @source core.telegram.org/bots/api#sendmessage */
export const TELEGRAM_TEXT_MAX = 4096
/** GREEN-API refuses longer texts. Characters. @source green-api.com/en/docs/api/sending/SendMessage */
export const WHATSAPP_TEXT_MAX = 20_000
/** The Cloud API refuses longer texts. Characters. @source developers.facebook.com/documentation/business-messaging/whatsapp/messages/text-messages */
export const WHATSAPP_CLOUD_TEXT_MAX = 4096
/** Instagram refuses longer texts. Bytes of UTF-8. @source developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api */
export const INSTAGRAM_TEXT_MAX_BYTES = 1000
/** MAX refuses longer texts. Characters. @source dev.max.ru/docs-api/methods/POST/messages */
export const MAX_TEXT_MAX = 4000
/** VK's own schema says 9000, but longer messages are rejected in practice. Characters. @source dev.vk.com/ru/method/messages.send */
export const VK_TEXT_MAX = 4096
/** Avito refuses longer texts. Characters. @source developers.avito.ru/api-catalog/messenger/documentation#operation/postSendMessage */
export const AVITO_TEXT_MAX = 1000
/** Placeholders of one template, and characters of each value. */
export const TEMPLATE_WORDS_MAX = 30
export const TEMPLATE_WORDS_TEXT_MAX = 1000
/** Longest text of one event of the HTTP channel. Characters. */
export const HTTP_TEXT_MAX = 10_000
/** Attachments of one incoming message. */
export const HTTP_ATTACHMENTS_MAX = 10
/** Bytes of one delivery of a program's own channel: the longest text, escaped, with all its attachments needs less than half. */
export const HTTP_BODY_MAX_BYTES = 256 * 1024
/** Characters of the name of an HTTP connection, and of its address. */
export const HTTP_NAME_MAX = 60
export const HTTP_URL_MAX = 2000
/** How long a secret stays valid after it was replaced, milliseconds. */
export const HTTP_SECRET_OVERLAP_MS = 24 * 3_600_000
/** Attempts that are kept for a connection, and shown of it. */
export const DELIVERY_LOG_MAX = 200
export const DELIVERY_LOG_SHOWN = 50
/** Notifications not understood that are shown of one connection, and characters of each. */
export const QUARANTINE_SHOWN = 20
export const QUARANTINE_TEXT_MAX = 2000
/** Characters of a message that tries a connection out. */
export const WHATSAPP_TEST_TEXT_MAX = 1000
export const MESSENGER_TEST_TEXT_MAX = 1000
/** Between two messages of a number, milliseconds. @source green-api.com/en/docs/api/send-messages-delay */
export const WHATSAPP_DELAY_MIN_MS = 500
export const WHATSAPP_DELAY_MAX_MS = 600_000
/** An instance that restarts answers again within this time, milliseconds. @source green-api.com/en/docs/api/account/GetStateInstance */
export const WHATSAPP_START_MS = 5 * 60_000
/** Messages that a connection may be allowed in an hour or a day, at most. */
export const CAP_MAX = 1_000_000
/** Characters of the notice to customers when another number writes to them. */
export const STAND_IN_NOTICE_MAX = 500
/** A code that is typed on the phone is good for this time, milliseconds. */
export const WHATSAPP_PHONE_CODE_MS = 150_000
/** A code to be scanned is another one after this time. @source green-api.com/en/docs/api/account/QR */
export const WHATSAPP_QR_MS = 20_000

/** Choices for the automatic resume of a paused conversation, milliseconds. */
export const AUTO_RESUME_PRESETS_MS = [1, 5, 10, 15, 20, 25, 30]
  .map((minutes) => minutes * 60_000)
  .concat([1, 2, 3, 4, 8, 12, 24, 48, 72, 168].map((hours) => hours * 3_600_000))
/** Longest automatic resume, milliseconds (one week). */
export const AUTO_RESUME_MAX_MS = 168 * 3_600_000

/** Interface timings, milliseconds. */
export const OFFLINE_OVERLAY_DELAY_MS = 1500
export const SKELETON_DELAY_MS = 100
export const LAZY_SKELETON_DELAY_MS = 150
export const TOAST_MS = 4000
export const TOAST_MAX_VISIBLE = 3
export const SESSION_EXPIRED_TOAST_MS = 6000
export const SIGN_UP_ORGANIZATION_DELAY_MS = 1000
export const SLUG_CACHE_MS = 5 * 60_000
export const TOOLTIP_DELAY_MS = 700
export const TOOLTIP_SKIP_DELAY_MS = 300

/** Seconds before expiry at which the realtime token is renewed. */
export const TOKEN_REFRESH_LEEWAY_SECONDS = 60
/** How often a client reports how its connection fares, at most. @source spec §9 */
export const CONNECTION_METRICS_EVERY_MS = 30_000
/** A request that waits this long for a connection is reported. */
export const LONG_DISCONNECT_MS = 60_000
/** Lifetime of the realtime token, seconds; also assumed when a token does not say. */
export const TOKEN_LIFETIME_SECONDS = 600

/** Share of the allowance at which the usage status turns to warning and to critical. */
export const USAGE_WARNING_SHARE = 0.8
export const USAGE_CRITICAL_SHARE = 0.95
/** Channels listed in a usage overview. */
export const USAGE_CHANNELS_MAX = 5
/** Period of the usage counter in the header, days. */
export const USAGE_DEFAULT_PERIOD_DAYS = 30

/** Bytes of a picture that is fetched to become an avatar. */
export const AVATAR_MAX_BYTES = 5 * 1024 * 1024
/** Width and height of a stored avatar. */
export const AVATAR_SIZE_PIXELS = 256
/** Days of the longest usage overview. */
export const USAGE_RANGE_MAX_DAYS = 1100

/** Characters of a note of the team. */
export const NOTE_TEXT_MAX = 10_000
/** Members that one note may mention. */
export const NOTE_MENTIONS_MAX = 20
/** Notes of one conversation that are shown; older ones are left out. */
export const NOTES_SHOWN = 500
/** Characters of the team's note about a customer. */
export const CONTACT_NOTE_MAX = 4000
/** Characters of a customer's name. */
export const CONTACT_NAME_MAX = 100
/** Tags of one customer, and characters of each. */
export const CONTACT_TAGS_MAX = 20
export const CONTACT_TAG_LENGTH_MAX = 40
/** Attributes of one customer, and characters of a key and of a value. */
export const CONTACT_ATTRIBUTES_MAX = 30
export const CONTACT_KEY_MAX = 50
export const CONTACT_VALUE_MAX = 500
/** Conversations that are shown as one. */
export const THREAD_MAX = 1000
/** Of these, this many are listed with each row; the open conversation lists all. */
export const THREAD_PARTS_LISTED = 50
/** Contacts that a search for one shows. */
export const CONTACTS_FOUND_MAX = 8

/** Characters of a draft that a model rewrites or translates for an operator. */
export const HELPER_DRAFT_MAX = 8000
/** Newest messages of a conversation in the context of a model that assists an operator. */
export const HELPER_MESSAGES = 60

/** Replies that an organization keeps ready. */
export const CANNED_REPLIES_MAX = 500
/** Characters of the name of a reply that is kept ready. */
export const CANNED_NAME_MAX = 50
/** Characters of its text in one language. */
export const CANNED_TEXT_MAX = 4000
/** Milliseconds after which a viewer of a conversation is dropped unless they renew their presence. */
export const PRESENCE_LOOKING_MS = 30_000
/** The same of typing. */
export const PRESENCE_TYPING_MS = 8000

/** Alerts shown, and marked as seen, in one go. */
export const ALERTS_SEEN_AT_ONCE = 100
/** Characters of the message preview in an alert. */
export const ALERT_PREVIEW_MAX = 140
/** Devices on which one person is alerted by push; one more takes the place of the oldest. */
export const PUSH_DEVICES_MAX = 10
/** Characters of the address at a push service, and of the name of a device. */
export const PUSH_ENDPOINT_MAX = 1000
export const PUSH_DEVICE_NAME_MAX = 100

/** Conversations that a member handles at once: default and maximum. */
export const OPERATOR_CAPACITY_DEFAULT = 5
export const OPERATOR_CAPACITY_MAX = 100
/** Range of the delay before a customer is notified that no operator is free, seconds. */
export const UNATTENDED_SECONDS_MIN = 10
export const UNATTENDED_SECONDS_MAX = 86_400
/** Conversations of the queue whose place in it is shown. */
export const QUEUE_SHOWN_MAX = 100

/** Bytes of one incoming file; a Telegram bot cannot download larger ones. @source core.telegram.org/bots/api#getfile */
export const ATTACHMENT_MAX_BYTES = 20 * 1024 * 1024
/** Seconds of a recording that is transcribed. */
export const RECORDING_MAX_SECONDS = 600
/** Characters stored of the text of an attachment. */
export const ATTACHMENT_TEXT_MAX = 20_000
/** Attachments that are read for one answer; more are named, not read. */
export const ATTACHMENTS_PER_ANSWER = 10
/** Characters of an answer that is spoken; longer ones are only written. @source platform.openai.com/docs/api-reference/audio/createSpeech */
export const SPEECH_TEXT_MAX = 4096

/** Proposed notes that are shown of a space; more come up as these are decided. */
export const PROPOSALS_MAX = 100
/** Pairs of passages that are shown of a space. */
export const PAIRS_MAX = 100
/** Answers without grounds that are shown of a space, the newest. */
export const UNFOUNDED_SHOWN = 20
/** Those that are counted: a list that is live reads no more of them with every answer. */
export const UNFOUNDED_COUNTED = 100

/** Characters of a widget's title, and of its greeting. */
export const WIDGET_TITLE_MAX = 60
export const WIDGET_GREETING_MAX = 500
/** Sites that may show one widget. */
export const WIDGET_DOMAINS_MAX = 20
/** Characters of one bubble of the web chat. */
export const WEBCHAT_TEXT_MAX = 4096
/** Bytes of one file that a visitor sends, and files of one message. */
export const WEBCHAT_FILE_MAX_BYTES = 10 * 1024 * 1024
export const WEBCHAT_FILES_PER_MESSAGE = 5
/** What may be sent in one hour of the clock: files of one visitor, files of all visitors of a widget, and their bytes. */
export const WEBCHAT_VISITOR_FILES_PER_HOUR = 20
export const WEBCHAT_FILES_PER_HOUR = 300
export const WEBCHAT_FILE_BYTES_PER_HOUR = 500 * 1024 * 1024
/** Files of all visitors of one address: burst, and per hour. */
export const WEBCHAT_ADDRESS_FILES = 60
/** From the end of a conversation to the question what its customer thought of the help: until then the end can be taken back unseen. */
export const RATING_ASK_AFTER_MS = BULK_UNDO_MS + 5000
/** How long an answer to that question counts as a rating. */
export const RATING_ANSWER_HOURS = 24
/** Characters of a customer's comment on their rating. */
export const RATING_COMMENT_MAX = 1000
/** How long a typing signal is shown, and after which it is repeated, milliseconds. */
export const TYPING_SHOWN_MS = 6000
export const TYPING_REPORT_EVERY_MS = 3000
/** Characters of the id and of the name by which a site knows a visitor. */
export const VISITOR_ID_MAX = 200
export const VISITOR_NAME_MAX = 100
/** Bubbles that a visitor is shown of a conversation. */
export const WEBCHAT_BUBBLES_MAX = 100
/** Milliseconds that a visitor's token is good for; their browser renews it in good time. */
export const WEBCHAT_SESSION_MS = 3_600_000
/** Lifetime of a visitor's identity, milliseconds: after that they count as new. */
export const WEBCHAT_VISITOR_MS = 30 * 24 * 3_600_000
/** Messages of one visitor: burst, then one per interval in milliseconds. */
export const WEBCHAT_VISITOR_BURST = 10
export const WEBCHAT_VISITOR_PAUSE_MS = 3000
/** Requests of all visitors of one address: burst, then per second. */
export const WEBCHAT_ADDRESS_BURST = 200
export const WEBCHAT_ADDRESS_PER_SECOND = 10
/** Open streams of one visitor, and of one address. */
export const WEBCHAT_STREAMS_PER_VISITOR = 8
export const WEBCHAT_STREAMS_PER_ADDRESS = 200
