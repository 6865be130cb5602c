// Calls of the sweep over functions: the brand of the installation and of an organization.
import type { SweptCall } from './calls.ts'

const settings = {
  ...{ name: 'Sweep', accentLight: '#2454c7', accentDark: '#86abff', senderName: '', replyTo: '' },
  ...{ footer: 'own', footerText: 'By Sweep', footerUrl: 'https://sweep.example' },
}

export const BRANDING_CALLS: Record<string, SweptCall> = {
  'admin/branding:get': { args: () => ({}) },
  'admin/branding:removePicture': { args: () => ({ picture: 'icon' }) },
  'admin/branding:update': { args: () => ({ ...settings, senderAddress: '' }) },
  'branding:get': { args: () => ({}) },
  'branding:removePicture': { args: () => ({ picture: 'icon' }) },
  'branding:shown': { args: () => ({}) },
  'branding:update': { args: () => settings },
}
