// Who the customer is to the team: name, tags, attributes, a note, and earlier conversations.

import { useState } from 'react'
import { Link } from 'react-router'
import { channelName } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { ContactData } from './contact-data.tsx'
import { ContactForm } from './contact-form.tsx'
import { ContactMerge } from './contact-merge.tsx'

type ContactSectionProps = {
  customerId: Id<'customers'>
  /** The one that is open; not listed among the others. */
  conversationId: Id<'conversations'>
  onDirtyChange: (isDirty: boolean) => void
}

/** What a colleague saves meanwhile shows after one's own is saved or thrown away. */
export function ContactSection({ customerId, conversationId, onDirtyChange }: ContactSectionProps) {
  const { t } = useTranslation('conversations')
  const contact: Contact | undefined = useQuery(api.conversations.contacts.get, { customerId })
  const [saves, setSaves] = useState(0)
  if (!contact) {
    return (
      <Delayed>
        <Skeleton className="h-96" />
      </Delayed>
    )
  }
  const others = contact.conversations.filter((conversation) => conversation._id !== conversationId)
  return (
    <section className="flex flex-col gap-4">
      <dl className="flex flex-col gap-1 text-sm">
        {contact.identifiers.map(({ channel, connection, externalId, username }) => (
          <div key={`${channel} ${connection} ${externalId}`} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="text-muted-foreground">
              {channelName(channel, currentLanguage())} · {connection}
            </dt>
            <dd className="min-w-0 break-all">{username ? `@${username} (${externalId})` : externalId}</dd>
          </div>
        ))}
      </dl>
      <WritableBy permission="contacts.write">
        <ContactForm
          key={`${contact._id} ${saves}`}
          contact={contact}
          onDirtyChange={onDirtyChange}
          onSaved={() => setSaves(saves + 1)}
        />
        {others.length > 0 && (
          <div className="flex flex-col gap-1.5">
            <h3 className="font-semibold">{t(($) => $.contact.earlier)}</h3>
            <ul className="flex flex-col gap-1 text-sm">
              {others.map((conversation) => (
                <li key={conversation._id}>
                  <Link to={paths.conversation(conversation._id)} className="underline-offset-2 hover:underline">
                    {channelName(conversation.channel, currentLanguage())} · {conversation.agentName}
                  </Link>{' '}
                  <DateTime at={conversation.lastMessageAt} className="text-muted-foreground text-xs" />
                </li>
              ))}
            </ul>
          </div>
        )}
        <ContactMerge contact={contact} />
      </WritableBy>
      <WritableBy permission="data.write" isQuiet>
        <ContactData contact={contact} />
      </WritableBy>
    </section>
  )
}
