// Starts the chat, in a frame or as a page of its own.
import { createRoot } from 'react-dom/client'
import { ApiClient } from './api-client.ts'
import { readPlace } from './frame.ts'
import { FramedVisitor } from './framed-chat.tsx'
import { PageChat } from './page-chat.tsx'
import './styles.css'
import { languageFor } from './texts.ts'

const place = readPlace(window.location)
const language = languageFor(place.language)
document.documentElement.lang = language
document.documentElement.classList.toggle('framed', place.host !== null)
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    place.host === null ? (
      <PageChat door={new ApiClient(place.key)} language={language} />
    ) : (
      <FramedVisitor widgetKey={place.key} language={language} host={place.host} />
    ),
  )
}
