type Kind = 'string' | 'hash' | 'set' | 'sorted set' | 'list' | 'any';

/** What a key holds, and when it is forgotten. Redis deletes a hash, set or list by itself when it is empty. */
type KeyFacts = readonly [kind: Kind, holds: string, forgotten: string];

/**
 * Every key in Redis, each after `invigilator:`. While state moves there from SQLite, its keys begin with `invigilator-move:`.
 * `<name>` stands for any text; a key that fits several lines is that of the first. Times are milliseconds since the epoch.
 * The request budget's keys are its own, `quiz-budget:{<account>}:…` (quiz-api/budget/redis-ledger.ts), and expire.
 */
export const redisKeys = {
  // The store itself.
  schema: ['string', 'the version of these keys (storage.ts)', 'never'],
  store: ['hash', 'the identity of the content: `id`, and `generation`, which each check raises', 'never'],
  probe: ['string', 'what a check of the store has written', 'after a minute'],
  'lease:<name>': ['string', 'the token of the holder of a lease', 'at the end of the lease'],
  '<namespace>::<key>': ['string', 'a keyed value as Keyv writes it (keyed-values.ts)', 'as its namespace says'],

  // The audit trail of a workspace.
  '{audit:<team>}:links': ['list', 'the chain of entries, the oldest first', 'never'],
  '{audit:<team>}:head': ['hash', '`position` and `hash` of the last entry, so that a missing end shows', 'never'],

  // Events that were taken, so that none is taken twice. A subject is <quiz>/<response>.
  '{alerts}:known': ['sorted set', 'IDs of events, by when they were taken', 'after 30 days'],
  '{alerts}:known-subjects': ['sorted set', 'their subjects, likewise', 'likewise'],
  '{alerts}:backfilled-subjects': ['sorted set', 'those that the bot found without a webhook, likewise', 'likewise'],

  '{alerts}:results': ['hash', 'what the last event told of a subject (domain/result.ts)', 'with the subject'],

  // The outbox: entries of the queues of domain/queues.ts, each with a position and a subscription.
  '{alerts}:position': ['string', 'the last position that was given', 'never'],
  '{alerts}:entries:<queue>': ['hash', 'entries by position', 'when a commit has dealt with them'],
  '{alerts}:owners:<queue>': ['hash', 'subscriptions by position', 'with the entry'],
  '{alerts}:owned:<queue>': ['set', 'subscriptions with an entry in the queue', 'with their last entry'],
  '{alerts}:places:<queue>:<subscription>': ['sorted set', 'positions in their order', 'with the entry'],
  '{alerts}:ages:<queue>:<subscription>': ['sorted set', 'positions, by when they were put there', 'with the entry'],
  '{alerts}:queues': ['set', 'queues with an entry', 'with their last entry'],
  '{alerts}:queues-of:<subscription>': ['set', 'queues with an entry of the subscription', 'with their last entry'],

  // What queues know between two runs.
  '{alerts}:state:<queue>': [
    'hash',
    '`state`, and `version`, which each commit raises; of a large one, `part:<n>` and their number, `parts`',
    'at rest, by kind: person and step after 30 days, batch after 60, campaign and live after RETENTION_YEARS; the others never',
  ],
  '{alerts}:changed:<kind>': ['sorted set', 'queues of a kind, by when their states last changed', 'with the state'],
  '{alerts}:busy': ['set', 'queues that run at the start even if nothing waits in them', 'when they are at rest'],
  '{alerts}:unreadable': ['hash', 'what could not be read, by the place it was taken from', 'never'],

  // When queues run.
  'queues:planned': ['hash', 'when a queue is to run, by queue', 'when it runs'],
  'queues:<any>': ['any', 'BullMQ’s own: a job for each queue that is to run', 'when it has run'],
} as const satisfies Record<string, KeyFacts>;

type RedisKey = keyof typeof redisKeys;

type Names<Key extends string> = Key extends `${string}<${string}>${infer Rest}` ? [string, ...Names<Rest>] : [];

/** The name of a key. @param names what stands for each `<name>`; an empty last one gives what the names of all such keys begin with */
export function redisKey<Key extends RedisKey>(prefix: string, key: Key, ...names: Names<Key>): string {
  let n = 0;
  return `${prefix}:${key.replace(/<\w+>/g, () => names[n++] ?? '')}`;
}
