// The interface of tools that a model may call while it answers.

/** Something the model may call while it answers. Its subject comes from the turn, never from the model. */
export type Tool = {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** It looks nothing up and costs nothing: only the limit per step applies to it. */
  isFree?: true
  run(args: unknown, signal: AbortSignal): Promise<unknown>
}
