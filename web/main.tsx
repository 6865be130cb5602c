// Starts the web client.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app/styles/index.css'
import { App } from './app/app.tsx'
import { unregisterOtherWorkers } from './lib/browser/service-worker.ts'
import { startTheme } from './lib/browser/theme.ts'
import { startTrustedTypes } from './lib/browser/trusted-types.ts'
import { startI18n } from './lib/i18n.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

startTrustedTypes()
startTheme()
unregisterOtherWorkers()
await startI18n()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
