// The routes of knowledge: the spaces, and each part of a space under an address of its own.
import type { RouteObject } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { withPermission } from './role-guard.tsx'
import { screen } from './screen.tsx'

/** Each lazy: nothing of knowledge is in the shell. */
export const knowledgeRoutes: RouteObject[] = [
  {
    path: '/knowledge',
    handle: { section: 'knowledge' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/knowledge-page.tsx')).KnowledgePage,
      'knowledge',
      'proposals',
    ),
  },
  {
    path: '/knowledge/space/:slug',
    handle: { section: 'knowledge', entity: 'space' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/space-page.tsx')).SpacePage,
      'knowledge',
      'proposals',
      'rag-tester',
      'tables',
      'web-search',
      'conversations',
    ),
  },
  {
    path: paths.knowledgePart('documents'),
    handle: { section: 'knowledge', entity: 'space', leaf: 'documents' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/documents/documents-page.tsx')).DocumentsPage,
      'knowledge',
      'conversations',
    ),
  },
  {
    path: paths.knowledgePart('base'),
    handle: { section: 'knowledge', entity: 'space', leaf: 'base' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/notes/notes-page.tsx')).NotesPage,
      'knowledge',
      'conversations',
    ),
  },
  {
    path: paths.knowledgePart('tables'),
    handle: { section: 'knowledge', entity: 'space', leaf: 'tables' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/tables/tables-page.tsx')).TablesPage,
      'knowledge',
      'tables',
    ),
  },
  {
    path: paths.knowledgePart('web-search'),
    handle: { section: 'knowledge', entity: 'space', leaf: 'web-search' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/knowledge/web-search/web-search-page.tsx')).WebSearchPage,
      'knowledge',
      'web-search',
    ),
  },
  withPermission('agents.test', [
    {
      path: paths.knowledgePart('rag-tester'),
      handle: { section: 'knowledge', entity: 'space', leaf: 'rag-tester' } satisfies CrumbHandle,
      lazy: screen(
        async () => (await import('#web/features/knowledge/tester/rag-tester-page.tsx')).RagTesterPage,
        'knowledge',
        'rag-tester',
        'conversations',
      ),
    },
  ]),
]
