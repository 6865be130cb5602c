// What the frame and the page around it tell each other. Each side checks who speaks before it looks at what is said.

/** To the page around: how much room the frame takes, and where. */
export type FrameMessage = { parley: 'frame'; isOpen: boolean; position: 'left' | 'right' }
/** To the frame: the page's own script opens or closes the chat. */
export type HostMessage = { parley: 'host'; isOpen: boolean }

/** Whether these are words of the page around. */
export function isHostMessage(data: unknown): data is HostMessage {
  if (typeof data !== 'object' || data === null) return false
  const { parley, isOpen } = data as Partial<HostMessage>
  return parley === 'host' && typeof isOpen === 'boolean'
}
