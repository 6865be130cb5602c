// A file dialog without an upload area.

/** The one that is open: a browser may drop an element that nothing holds on to. */
let opened: HTMLInputElement | null = null

/** Opens the file dialog for one file, within what somebody has pressed; `onFile` hears of none when it is closed without one. */
export function chooseFile(extensions: readonly string[], onFile: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = extensions.join(',')
  input.onchange = () => {
    opened = null
    const file = input.files?.[0]
    if (file) onFile(file)
  }
  opened = input
  opened.click()
}
