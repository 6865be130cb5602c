// Word → stem: Snowball Russian for words with Russian letters, Snowball English for the others.
import snowball from 'snowball-stemmers'

const CACHE_SIZE = 200_000

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')
const cache = new Map<string, string>()

/** The stem of a normalised word; digits stay unchanged. */
export function stem(word: string): string {
  const known = cache.get(word)
  if (known !== undefined) return known
  if (cache.size >= CACHE_SIZE) cache.clear()
  const stemmed = stemUncached(word)
  cache.set(word, stemmed)
  return stemmed
}

/** Only digits. */
export function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word)
}

function stemUncached(word: string): string {
  if (isNumber(word)) return word
  return (/[а-я]/.test(word) ? russian : english).stem(word)
}
