import { mendsOf, type Mend } from './mend.ts';

/** Of messages that go out, each once. */
export const delivery: readonly Mend[] = [
  ...mendsOf('src/durable/posting.ts', 'test/durable/posting.test.ts', {
    'a message that may have arrived is looked for during 40 seconds': [
      'const looksAfterMs = [2_000, 5_000, 10_000, 20_000, 40_000];',
      'const looksAfterMs = [2_000, 5_000];',
    ],
    'the platform’s pause is kept': ['if (retryAfterMs !== undefined) return retryAfterMs;', ''],
    'a message that is refused for its length is posted in halves': ['most: Math.floor(entries / 2)', 'most: entries'],
  }),
  ...mendsOf('src/features/delivery/channel-machine.ts', 'test/features/delivery/channel-machine.test.ts', {
    'a subscription that was made meanwhile keeps its entries': [
      'take: step.orphans.filter(isOrphan).map(',
      'take: step.orphans.filter((one) => isOrphan(one) || one).map(',
    ],
  }),
];
