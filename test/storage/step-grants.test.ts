import { describe, expect, test } from 'vitest';
import { personQueue } from '../../src/domain/queues.ts';
import { createSharedState } from '../../src/durable/mail.ts';
import { createStepGrants } from '../../src/features/workflows/step-grants.ts';
import type { Storage } from '../../src/storage/records.ts';
import { createMemoryMail } from '../support/memory-outbox.ts';
import { openRedis, openSqlite } from '../support/open-stores.ts';

const ada = { teamId: 'T1', appId: 'A1', step: 'assign_quiz', personId: 'UADA', userId: 'u-ada' };
const place = { teamId: 'T1', appId: 'A1', step: 'assign_quiz', workflowId: undefined };
const nobody = async () => undefined;

/** An instance of the bot, as far as grants go. */
function instance({ outbox }: Storage) {
  const shared = createSharedState({ outbox, mail: createMemoryMail(outbox) });
  return createStepGrants({ secret: 'xoxb-secret', shared, now: Date.now });
}

describe.each([
  [
    'SQLite, which one process has open',
    openSqlite,
    async ({ storage }: Awaited<ReturnType<typeof openSqlite>>) => storage,
  ],
  ['Redis', openRedis, async (opened: Awaited<ReturnType<typeof openRedis>>) => opened.reopen()],
])('with %s', (_store, open, openAnother) => {
  async function openTwo() {
    const opened = await open();
    return { storage: opened.storage, one: instance(opened.storage), other: instance(await openAnother(opened)) };
  }

  test('what one instance revokes, the others refuse at once', async () => {
    const { one, other } = await openTwo();
    const text = await one.lend(ada);
    expect(await other.use(text, place, nobody)).toMatchObject({ personId: 'UADA' });
    const [lent] = await other.of('T1').all();
    await one.of('T1').revoke(lent!.id, () => true);
    expect(await other.use(text, place, nobody)).toEqual({ refused: expect.stringContaining('were revoked') });
    expect(await other.of('T1').all()).toEqual([]);
  });

  test('of two workflows that run a step first at the same time, one has it', async () => {
    const { one, other } = await openTwo();
    const text = await one.lend(ada);
    const uses = await Promise.all(
      [one, other].map(async (each, index) => each.use(text, { ...place, workflowId: `Wf${index}` }, nobody)),
    );
    expect(uses.filter((use) => 'refused' in use)).toEqual([
      { refused: expect.stringContaining('were lent to another workflow') },
    ]);
  });

  test('a grant that is revoked while steps use it stays revoked', async () => {
    const { one, other } = await openTwo();
    const text = await one.lend(ada);
    const [lent] = await one.of('T1').all();
    await Promise.all([
      other.use(text, place, nobody),
      one.of('T1').revoke(lent!.id, () => true),
      other.use(text, { ...place, workflowId: 'Wf1' }, nobody),
    ]);
    expect(await one.use(text, place, nobody)).toEqual({ refused: expect.stringContaining('were revoked') });
  });

  test('a person who opens a dropdown ten times at once has one grant, and one message about it', async () => {
    const { one, other, storage } = await openTwo();
    const texts = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : other).lend(ada)));
    expect(new Set(texts).size).toBe(1);
    expect(await storage.outbox.waiting(personQueue('T1', 'u-ada'), { limit: 10 })).toHaveLength(1);
  });
});
