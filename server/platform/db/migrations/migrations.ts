// All migrations in order. A name, once released, never changes.
import type { Migration } from 'kysely/migration'
import * as accounts from './001-accounts.ts'
import * as agentsAndKnowledge from './002-agents-and-knowledge.ts'
import * as conversations from './003-conversations.ts'
import * as engine from './004-engine.ts'
import * as agentVersions from './005-agent-versions.ts'
import * as linkedAccounts from './006-linked-accounts.ts'
import * as attachments from './007-attachments.ts'
import * as quotas from './008-quotas.ts'
import * as rhythm from './009-rhythm.ts'
import * as handoffs from './010-handoffs.ts'
import * as agentKeys from './011-agent-keys.ts'
import * as promptDrafts from './012-prompt-drafts.ts'
import * as testChat from './013-test-chat.ts'
import * as tables from './014-tables.ts'
import * as chunkVectors from './015-chunk-vectors.ts'
import * as spaceSources from './016-space-sources.ts'
import * as web from './017-web.ts'
import * as testerAndApi from './018-tester-and-api.ts'
import * as withheldAnswers from './019-withheld-answers.ts'
import * as quotaLockOrder from './020-quota-lock-order.ts'
import * as nextContent from './021-next-content.ts'
import * as search from './022-search.ts'
import * as tablesAndSites from './023-tables-and-sites.ts'
import * as searchableLists from './024-searchable-lists.ts'
import * as learning from './025-learning.ts'
import * as httpChannel from './026-http-channel.ts'
import * as webchat from './027-webchat.ts'
import * as failedParts from './028-failed-parts.ts'
import * as messagesOfMessengers from './029-messages-of-messengers.ts'
import * as accountStateSince from './030-account-state-since.ts'
import * as receipts from './032-receipts.ts'
import * as askedPages from './033-asked-pages.ts'
import * as sourceLanguages from './034-source-languages.ts'
import * as deliveryChecks from './035-delivery-checks.ts'
import * as webchatPeople from './037-webchat-people.ts'
import * as delivery from './038-delivery.ts'
import * as inbox from './040-inbox.ts'
import * as notes from './042-notes.ts'
import * as operators from './043-operators.ts'
import * as contacts from './044-contacts.ts'
import * as inboxViews from './045-inbox-views.ts'
import * as unreadAndNames from './046-unread-and-names.ts'
import * as exports from './047-exports.ts'
import * as retention from './048-retention.ts'
import * as connectionSettings from './049-connection-settings.ts'
import * as choices from './050-choices.ts'
import * as visitorFiles from './051-visitor-files.ts'
import * as visitorStreams from './052-visitor-streams.ts'
import * as searchableTables from './053-searchable-tables.ts'
import * as recovered from './054-recovered.ts'
import * as demand from './056-demand.ts'
import * as people from './057-people.ts'
import * as alerts from './059-alerts.ts'
import * as takingConversations from './061-operators.ts'
import * as caps from './063-caps.ts'
import * as explanations from './064-explanations.ts'
import * as spend from './065-spend.ts'
import * as threads from './066-threads.ts'
import * as embeddingTrust from './067-embedding-trust.ts'
import * as alertChats from './068-alert-chats.ts'
import * as pushDevices from './069-push-devices.ts'
import * as connectionHealth from './070-connection-health.ts'
import * as quarantine from './071-quarantine.ts'
import * as ratings from './072-ratings.ts'
import * as helper from './073-helper.ts'
import * as spentInConversations from './074-spent-in-conversations.ts'
import * as templates from './075-templates.ts'
import * as legalHolds from './076-legal-holds.ts'
import * as draftReaders from './077-draft-readers.ts'
import * as turnsByConversation from './078-turns-by-conversation.ts'
import * as toldUnattended from './079-told-unattended.ts'
import * as liftedHolds from './080-lifted-holds.ts'
import * as passageSize from './085-passage-size.ts'
import * as lateAndMissed from './086-late-and-missed.ts'
import * as customerIdentities from './087-customer-identities.ts'
import * as sheets from './088-sheets.ts'
import * as standIns from './089-stand-ins.ts'
import * as setbacks from './090-setbacks.ts'
import * as turnedAway from './091-turned-away.ts'
import * as gapsAndNumbers from './092-gaps-and-numbers.ts'
import * as channelSlots from './095-channel-slots.ts'
import * as businesses from './096-businesses.ts'
import * as refusedSites from './097-refused-sites.ts'
import * as documentVersions from './098-document-versions.ts'
import * as dailyLimits from './099-daily-limits.ts'
import * as forwarded from './100-forwarded.ts'
import * as writeProbe from './101-write-probe.ts'
import * as hashedTokens from './102-hashed-tokens.ts'
import * as visitorCeilings from './103-visitor-ceilings.ts'
import * as readingChoices from './105-reading-choices.ts'
import * as fileStores from './106-file-stores.ts'
import * as tableReadings from './107-table-readings.ts'
import * as chosenDelivery from './109-chosen-delivery.ts'
import * as phoneWords from './110-phone-words.ts'
import * as wordsOfSegments from './111-words-of-segments.ts'
import * as profilesAndErrors from './113-profiles-and-errors.ts'

