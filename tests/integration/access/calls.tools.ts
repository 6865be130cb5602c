// Calls of the sweep over functions: tools of organizations, their vault, and the functions of agents.
import type { SweptCall } from './calls.ts'

const tool = {
  ...{ name: 'order_status', description: 'The state of an order', method: 'GET' },
  ...{ url: 'https://api.shop.example/orders/{number}', headers: [], body: '', fields: [], bound: [] },
  ...{ approval: 'none', title: '' },
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  ...{ timeoutSeconds: 1, maxKilobytes: 1, perTurn: 1, perDay: 10 },
}

export const TOOLS_CALLS: Record<string, SweptCall> = {
  'agentFunctions:calls': { args: ({ agentId }) => ({ agentId, name: 'knowledge' }) },
  'agentFunctions:list': { args: ({ agentId }) => ({ agentId }) },
  'agentFunctions:overview': { args: ({ agentId }) => ({ agentId }) },
  'conversations/approvals:approve': { args: ({ toolApprovalId }) => ({ approvalId: toolApprovalId }) },
  'conversations/approvals:decline': { args: ({ toolApprovalId }) => ({ approvalId: toolApprovalId }) },
  'conversations/approvals:list': { args: () => ({}) },
  'tools/vault:addHost': { args: () => ({ host: 'api.sweep.example' }) },
  'tools/vault:hosts': { args: () => ({}) },
  'tools/vault:removeHost': { args: () => ({ host: 'api.sweep.example' }) },
  'tools/vault:removeSecret': { args: ({ toolSecretId }) => ({ secretId: toolSecretId }) },
  'tools/vault:secrets': { args: () => ({}) },
  'tools/vault:setSecret': { args: () => ({ name: 'New', host: 'api.sweep.example', value: 'of-the-sweep' }) },
  'tools:create': { args: () => ({ tool }) },
  'tools:list': { args: () => ({}) },
  'tools:remove': { args: ({ httpToolId }) => ({ toolId: httpToolId }) },
  'tools:test': { args: ({ httpToolId }) => ({ toolId: httpToolId, arguments: {}, bound: {} }) },
  'tools:update': { args: ({ httpToolId }) => ({ toolId: httpToolId, tool }) },
}
