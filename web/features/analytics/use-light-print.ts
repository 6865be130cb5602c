// A page is printed as it looks in daylight, whatever the theme on screen.
import { useEffect } from 'react'

/** While mounted: takes the dark theme off for as long as the browser prints. */
export function useLightPrint(): void {
  useEffect(() => {
    const { classList } = document.documentElement
    let wasDark = false
    const begin = () => {
      wasDark = classList.contains('dark')
      classList.remove('dark')
    }
    const end = () => classList.toggle('dark', wasDark)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
}
