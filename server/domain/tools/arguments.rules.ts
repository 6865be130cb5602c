// Arguments that a model gives → checked by the tool's JSON Schema. What it does not name is refused.
import { type ZodType, z } from 'zod'
import type { ToolParameters } from '#shared/tools/tools.ts'

/** JSON Schema as the model receives it. */
export function schemaOf({ properties, required = [] }: ToolParameters): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The schema as a check. */
export function argumentsSchema(parameters: ToolParameters): ZodType {
  return z.fromJSONSchema(schemaOf(parameters) as Parameters<typeof z.fromJSONSchema>[0])
}
