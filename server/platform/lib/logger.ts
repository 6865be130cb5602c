// The logger's type and maker. JSON lines; tokens and authorization headers are struck out.
import { type Logger, pino } from 'pino'

export type { Logger }

/** A logger for the whole process. Secrets in the usual places are replaced by "[redacted]". */
export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: {
      paths: ['token', 'authorization', '*.token', '*.authorization', 'headers.cookie', 'req.headers.authorization'],
      censor: '[redacted]',
    },
  })
}
