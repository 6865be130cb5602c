// What every installation begins with: the plans, and where the log of writes begins.

export const rows: string[] = [
  `insert into plans (slug, name, monthly_messages, sort_order, is_default, features) values
    ('parking', 'Parking', 1000, 0, true, '{"ru": [], "en": []}'),
    ('starter', 'Starter', null, 1, false, '{"ru": ["До 5 сотрудников", "Базы знаний без ограничений", "Поддержка по почте в течение 24 часов"], "en": ["Up to 5 workspace members", "Unlimited knowledge spaces", "Email support within 24 hours"]}'),
    ('pro', 'Pro', null, 2, false, '{"ru": ["Приоритетные WhatsApp и Telegram", "Аналитика диалогов", "Доступ по ролям"], "en": ["Priority WhatsApp and Telegram", "Conversation analytics", "Role-based access"]}'),
    ('enterprise', 'Enterprise', null, 3, false, '{"ru": [], "en": []}')`,
  `insert into write_log_horizon (xid) values ('0')`,
]
