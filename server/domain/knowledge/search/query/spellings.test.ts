// One word however it is written: with a hyphen, a space or neither, in either alphabet; numbers by any writing and by their end; Kazakh word forms.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { buildSegment } from '../index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '../index/searched-index.ts'
import { noneDeleted, openSegment } from '../index/segment.ts'
import { rank } from './ranking.ts'

/** As a space has it by default. */
const ENOUGH = 0.1
const OTHERS = ['Парковка у входа бесплатная.', 'The pool is open all day.', 'Таңғы ас тегін беріледі.']

/** Whether a text is found first among others, with evidence enough. */
function isFound(query: string, text: string): boolean {
  const { chunks, evidence } = search(query, [...OTHERS, text])
  return Number(chunks[0]?.chunkId) === OTHERS.length && evidence >= ENOUGH
}

/** Which of some texts is found first; -1 where none is. */
function firstOf(query: string, texts: string[]): number {
  return Number(search(query, texts).chunks[0]?.chunkId ?? -1)
}

function search(query: string, texts: string[]) {
  const chunks = texts.map((body, number) => ({
    ...{ id: String(number).padStart(32, '0') as Id<'chunks'>, title: '', headingPath: [], alsoAskedAs: [] },
    body,
  }))
  const segment = new OpenSegment(openSegment(buildSegment(chunks)))
  return rank(new SearchedIndex([new IndexPart(segment, noneDeleted(chunks.length))]), query, 1)
}

const DESK = 'Wi-Fi in the rooms is free, check-in from 14:00, e-mail of the desk is on the door.'

