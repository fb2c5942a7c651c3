import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openKillAt } from '../support/kills/kill-at.ts';
import { inTheAccount, manyChanges } from '../support/many-changes.ts';
import { redisMissing } from '../support/redis.ts';
import { textOf } from '../support/open-test-bed.ts';

const { ada } = people;

describe('a bot killed before the first change of a batch, whose owner lost the right meanwhile,', () => {
  const stopped = { said: expect.stringMatching(/⚠️.*can’t manage users/), reinstatements: [] };

  async function afterKill(store: 'sqlite' | 'redis'): Promise<{ said: string; reinstatements: string[] }> {
    const testBed = await openKillAt({ store });
    const { workspace, passed, killAt } = testBed;
    const { change, userId } = inTheAccount(testBed);
    const { start, progress } = manyChanges(testBed, ada.id);
    const preview = await (await workspace.as(ada.id).command('/quiz-user reinstate-group kitchen')).reply();
    // Start reads its owner first, and then the first change does.
    const readsOwner = `GET /api/v1/users/${userId('ada')}`;
    let reads = 0;
    const matches = (line: string) => line === readsOwner && (reads += 1) === 2;
    const reinstatements = () => passed.filter((line) => line.includes('suspended='));
    await killAt(
      { target: 'service', matches, point: 'before' },
      async () => expect(await start(preview)).toContain('Started to reinstate 1 person'),
      {
        isAnswered: true,
        whileDown() {
          expect(reinstatements()).toEqual([]);
          change('ada', 'manage_users = 0');
        },
      },
    );

    return { said: textOf(await progress(/⚠️|✅/)), reinstatements: reinstatements() };
  }

  test('makes none after its restart, and says why, over SQLite', async () => {
    expect(await afterKill('sqlite')).toEqual(stopped);
  });

  test.skipIf(redisMissing !== null)(
    `makes none after its restart, and says why, over Redis${redisMissing ? ` (${redisMissing})` : ''}`,
    async () => {
      expect(await afterKill('redis')).toEqual(stopped);
    },
  );
});
