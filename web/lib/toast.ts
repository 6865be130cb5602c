// Short messages in the corner of the screen. Never the only place where an error of a form appears.
import { toast as sonner } from 'sonner'
import { describeError } from './errors.ts'

type ToastOptions = {
  description?: string
  /** Milliseconds on screen; four seconds by default. */
  durationMs?: number
  /** One button, for example Undo or Retry. */
  action?: { label: string; onClick: () => void }
  /** A toast with the same id replaces the earlier one. */
  id?: string
}

/** Success, error and notice toasts; `failure` translates a thrown error. */
export const toast = {
  success: (message: string, options?: ToastOptions) => sonner.success(message, toSonner(options)),
  notice: (message: string, options?: ToastOptions) => sonner.info(message, toSonner(options)),
  error: (message: string, options?: ToastOptions) => sonner.error(message, toSonner(options)),
  failure: (error: unknown, options?: ToastOptions) => sonner.error(describeError(error).message, toSonner(options)),
  dismiss: (id: string) => sonner.dismiss(id),
}

function toSonner(options: ToastOptions = {}) {
  const { durationMs, ...rest } = options
  return durationMs === undefined ? rest : { ...rest, duration: durationMs }
}
