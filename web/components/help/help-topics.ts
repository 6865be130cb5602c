// The help pages: what they are about and where they stand.
import { paths } from '#web/lib/paths.ts'

/** Topic → its address. */
export const HELP_PATHS = {
  modelOverrides: paths.helpModelOverrides,
  diagnostics: paths.helpDiagnostics,
  retrievalContext: paths.helpRetrievalContext,
  runtimeControls: paths.helpRuntimeControls,
  automations: paths.helpAutomations,
} as const

export type HelpTopic = keyof typeof HELP_PATHS
export const HELP_TOPICS = Object.keys(HELP_PATHS) as HelpTopic[]
