// Functions of an agent: all that it can do besides talking, and how that goes.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import type { ToolRefusal } from '#shared/messaging/trace.ts'
import { id } from '#shared/schema.ts'
import type { ToolFailure } from './tools.ts'

/** Functions that every agent can have. */
export const BUILT_IN_FUNCTIONS = ['knowledge', 'tables', 'webSearch', 'calendar', 'handoff', 'choices'] as const
export type BuiltInFunction = (typeof BUILT_IN_FUNCTIONS)[number]
/** The tools behind each, as models know them; knowledge may be called otherwise by the agent's settings. */
export const TOOLS_OF_FUNCTION: Record<BuiltInFunction, readonly string[]> = {
  knowledge: ['search_knowledge'],
  tables: ['query_table', 'find_tables'],
  webSearch: ['search_web', 'read_web_page'],
  calendar: ['find_free_times', 'book_time', 'move_booking', 'cancel_booking', 'list_bookings'],
  handoff: ['hand_off'],
  choices: ['offer_choices'],
}
/** Names that no tool of an organization may have. */
export const BUILT_IN_TOOLS: readonly string[] = Object.values(TOOLS_OF_FUNCTION).flat()
/** Days of which calls are counted. */
export const FUNCTION_DAYS = 7
/** Calls that are listed of one function. */
export const FUNCTION_CALLS_MAX = 20

export const agentFunctionsOverviewInput = z.strictObject({ agentId: id('agents') })
/** `name`: as the model knows the tool of the organization, or a built-in function. */
export const functionCallsInput = z.strictObject({ agentId: id('agents'), name: z.string().check(z.maxLength(64)) })

/** One call. `refusal`: why it was not carried out. */
export type FunctionCall = {
  turnId: Id<'turns'>
  position: number
  conversationId: Id<'conversations'>
  name: string
  hasFailed: boolean
  refusal: ToolRefusal | null
  durationMs: number
  at: number
}

/** What the calls of the last days came to. `costMicroUsd`: of the function itself; null: it costs nothing. */
type FunctionUse = { calls: number; failures: number; lastAt: number | null; costMicroUsd: number | null }

/** A function of an agent. `isMissing`: it is on, and has nothing to work with, such as a space. */
export type AgentFunctionState = FunctionUse & { isOn: boolean } & (
    | { kind: 'built-in'; name: BuiltInFunction; isMissing: boolean }
    | {
        kind: 'http'
        name: string
        toolId: Id<'httpTools'>
        description: string
        failing: { times: number; failure: ToolFailure; at: number } | null
      }
    | {
        kind: 'mcp'
        name: string
        toolId: Id<'mcpTools'>
        /** The name of its server. */
        server: string
        description: string
        /** Whether models are given it as things stand. */
        isOffered: boolean
        failing: { times: number; failure: ToolFailure; at: number } | null
      }
  )
