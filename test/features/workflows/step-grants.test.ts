import { describe, expect, test } from 'vitest';
import { personQueue } from '../../../src/domain/queues.ts';
import { createSharedState } from '../../../src/durable/mail.ts';
import {
  createGrantTexts,
  grantIdOf,
  createStepGrants,
  type StepPlace,
} from '../../../src/features/workflows/step-grants.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';

const dayMs = 24 * 3_600_000;
const ada = { teamId: 'T1', appId: 'A1', step: 'assign_quiz', personId: 'UADA', userId: 'u-ada' };
const place: StepPlace = { teamId: 'T1', appId: 'A1', step: 'assign_quiz', workflowId: undefined };
const nobody = async () => undefined;

function setUp(secret = 'xoxb-secret') {
  const clock = { now: 20_000 * dayMs + 5 };
  const outbox = createMemoryOutbox(() => clock.now);
  const shared = createSharedState({ outbox, mail: createMemoryMail(outbox) });
  const grants = createStepGrants({ secret, shared, now: () => clock.now });
  const told = async () => {
    const entries = await outbox.waiting(personQueue('T1', 'u-ada'), { limit: 100 });
    return entries.map(({ subscriptionId, content }) => ({ subscriptionId, content }));
  };
  return {
    clock,
    grants,
    told,
    use: (text: string, at: Partial<StepPlace> = {}) => grants.use(text, { ...place, ...at }, nobody),
  };
}

const refusedWith = (words: string) => ({ refused: expect.stringContaining(words) });
const again = 'Edit this step, choose yourself under “Runs with the rights of”, and publish the workflow again.';

describe('what a step carries', () => {
  test('lets it run with the rights of the person who set it up, on every instance and after a restart', async () => {
    const { grants, clock } = setUp();
    const text = await grants.lend(ada);
    expect(await setUp().use(text)).toEqual({
      personId: 'UADA',
      grantId: grantIdOf({ personId: 'UADA', lentAt: clock.now }),
    });
    expect(text.length).toBeLessThan(75);
  });

  test('stays the same while the step is set up, and is new once it was used, after a day and for another person', async () => {
    const { grants, use, clock } = setUp();
    const text = await grants.lend(ada);
    expect(await grants.lend(ada)).toBe(text);
    expect(await grants.lend({ ...ada, personId: 'UBEN', userId: 'u-ben' })).not.toBe(text);
    await use(text);
    const second = await grants.lend(ada);
    expect(second).not.toBe(text);
    clock.now += dayMs + 1;
    expect(await grants.lend(ada)).not.toBe(second);
  });

  test('counts in its workspace and app alone, and only with the secret it was made with', async () => {
    const { grants, use } = setUp();
    const text = await grants.lend(ada);
    expect(await use(text, { teamId: 'T2' })).toEqual(refusedWith('can’t tell who published'));
    expect(await use(text, { appId: 'A2' })).toEqual(refusedWith('can’t tell who published'));
    expect(await setUp('xoxb-another').use(text)).toEqual(refusedWith('can’t tell who published'));
  });

  test('is for the workflow that ran it first, where the platform names it', async () => {
    const { grants, use } = setUp();
    const text = await grants.lend(ada);
    expect(await use(text)).toMatchObject({ personId: 'UADA' });
    expect(await use(text, { workflowId: 'Wf1' })).toMatchObject({ personId: 'UADA' });
    expect(await use(text, { workflowId: 'Wf2' })).toEqual({
      refused: `The rights that this step runs with were lent to another workflow. ${again}`,
    });
    expect(await use(text, { workflowId: 'Wf1' })).toMatchObject({ personId: 'UADA' });
    expect(await grants.of('T1').all()).toMatchObject([{ step: 'Assign a quiz', workflowId: 'Wf1' }]);
  });

  test.each([
    ['an ID alone', () => 'UADA'],
    ['another person’s ID with this signature', (text: string) => text.replace('UADA', 'UBOB')],
    ['another moment with this signature', (text: string) => text.replace(/\.\w+\./, '.zzzz.')],
    ['a changed signature', (text: string) => `${text.slice(0, -2)}${text.endsWith('A') ? 'BB' : 'AA'}`],
    ['more after it', (text: string) => `${text}x`],
    ['another case', (text: string) => text.toLowerCase()],
    ['what version 1.6 made', (text: string) => text.replace(/\.\w+\./, '.')],
    ['nothing', () => ''],
  ])('is nobody’s as %s', async (_name, forge) => {
    const { grants, use } = setUp();
    expect(await use(forge(await grants.lend(ada)))).toEqual(refusedWith('can’t tell who published'));
  });

  test('counts no more when no step has used it for 90 days, and each use lets it count for 90 more', async () => {
    const unused = setUp();
    const text = await unused.grants.lend(ada);
    unused.clock.now += 90 * dayMs;
    expect(await unused.use(text)).toEqual(refusedWith('hasn’t run for 90 days'));
    const used = setUp();
    const other = await used.grants.lend(ada);
    for (let n = 0; n < 3; n += 1) {
      used.clock.now += 89 * dayMs;
      expect(await used.use(other)).toMatchObject({ personId: 'UADA' });
    }
    used.clock.now += 90 * dayMs;
    expect(await used.use(other)).toEqual(refusedWith('hasn’t run for 90 days'));
    expect(await used.grants.of('T1').all()).toEqual([]);
  });
});

describe('a grant', () => {
  test('is listed with its person, step, workflow and times, and refused from the moment it is revoked', async () => {
    const { grants, use, clock } = setUp();
    const text = await grants.lend(ada);
    const lentAt = clock.now;
    clock.now += dayMs;
    await use(text, { workflowId: 'Wf1' });
    const [lent] = await grants.of('T1').all();
    expect(lent).toEqual({
      id: grantIdOf({ personId: 'UADA', lentAt }),
      personId: 'UADA',
      step: 'Assign a quiz',
      workflowId: 'Wf1',
      lentAt,
      usedAt: clock.now,
      expiresAt: clock.now + 90 * dayMs,
    });
    expect(await grants.of('T1').revoke(lent!.id, () => true)).toEqual(lent);
    const revoked = { refused: `The rights that this step ran with were revoked. ${again}` };
    expect(await use(text, { workflowId: 'Wf1' })).toEqual(revoked);
    expect(await grants.refusalOf('T1', lent!.id)).toBe(revoked.refused);
    expect(await grants.of('T1').all()).toEqual([]);
    expect(await grants.of('T1').revoke(lent!.id, () => true)).toBeUndefined();
    // Longer than a text counts: it does not come back.
    clock.now += 89 * dayMs;
    await grants.lend({ ...ada, step: 'get_result' });
    expect(await use(text)).toEqual(revoked);
  });

  test('stays where it is not the one that is meant', async () => {
    const { grants, use } = setUp();
    const text = await grants.lend(ada);
    const [lent] = await grants.of('T1').all();
    expect(await grants.of('T1').revoke(lent!.id, ({ personId }) => personId === 'UBEN')).toBeUndefined();
    expect(await use(text)).toMatchObject({ personId: 'UADA' });
  });

  test('that the store has lost is listed and told again when a step uses it', async () => {
    const { grants, told, clock } = setUp();
    const text = createGrantTexts('xoxb-secret').textOf({ ...ada, lentAt: clock.now - dayMs });
    expect(await grants.use(text, place, async () => 'u-ada')).toMatchObject({ personId: 'UADA' });
    expect(await grants.of('T1').all()).toMatchObject([{ personId: 'UADA', lentAt: clock.now - dayMs }]);
    expect(await told()).toHaveLength(1);
  });
});
