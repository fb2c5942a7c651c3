import type { Subscription } from '../../src/domain/subscription.ts';

/** A channel hears of everything. */
export function subscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    id: 's-1',
    teamId: 'T1',
    channelId: 'C1',
    ownerId: 'U00000ADA',
    quiz: null,
    filter: { kind: 'all' },
    delivery: { kind: 'each' },
    timeZone: 'UTC',
    showsNames: true,
    createdAt: 1_000,
    pause: null,
    ...overrides,
  };
}
