// Calls of the sweep over functions: the audit trail, of an organization and of all, and of the administration.
import type { SweptCall } from './calls.ts'

const pages = { paginationOpts: { numItems: 10, cursor: null } }

export const AUDIT_CALLS: Record<string, SweptCall> = {
  'admin/audit:choices': { args: ({ organizationId }) => ({ range: 'all', organizationId }) },
  'admin/audit:export': { args: ({ organizationId }) => ({ range: 'all', organizationId, language: 'en' }) },
  'admin/audit:list': { args: ({ organizationId }) => ({ range: 'all', organizationId, ...pages }) },
  'admin/models:list': { args: () => ({}) },
  'admin/models:prices': { args: () => ({ model: 'openai/gpt-5' }) },
  'admin/models:setDefault': { args: () => ({ model: null }) },
  'admin/models:setOffered': { args: () => ({ model: 'openai/gpt-5', isOffered: true }) },
  'admin/models:setPrice': { args: () => ({ model: 'openai/gpt-5', price: null }) },
  'admin/overview:get': { args: () => ({ range: '30d' }) },
  'admin/template:agents': { args: () => ({}) },
  'admin/template:get': { args: () => ({}) },
  'admin/template:preview': { args: ({ agentId }) => ({ agentId, text: 'Be polite' }) },
  'admin/template:restore': { args: () => ({ number: 1 }) },
  'admin/template:update': { args: () => ({ text: 'Be polite' }) },
  'admin/template:versions': { args: () => ({ ...pages }) },
  'organizations/audit:choices': { args: () => ({ range: 'all' }) },
  'organizations/audit:export': { args: () => ({ range: 'all', language: 'en' }) },
  'organizations/audit:list': { args: () => ({ range: 'all', ...pages }) },
}
