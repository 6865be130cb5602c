// References between tables of different parts, where each part needs the other.

export const references: string[] = [
  `alter table reroutes add foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade`,
  `alter table delivery_attempts add foreign key (outbox_id) references outbox(id) on delete cascade`,
]
