// The name of each kind of attachment, for models and for exported files.
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

/** By language, in the singular. */
export const ATTACHMENT_NAMES: Record<'ru' | 'en', Record<AttachmentKind, string>> = {
  ru: {
    voice: 'Голосовое сообщение',
    audio: 'Запись',
    image: 'Изображение',
    video: 'Видео',
    video_note: 'Видеосообщение',
    document: 'Файл',
    sticker: 'Стикер',
    location: 'Место',
    contact: 'Контакт',
    other: 'Вложение другого вида',
  },
  en: {
    voice: 'Voice message',
    audio: 'Recording',
    image: 'Picture',
    video: 'Video',
    video_note: 'Video message',
    document: 'File',
    sticker: 'Sticker',
    location: 'Location',
    contact: 'Contact',
    other: 'Other attachment',
  },
}
