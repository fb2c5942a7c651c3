import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import {
  nextPost,
  postedUpTo,
  stillOpen,
  subjectOf,
  type AuditItem,
  type AuditPosts,
} from '../../../src/governance/audit/next-post.ts';
import { auditEntry } from '../../support/builders/governance.ts';

const hourMs = 3_600_000;
const itemsOf = (...entries: Partial<AuditEntry>[]): AuditItem[] =>
  entries.map((one, index) => ({ position: index + 1, entry: auditEntry({ at: 1_000, ...one }) }));
const positionsIn = (next: ReturnType<typeof nextPost>) => next?.items.map(({ position }) => position);
const request = { request: 'r-1', action: 'requested' } as const;
const refused = { action: 'refused', by: 'U1' } as const;

test.each<[string, Partial<AuditEntry>, string | undefined]>([
  ['a change', {}, 'changes'],
  ['a read', { operation: 'list-quizzes' }, undefined],
  ['a read that was refused', { operation: 'list-quizzes', ...refused }, 'refused:U1'],
  ['a step of a request', request, 'request:r-1'],
  ['a refusal about a request', { ...request, ...refused }, 'refused:U1'],
  ['a refusal of nobody', { action: 'refused', by: undefined }, 'changes'],
  ['the row of a batch', { batch: 'b-1' }, undefined],
])('%s belongs into its post', (_, one, subject) => {
  expect(subjectOf(auditEntry(one))).toBe(subject);
});

test('a post has the first entry that is in none, and later ones of its subject', () => {
  const items = itemsOf({}, request, {}, { batch: 'b-1' }, {});
  const next = nextPost({}, items, 20, 0);
  expect(next).toMatchObject({ shows: { subject: 'changes', upTo: 5 } });
  expect(positionsIn(next)).toEqual([1, 3, 5]);
  expect(positionsIn(nextPost({}, items, 2, 0))).toEqual([1, 3]);
  const posts: AuditPosts = { changes: { messageId: '1', upTo: 5, at: 0 } };
  expect(nextPost(posts, items, 20, 0)?.shows).toEqual({ subject: 'request:r-1', upTo: 2, positions: [2] });
  expect(postedUpTo(posts, items, 0)).toBe(1);
  const both = { ...posts, 'request:r-1': { messageId: '2', upTo: 2, positions: [2], at: 0 } };
  expect(nextPost(both, items, 20, 0)).toBeUndefined();
  expect(postedUpTo(both, items, 0)).toBe(5);
  expect(postedUpTo(both, [], 7)).toBe(7);
});

test('the post of a request is changed, and shows its first entry and the last ones', () => {
  const positions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const posts: AuditPosts = { 'request:r-1': { messageId: '7', upTo: 10, positions, at: 0 } };
  const next = nextPost(posts, [{ position: 11, entry: auditEntry(request) }], 20, 0);
  expect(next).toMatchObject({ messageId: '7', shows: { upTo: 11, positions: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] } });
});

test('what a person was refused is summed up for an hour', () => {
  const items = itemsOf(refused, { ...refused, operation: 'delete-quiz' });
  const first = nextPost({}, items, 1, 1_000)!;
  expect(first.shows.refusals).toEqual({ since: 1_000, counts: { 'close-quiz': 1 } });
  const posts: AuditPosts = { 'refused:U1': { ...first.shows, messageId: '3', at: 0 } };
  expect(nextPost(posts, items, 20, 1_000 + hourMs - 1)).toMatchObject({
    messageId: '3',
    shows: { refusals: { since: 1_000, counts: { 'close-quiz': 1, 'delete-quiz': 1 } } },
  });
  const later = nextPost(posts, items, 20, 1_000 + hourMs)!;
  expect(later.messageId).toBeUndefined();
  expect(later.shows.refusals?.counts).toEqual({ 'delete-quiz': 1 });
});

test('only posts are remembered that an entry may still change, 500 of them', () => {
  const posts: AuditPosts = {
    changes: { messageId: '1', upTo: 3, at: 0 },
    'refused:U1': { messageId: '2', upTo: 1, refusals: { since: 0, counts: {} }, at: 0 },
    'request:r-1': { messageId: '3', upTo: 2, positions: [2], at: 0 },
  };
  expect(Object.keys(stillOpen(posts, 2, hourMs - 1))).toEqual(['changes', 'refused:U1', 'request:r-1']);
  expect(Object.keys(stillOpen(posts, 3, hourMs))).toEqual(['request:r-1']);
  expect(stillOpen(posts, 3, 30 * 24 * hourMs)).toEqual({});
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`request:${at}`, { messageId: `${at}`, upTo: 1, positions: [1], at }]),
  );
  const kept = Object.keys(stillOpen(many, 9, 600));
  expect([kept.length, kept.includes('request:100'), kept.includes('request:99')]).toEqual([500, true, false]);
});