describe('a word', () => {
  it.each([
    ...['wifi', 'wi-fi', 'wi fi', 'Wi‑Fi', 'WIFI?', 'вайфай', 'вай-фай', 'вай фай', 'есть wifi?', 'есть вайфай у вас?'],
    ...['email', 'e-mail', 'e mail', 'имейл', 'и-мейл', 'checkin', 'check in', 'check-in', 'чекин', 'чек-ин', 'чек ин'],
  ])('of two pieces is found as %s', (query) => {
    expect(isFound(query, DESK)).toBe(true)
  })

  it.each([
    ['wi-fi', 'WiFi password: 1234'],
    ['вайфай', 'The Wi Fi is slow.'],
    ['wifi', 'Вайфай бесплатный.'],
    ['wi-fi', 'Вай-фай бесплатный.'],
    ['email', 'Имейл указан на двери.'],
    ['checkin', 'You check in from 14:00.'],
    ['online', 'Онлайн запись'],
    ['онлайн', 'Book online'],
    ['он-лайн', 'Book online'],
    ['ватсап', 'Write to us in WhatsApp'],
    ['whats app', 'Write to us in WhatsApp'],
    ['whatsapp', 'Пишите в ватсап'],
    ['вотсапп', 'Write to us in WhatsApp'],
    ['инстаграм', 'Instagram: @shop'],
    ['фейсбук', 'We are on Facebook'],
    ['скайп', 'Call us by Skype'],
    ['блютус', 'Bluetooth headphones'],
    ['шоурум', 'Our showroom is closed'],
    ['tshirt', 'T-shirt, black'],
    ['t shirt', 'T-shirts are in stock'],
    ['спацентр', 'SPA-центр'],
    ['двухместный номер', 'Номер 2-местный'],
    ['2х местный', 'Двухместный люкс'],
    ['2-х местный', 'Двухместный люкс'],
    ['трёхкомнатная', '3-комнатная квартира'],
    ['3 комнатная', 'Трёхкомнатная квартира'],
    ['пятизвёздочный', '5‑звёздочный отель'],
    ['плейстейшн', 'PlayStation 5'],
    ['юсб', 'USB-C кабель'],
    ['кьюар', 'QR-код на кассе'],
    ['сяоми', 'Xiaomi Redmi'],
    ['хуавей', 'Huawei P50'],
    ['эйрподсы', 'AirPods Pro'],
    ['инста', 'Instagram: @shop'],
    ['wifi', 'Wi–Fi в номерах'],
    ['wifi', 'Wi\u00adFi в номерах'],
    ['вайфай', 'Wi\u2212Fi в номерах'],
    ['wifi', 'Wi\u2012Fi в номерах'],
    ['wi—fi', 'WiFi в номерах'],
    ['спацентр', 'SPA–центр'],
    ['двухместный', 'Номер 2–местный'],
    ['спацентр', 'SPA—центр'],
    ['рассрочка', 'Рас\u00adсроч\u00adка на год'],
    ['рассрочка', 'Рас\u200bсрочка на год'],
    ['кабинет 204', 'Кабинет ٢٠٤'],
    ['А101', 'Кабинет А–101'],
    ['ресепшен', 'Reception is open'],
    ['ресепшн', 'Reception is open'],
    ['чекаут', 'Check-out until 12:00'],
    ['кэшбэк', 'Cashback 5%'],
    ['мини бар', 'Minibar'],
    ['видео наблюдение', 'Видеонаблюдение во дворе'],
    ['видеонаблюдение', 'Видео наблюдение во дворе'],
    ['видеонаблюдение', 'Видео-наблюдение во дворе'],
    ['шведскийстол', 'Шведский стол до десяти'],
    ['шведский стол', 'Шведскийстол до десяти'],
    ['олинклюзив', 'Ол инклюзив до вечера'],
    ['олинклюзив', 'Тариф «Ол-инклюзив»'],
    ['ол инклюзив', 'Олинклюзив до вечера'],
    ['домашниеживотные', 'С домашними животными нельзя'],
    ['фитнесзал', 'Фитнес зал в подвале'],
    ['конференц зал', 'Конференцзал на первом'],
    ['посудомоечная', 'Посудо-моечная машина'],
    ['earlycheckin', 'Early check-in costs 10'],
    ['tabletennis', 'Table tennis in the yard'],
    ['Wi—Fi', 'WiFi password: 1234'],
    ['шведскийстол', 'Завтрак: шведский стол'],
    ['шведский-стол', 'Завтрак: шведский стол'],
    ['есть шведскийстол?', 'Завтрак: шведский стол'],
    ['юрлицо', 'Договор с юр. лицом'],
    ['онлайнзапись', 'Онлайн запись'],
    ['автостоянка', 'Авто стоянка под охраной'],
    ['видео наблюдение', 'Видеонаблюдение на этажах'],
    ['видеонаблюдение', 'Видео наблюдение на этажах'],
    ['видео-наблюдения', 'Видео наблюдение на этажах'],
    ['электро оборудование', 'Электрооборудование под ключ'],
    ['ол ин клюзив', 'Олинклюзив для взрослых'],
    ['олинклюзив', 'All inclusive'],
    ['олинклюзив', 'Олл инклюзив'],
    ['ол инклюзив', 'All-inclusive'],
    ['олл-инклюзив', 'All inclusive'],
    ['all inclusive', 'Олинклюзив'],
    ['allinclusive', 'Олл инклюзив'],
    ['инклюзив', 'All inclusive'],
    ['шопинг', 'Shopping mall nearby'],
    ['shopping', 'Шопинг рядом'],
    ['офис', 'The office is closed'],
    ['месседж', 'Leave a message'],
    ['трансфер', 'Airport transfer'],
    ['кейтеринг', 'Catering for events'],
    ['румсервис', 'Room service'],
    ['room service', 'Рум-сервис'],
    ['лейтчекаут', 'Late check-out'],
    ['end to end', 'Endtoend encryption'],
    ['baby sitter', 'Babysitters on request'],
    ['swimmingpool', 'Our swimming pools'],
    ['бу', 'Телефоны б/у с гарантией'],
    ['б/у', 'Телефоны бу с гарантией'],
    ['зп', 'З/п каждую неделю'],
    ['кэшбэк', 'Кешбек пять процентов'],
    ['кешбек', 'Кэшбэк пять процентов'],
    ['фольксваген', 'Volkswagen Polo'],
    ['мерс', 'Mercedes-Benz'],
  ])('%s is found in “%s”', (query, text) => {
    expect(isFound(query, text)).toBe(true)
  })
})