export const migrations: Record<string, Migration> = {
  '001-accounts': accounts,
  '002-agents-and-knowledge': agentsAndKnowledge,
  '003-conversations': conversations,
  '004-engine': engine,
  '005-agent-versions': agentVersions,
  '006-linked-accounts': linkedAccounts,
  '007-attachments': attachments,
  '008-quotas': quotas,
  '009-rhythm': rhythm,
  '010-handoffs': handoffs,
  '011-agent-keys': agentKeys,
  '012-prompt-drafts': promptDrafts,
  '013-test-chat': testChat,
  '014-tables': tables,
  '015-chunk-vectors': chunkVectors,
  '016-space-sources': spaceSources,
  '017-web': web,
  '018-tester-and-api': testerAndApi,
  '019-withheld-answers': withheldAnswers,
  '020-quota-lock-order': quotaLockOrder,
  '021-next-content': nextContent,
  '022-search': search,
  '023-tables-and-sites': tablesAndSites,
  '024-searchable-lists': searchableLists,
  '025-learning': learning,
  '026-http-channel': httpChannel,
  '027-webchat': webchat,
  '028-failed-parts': failedParts,
  '029-messages-of-messengers': messagesOfMessengers,
  '030-account-state-since': accountStateSince,
  '032-receipts': receipts,
  '033-asked-pages': askedPages,
  '034-source-languages': sourceLanguages,
  '035-delivery-checks': deliveryChecks,
  '037-webchat-people': webchatPeople,
  '038-delivery': delivery,
  '040-inbox': inbox,
  '042-notes': notes,
  '043-operators': operators,
  '044-contacts': contacts,
  '045-inbox-views': inboxViews,
  '046-unread-and-names': unreadAndNames,
  '047-exports': exports,
  '048-retention': retention,
  '049-connection-settings': connectionSettings,
  '050-choices': choices,
  '051-visitor-files': visitorFiles,
  '052-visitor-streams': visitorStreams,
  '053-searchable-tables': searchableTables,
  '054-recovered': recovered,
  '056-demand': demand,
  '057-people': people,
  '059-alerts': alerts,
  '061-operators': takingConversations,
  '063-caps': caps,
  '064-explanations': explanations,
  '065-spend': spend,
  '066-threads': threads,
  '067-embedding-trust': embeddingTrust,
  '068-alert-chats': alertChats,
  '069-push-devices': pushDevices,
  '070-connection-health': connectionHealth,
  '071-quarantine': quarantine,
  '072-ratings': ratings,
  '073-helper': helper,
  '074-spent-in-conversations': spentInConversations,
  '075-templates': templates,
  '076-legal-holds': legalHolds,
  '077-draft-readers': draftReaders,
  '078-turns-by-conversation': turnsByConversation,
  '079-told-unattended': toldUnattended,
  '080-lifted-holds': liftedHolds,
  '085-passage-size': passageSize,
  '086-late-and-missed': lateAndMissed,
  '087-customer-identities': customerIdentities,
  '088-sheets': sheets,
  '089-stand-ins': standIns,
  '090-setbacks': setbacks,
  '091-turned-away': turnedAway,
  '092-gaps-and-numbers': gapsAndNumbers,
  '095-channel-slots': channelSlots,
  '096-businesses': businesses,
  '097-refused-sites': refusedSites,
  '098-document-versions': documentVersions,
  '099-daily-limits': dailyLimits,
  '100-forwarded': forwarded,
  '101-write-probe': writeProbe,
  '102-hashed-tokens': hashedTokens,
  '103-visitor-ceilings': visitorCeilings,
  '105-reading-choices': readingChoices,
  '106-file-stores': fileStores,
  '107-table-readings': tableReadings,
  '109-chosen-delivery': chosenDelivery,
  '110-phone-words': phoneWords,
  '111-words-of-segments': wordsOfSegments,
  '113-profiles-and-errors': profilesAndErrors,
}
