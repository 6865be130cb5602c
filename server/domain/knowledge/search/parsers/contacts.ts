// What the frame of a page is read for: how to reach the business, where and when.

const CONTACT =
  /\(?\+\d[\d\s().-]{7,}\d|(?<!\d)8[\s(-]*\d{3}[\s)-]*\d{3}[\s-]?\d{2}[\s-]?\d{2}|\S@\S+\.\p{L}{2,}|(?:wa\.me|t\.me|whatsapp|viber)|\d{1,2}[:.]\d{2}\s*(?:[-–—]|до|to|till)\s*\d{1,2}[:.]\d{2}|(?:^|[\s,])(?:ул\.|улица|пр\.|просп|проспект|мкр|street|avenue|көшесі|даңғылы)(?=[\s,.]|$)|(?:БИН|ИИН|ИНН|BIN)\s*:?\s*\d{10,12}/iu

/** Whether a text says how to reach the business, where or when. */
export function saysContact(text: string): boolean {
  return CONTACT.test(text)
}
