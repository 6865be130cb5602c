// The commands that a bot offers its customers in the menu of the messenger, in Russian and English.
import type { OfferedCommand } from '#server/integrations/channels/contract/commands.ts'
import {
  BUILT_IN_COMMANDS,
  type BuiltInCommand,
  type ConnectionSettings,
} from '#shared/channels/connection-settings.ts'

/** Descriptions of the commands that every bot has. */
const DESCRIPTIONS: Record<BuiltInCommand, OfferedCommand['description']> = {
  start: { ru: 'Начать разговор', en: 'Start the conversation' },
  human: { ru: 'Позвать сотрудника', en: 'Talk to a person' },
  stop: { ru: 'Больше не отвечать мне', en: 'Stop answering me' },
}

/** All commands of a connection, its own ones last. */
export function offeredCommands({ commands }: ConnectionSettings): OfferedCommand[] {
  return [
    ...BUILT_IN_COMMANDS.map((command) => ({ command, description: DESCRIPTIONS[command] })),
    ...commands.map(({ command, description: { ru, en } }) => ({
      command,
      description: { ru: ru || en, en: en || ru },
    })),
  ]
}
