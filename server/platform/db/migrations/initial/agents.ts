// Tables of agents and their versions.

export const agents: string[] = [
  `create table agents (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    slug text not null,
    name text not null,
    avatar text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    live_version integer not null default 1,
    latest_version integer not null default 1,
    unique (organization_id, id),
    unique (organization_id, slug)
  )`,
  `create table agent_keys (
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null,
    provider text not null,
    key text not null,
    key_tail text not null,
    updated_at timestamptz not null default now(),
    primary key (agent_id, provider),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade
  )`,
  `create table agent_knowledge_spaces (
    organization_id text not null,
    agent_id text not null,
    knowledge_space_id text not null,
    created_at timestamptz not null default now(),
    disabled_sources jsonb not null default '[]',
    tags jsonb not null default '[]',
    languages jsonb not null default '[]',
    primary key (agent_id, knowledge_space_id),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade,
    foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade
  )`,
  `create index agent_knowledge_spaces_space on agent_knowledge_spaces (organization_id, knowledge_space_id)`,
  `create table agent_versions (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null,
    number integer not null,
    settings jsonb not null,
    author_id text references users(id) on delete set null,
    restored_from integer,
    created_at timestamptz not null default now(),
    unique (agent_id, number),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade
  )`,
  `create index agent_versions_agent on agent_versions (organization_id, agent_id, number desc)`,
  `create table prompt_drafts (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null,
    user_id text not null references users(id) on delete cascade,
    description text not null,
    language text not null check (language in ('ru', 'en')),
    status text not null check (status in ('streaming', 'complete', 'failed')),
    text text not null,
    reason text,
    created_at timestamptz not null default now(),
    unique (agent_id, user_id),
    foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade
  )`,
]
