// The passwords that attackers try first, among those long enough to be accepted. Loaded when a user chooses a password.

const COMMON = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 0123456789
  87654321 987654321 11111111 22222222 88888888 99999999 00000000 11223344 12341234 12344321 123123123 147258369
  123456789a 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 asdfghjkl zxcvbnm1
  abcd1234 abc12345 a1234567 aa123456 iloveyou sunshine princess football baseball superman trustno1 starwars
  whatever computer michelle jennifer welcome1 letmein1 administrator admin123 changeme qazwsxedc`.split(/\s+/),
)

/** Whether a password is in the list, ignoring case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase())
}
