// What is wrong with the settings of a bot as they stand in the form. Pure.
import { type ConnectionSettings, enteredSettings } from '#shared/channels/connection-settings.ts'

/** Places of what is wrong, such as `commands.0.text`. */
export function wrongPaths(draft: ConnectionSettings): string[] {
  const parsed = enteredSettings.safeParse(draft)
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'))
}

/** Whether something at this place, or inside it, is wrong. */
export function isWrong(wrong: string[], path: string): boolean {
  return wrong.some((each) => each === path || each.startsWith(`${path}.`))
}
