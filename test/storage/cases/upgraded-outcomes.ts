import { expect } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { version4 } from '../../support/version-3.ts';

export const upgradedQueue = 'channel/T1/C1';

/** What a store holds that version 3 filled with the content of `test/support/version-3.ts`. */
export async function expectUpgradedOutcomes({ inbox, outbox }: Storage): Promise<void> {
  expect(
    (await outbox.waiting(upgradedQueue, { limit: 10 })).map(({ position, subscriptionId, at, content }) => [
      position,
      subscriptionId,
      at,
      content,
    ]),
  ).toEqual([
    [3, 's-1', 1_000, version4.failed],
    [4, 's-1', 1_100, version4.digest],
  ]);
  expect(await outbox.stateOf(upgradedQueue)).toEqual({ version: 5, state: version4.state });
  expect((await inbox.waiting(10, 0)).map(({ id, content }) => [id, content])).toEqual([
    ['survey', version4.survey],
    ['hint', version4.hint],
  ]);
}
