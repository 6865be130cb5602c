// The part of the untyped package `snowball-stemmers` that is used here.
declare module 'snowball-stemmers' {
  const snowball: { newStemmer(language: 'russian' | 'english'): { stem(word: string): string } }
  export default snowball
}
