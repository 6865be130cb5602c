// Telephone numbers as people write them. What is a number of which country the library knows.
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** After a plus one digit for itself: no code of a country but 1 and 7 has one. */
const PREFIX_APART = /^\s*\+\s?\d\s/

/** The countries of a time zone, by the zone's name. Built on first use. */
let countries: Map<string, CountryCode> | undefined

/**
 * The country that a time zone lies in; undefined where it lies in none, as UTC.
 *
 * @param timeZone name in the IANA database
 */
export function countryOfTimeZone(timeZone: string): CountryCode | undefined {
  countries ??= new Map(getCountries().flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)))
  return countries.get(timeZone) ?? countries.get(canonical(timeZone))
}

/**
 * A full number, digits without the plus; null: invalid, or its country is unknown.
 *
 * @param typed with the code of its country or, in `country`, in national format
 * @source E.164
 */
export function internationalPhone(typed: string, country: CountryCode | undefined): string | null {
  const plain = typed.normalize('NFKC').replace(/[^\p{L}\p{Nd}+]+/gu, ' ')
  const digits = plain.replace(/\P{Nd}/gu, '')
  const ways = [typed, plain, `+${digits.replace(/^00/, '')}`].map((way) => parsePhoneNumberFromString(way, country))
  const dialled = dialledAfterPlus(plain, country)
  if (dialled && PREFIX_APART.test(plain)) ways.unshift(dialled)
  else ways.push(dialled)
  const number = ways.find((read) => read?.isValid())
  return number ? number.number.slice(1) : null
}

/**
 * A number with a plus before the digit that is dialled first within its country, as many in Russia and Kazakhstan write it: +8 701, which begins
 * as numbers of other countries do.
 */
function dialledAfterPlus(plain: string, country: CountryCode | undefined) {
  if (!plain.trimStart().startsWith('+')) return undefined
  const number = parsePhoneNumberFromString(plain.replace('+', ''), country)
  return number?.nationalNumber === plain.replace(/\P{Nd}/gu, '').slice(1) ? number : undefined
}

/** A full number as it is dialled within its country, without the digit that is dialled before it; null: it is no valid number. */
export function nationalNumber(digits: string): string | null {
  const number = parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)
  return number?.isValid() ? number.nationalNumber : null
}

/** TypeScript does not know the method yet. */
function zonesOf(country: CountryCode): string[] {
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? []
}

/** Zones have several names, of which the lists of countries hold one. */
function canonical(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return timeZone // a zone that the database knows and this process does not
  }
}
