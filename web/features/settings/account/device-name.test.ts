// Names of devices in the list of sessions.
import { describe, expect, it } from 'vitest'
import { deviceName } from './device-name.ts'

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

describe('deviceName', () => {
  it.each([
    [CHROME, 'Chrome · macOS'],
    [`${CHROME} YaBrowser/24.10`, 'Yandex Browser · macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari · iOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox · Linux'],
  ])('names the browser and the system of %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name)
  })

  it('knows nothing about a program that says nothing', () => {
    expect(deviceName('curl/8.5')).toBeNull()
    expect(deviceName(null)).toBeNull()
  })
})
