// A file dialog without an upload area.

/** The open input: browsers may drop an element without references. */
let opened: HTMLInputElement | null = null

/** Opens the file dialog for one file; must run in a user gesture. `onFile` is not called when the dialog is cancelled. */
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
