// Settings of a connection: its own texts, the commands that customers may send, and when a new conversation begins.
import * as z from 'zod/mini'
import { COMMAND_DESCRIPTION_MAX, COMMANDS_MAX, NOTICE_MAX, SESSION_MAX_MINUTES } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** Commands of every bot: the agent greets or resumes, a person is called, the agent is paused. */
export const BUILT_IN_COMMANDS = ['start', 'human', 'stop'] as const
export type BuiltInCommand = (typeof BUILT_IN_COMMANDS)[number]

/** As Telegram allows them. @source core.telegram.org/bots/api#botcommand */
const COMMAND_PATTERN = /^[a-z0-9_]{1,32}$/

const notice = z.string().check(z.trim(), z.maxLength(NOTICE_MAX))
const description = z.string().check(z.trim(), z.maxLength(COMMAND_DESCRIPTION_MAX))

/** A command: its description in the menu, and what it does. An empty description falls back to the other language. */
const command = z
  .strictObject({
    command: z.string().check(
      z.trim(),
      z.regex(COMMAND_PATTERN),
      z.refine((name) => !BUILT_IN_COMMANDS.some((builtIn) => builtIn === name)),
    ),
    description: z.strictObject({ ru: description, en: description }),
    /**
     * `text` answers with the text, `handoff` calls a person and sends the text to the customer; empty: the text of the agent's settings.
     */
    action: z.enum(['text', 'handoff']),
    text: notice,
  })
  .check(
    z.refine(({ description: { ru, en } }) => ru !== '' || en !== '', { path: ['description'] }),
    z.refine(({ action, text }) => action !== 'text' || text !== '', { path: ['text'] }),
  )

const fields = {
  /** Off: the agent does not answer on this connection, and customers receive the offline text. */
  isAgentOn: z.boolean(),
  /** The answer to /start; empty: the agent greets. */
  welcomeText: notice,
  /** Sent once outside of the agent's hours and while it is off; empty: the text of the agent's settings. */
  offlineText: notice,
  /** The answer to /stop; empty: a sentence in the customer's language. */
  stopText: notice,
  /**
   * Minutes of silence after which the next message starts a new conversation: the agent does not receive the earlier messages. Null:
   * never.
   */
  sessionMinutes: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(SESSION_MAX_MINUTES))),
  commands: z.array(command).check(
    z.maxLength(COMMANDS_MAX),
    z.superRefine((commands, ctx) => {
      for (const [at, { command: name }] of commands.entries()) {
        const isTwice = commands.findIndex((each) => each.command === name) < at
        if (isTwice) ctx.addIssue({ code: 'custom', path: [at, 'command'], input: name })
      }
    }),
  ),
}

/** Stored settings. Parsing fills in fields that were added after they were saved. */
export const connectionSettings = z.object({
  isAgentOn: z._default(fields.isAgentOn, true),
  welcomeText: z._default(fields.welcomeText, ''),
  offlineText: z._default(fields.offlineText, ''),
  stopText: z._default(fields.stopText, ''),
  sessionMinutes: z._default(fields.sessionMinutes, null),
  commands: z._default(fields.commands, () => []),
})
export type ConnectionSettings = z.infer<typeof connectionSettings>
export type CustomCommand = ConnectionSettings['commands'][number]

/** Settings as entered: all of them. */
export const enteredSettings = z.strictObject(fields)
export const configureTelegramInput = z.strictObject({
  connectionId: id('channelConnections'),
  settings: enteredSettings,
})
