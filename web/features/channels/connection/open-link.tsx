// The link from the page of a connection to the chat where customers write.
import { ExternalLink } from 'lucide-react'
import { buttonClasses } from '#web/components/ui/button.tsx'

/** Opens in a new tab. */
export function OpenLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClasses()}>
      <ExternalLink aria-hidden="true" />
      {label}
    </a>
  )
}
