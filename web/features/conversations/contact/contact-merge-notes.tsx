// What the team has noted of a contact, where it is not changed.
import type { Contact } from '#shared/messaging/contacts.ts'
import { Badge } from '#web/components/ui/badge.tsx'

/** Tags, attributes and the note of a contact, read-only. Renders nothing when there are none. */
export function ContactNotes({ tags, attributes, note }: Pick<Contact, 'tags' | 'attributes' | 'note'>) {
  return (
    <>
      {tags.length > 0 && (
        <span className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      )}
      {attributes.map(({ key, value }) => (
        <span key={key} className="break-words">
          <span className="text-muted-foreground">{key}:</span> {value}
        </span>
      ))}
      {note && <span className="whitespace-pre-wrap break-words">{note}</span>}
    </>
  )
}