describe('a number', () => {
  it.each([
    '87015550011',
    '8 701 555-00-11',
    '+7 (701) 555 00 11',
    '7015550011',
    '555-00-11',
    '5550011',
    'звонить 8(701)5550011?',
  ])('%s finds the telephone', (query) => {
    expect(isFound(query, 'Телефон: +7 701 555-00-11')).toBe(true)
    expect(isFound(query, 'Телефон 8(701)5550011')).toBe(true)
  })

  it.each([
    ['+7 701 555 00 11', 'Касса: 8 – 701 – 555 – 00 – 11'],
    ['87015550011', 'Касса: 8 (701) - 555 - 00 - 11'],
    ['87015550011', 'Касса: +7\u00a0701\u202f555\u201100\u201111'],
    ['\u202a+7 701 555‑00‑11\u202c', 'Касса: 87015550011'],
    ['8 702 555 00 22', 'Телефоны 87015550011 87025550022'],
    ['8 701 555 00 11', 'Телефоны 87015550011 – 87025550022'],
    ['+996 555 12 34 56', 'Телефон 0555 12-34-56'],
    ['+49 30 901820', 'Telefon 030 901820'],
    ['٨٧٠١٥٥٥٠٠١١', 'Касса: 87015550011'],
    ['8 701 555 00 11', 'Касса: ٨٧٠١٥٥٥٠٠١١'],
    ['８７０１５５５００１１', 'Касса: 8·701·555·00·11'],
    ['тел. 8 701 555 00 11', 'Касса: +7 (701) 555-00-11'],
  ])('%s finds a telephone written as “%s”', (query, text) => {
    expect(isFound(query, text)).toBe(true)
  })

  it.each([
    ['SH1002', 'Артикул SH-1002'],
    ['SH 1002', 'Артикул SH1002'],
    ['sh-1002', 'Артикул SH 1002'],
    ['SH1002', 'Артикул SH 1002'],
    ['123456', 'Артикул 12-34-56'],
    ['123456', 'Артикул 12 34 56'],
    ['12-34-56', 'Артикул 123456'],
    ['12 34 56', 'Артикул 123456'],
    ['м8х40', 'Болт M8x40'],
    ['m8x40', 'Болт М8х40'],
    ['M8x40', 'Болт М8х40 оцинкованный'],
    ['B12', 'Витамин В12'],
    ['бмв х5', 'BMW X5'],
    ['1с', '1C:Бухгалтерия'],
    ['1C', '1С:Бухгалтерия'],
    ['см 1020', 'Артикул CM1020'],
    ['см1020', 'Артикул CM 1020'],
    ['CM-1020', 'Артикул СМ1020'],
    ['АК47М', 'Артикул AK-47М'],
    ['с24', 'Samsung Galaxy S24'],
    ['200х300', 'Плитка 200*300'],
    ['200x300', 'Плитка 200×300'],
    ['200×300', 'Плитка 200х300'],
    ['м8*40', 'Болт M8x40'],
    ['3д', '3D-печать'],
    ['3d', '3Д-моделирование'],
    ['5л', 'Канистра 5 л'],
    ['256gb', 'Память 256 ГБ'],
    ['а 4', 'Бумага А4'],
  ])('%s finds %s', (query, text) => {
    expect(isFound(query, text)).toBe(true)
  })

  it('with letters of either alphabet is no other one', () => {
    const codes = ['Болт M8x40', 'Болт М8х45', 'Болт M6x40', 'Плитка 200x300', 'Плитка 300x200']
    expect(codes[firstOf('м8х45', codes)]).toBe(codes[1])
    expect(codes[firstOf('м6х40', codes)]).toBe(codes[2])
    expect(codes[firstOf('300*200', codes)]).toBe(codes[4])
  })

  it('is not taken for one with another end', () => {
    const phones = ['Касса: +7 701 555-00-12', 'Склад: +7 701 555-00-11', 'Бухгалтерия: +7 701 555-00-13']
    expect(phones[firstOf('87015550011', phones)]).toBe(phones[1])
    expect(phones[firstOf('8 701 555-00-13', phones)]).toBe(phones[2])
  })
})

describe('a Kazakh word', () => {
  it.each([
    ['дәрігерлерге', 'Дәрігер сағат тоғызда келеді.'],
    ['даригер', 'Дәрігердің қабылдауы ақылы.'],
    ['жеткізесіздер ме', 'Тауарды жеткізу екі күн алады.'],
    ['жеткизу', 'Біз тауарды жеткіземіз.'],
    ['кітаптарымызды', 'Кітап сатылады.'],
    ['мекенжайларыңыз', 'Мекенжайымыз: Абай көшесі.'],
    ['женилдик бар ма', 'Зейнеткерлерге жеңілдіктер беріледі.'],
  ])('%s is found in «%s»', (query, text) => {
    expect(isFound(query, text)).toBe(true)
  })

  it('is found by its everyday topic in Russian', () => {
    expect(isFound('жеткізу бар ма', 'Доставка по городу занимает день.')).toBe(true)
  })
})
