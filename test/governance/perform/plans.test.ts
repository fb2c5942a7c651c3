import { describe, expect, test } from 'vitest';
import { Keyv } from 'keyv';
import type { BatchPlan, BatchRow, ImportSummary } from '../../../src/domain/batch.ts';
import type { CampaignPlan } from '../../../src/domain/campaign-plan.ts';
import type { Entered, PlanContent } from '../../../src/domain/plan.ts';
import { createPlans } from '../../../src/governance/perform/plans.ts';
import type { OneAtATime } from '../../../src/storage/leases.ts';
import { suspendRow } from '../../support/builders/rows.ts';

const dayMs = 24 * 60 * 60_000;
const requestTtlMs = 3_600_000;
const same: BatchRow = { kind: 'none', outcome: { kind: 'same', userId: 'u-rosa' }, name: 'Rosa' };
const suspension = suspendRow('u-rosa', 'Rosa');
const batch = (more: Partial<BatchPlan> = {}): BatchPlan => ({
  kind: 'batch',
  operation: 'import-users',
  action: 'import people',
  rows: [suspension],
  approval: null,
  ...more,
});
const summary = (more: Partial<ImportSummary> = {}): ImportSummary => ({
  source: 'people.csv',
  hasLines: true,
  counts: {},
  problems: [],
  privileged: [],
  notices: [],
  ...more,
});

function open({ isBusy = false } = {}) {
  const clock = { now: 1_000_000 };
  const ttls = new Map<string, number | undefined>();
  const kept = new Keyv();
  const store = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: unknown, ttl?: number) => {
      ttls.set(key, ttl);
      return kept.set(key, value);
    },
  };
  const taken: string[] = [];
  const oneAtATime = {
    unlessBusy: async (name: string, work: () => Promise<unknown>) => {
      taken.push(name);
      return isBusy ? { isBusy: true } : { isBusy: false, value: await work() };
    },
  } as unknown as OneAtATime;
  let ids = 0;
  const newId = () => `p-${(ids += 1)}`;
  const of = createPlans({ store: store as never, oneAtATime, requestTtlMs, newId, now: () => clock.now });
  const plans = of('T1');
  const add = (entered?: Entered, content: PlanContent = batch(), personId = 'UADA') =>
    plans.add({ personId, content, entered });
  const latest = async (personId = 'UADA') => (await plans.latest(personId)).map(({ id }) => id);
  return { clock, ttls, taken, of, plans, add, latest };
}

describe('a preview', () => {
  test('is kept for its workspace until it can neither be started nor approved', async () => {
    const { clock, ttls, of, plans, add } = open();
    const entered = { operation: 'import-users', input: {} };
    const id = await add(entered);
    const plan = { id, teamId: 'T1', personId: 'UADA', createdAt: clock.now, content: batch(), entered };
    expect(await plans.byId(id)).toEqual(plan);
    expect(await of('T2').byId(id)).toBeUndefined();
    expect([...ttls.values()]).toEqual([14 * dayMs + requestTtlMs, 14 * dayMs + requestTtlMs]);
  });

  test('is started once, and its maker is told so where they start it again', async () => {
    const { ttls, taken, plans, add, latest } = open();
    const id = await add();
    expect(await plans.wasStarted(id, 'UADA')).toBe(false);
    expect(await plans.take(id)).toBe(true);
    expect(taken).toEqual([`plan/T1:${id}`]);
    expect(ttls.get(`T1:${id}`)).toBe(14 * dayMs);
    expect(await plans.take(id)).toBe(false);
    expect(await plans.byId(id)).toBeUndefined();
    expect(await latest()).toEqual([]);
    expect([await plans.wasStarted(id, 'UADA'), await plans.wasStarted(id, 'UERIN')]).toEqual([true, false]);
    expect(await plans.wasStarted('p-9', 'UADA')).toBe(false);
  });

  test('is not started while another instance starts it', async () => {
    const { plans, add } = open({ isBusy: true });
    const id = await add();
    expect(await plans.take(id)).toBe(false);
    expect(await plans.byId(id)).toBeDefined();
  });
});

describe('the previews that a person finds again', () => {
  test('are their last three, the latest first', async () => {
    const { add, latest } = open();
    for (const _ of [1, 2, 3, 4]) await add();
    await add(undefined, batch(), 'UERIN');
    expect(await latest()).toEqual(['p-4', 'p-3', 'p-2']);
    expect(await latest('UERIN')).toEqual(['p-5']);
    expect(await latest('UNORA')).toEqual([]);
  });

  test('can still be started: for 14 days', async () => {
    const { clock, add, latest } = open();
    await add();
    clock.now += 14 * dayMs;
    expect(await latest()).toEqual(['p-1']);
    clock.now += 1;
    expect(await latest()).toEqual([]);
  });

  const people = (file: string[] = ['people.csv'], operation = 'import-users'): Entered => ({
    operation,
    input: { file, type: [] },
  });
  const noFile: Entered = { operation: 'import-users', input: { type: ['trainer'] } };
  test.each<[string, Entered | undefined, Entered | undefined, string[]]>([
    ['the same file', people(), people(), ['p-2']],
    ['another file', people(), people(['other.csv']), ['p-2', 'p-1']],
    ['the same file for another operation', people(), people(['people.csv'], 'update-users'), ['p-2', 'p-1']],
    ['no file', noFile, noFile, ['p-2', 'p-1']],
    ['no file after one', people(), noFile, ['p-2', 'p-1']],
    ['a file after none', noFile, people(), ['p-2', 'p-1']],
    ['an empty choice of a file', people([]), people([]), ['p-2', 'p-1']],
    ['a file after what no form made', undefined, people(), ['p-2', 'p-1']],
    ['what no form made after a file', people(), undefined, ['p-2', 'p-1']],
  ])('replace an earlier one where another was entered for the same file: %s', async (_, earlier, later, left) => {
    const { add, latest, plans } = open();
    await add(earlier);
    await add(later);
    expect(await latest()).toEqual(left);
    // Where it is shown, it can still be started.
    expect(await plans.byId('p-1')).toBeDefined();
  });

  test.each<[string, PlanContent, boolean]>([
    ['an import that changes somebody', batch({ rows: [same, suspension], imported: summary() }), true],
    ['an import that changes nobody', batch({ rows: [same], imported: summary() }), false],
    [
      'an import that changes nobody before its columns have names',
      batch({ rows: [], imported: summary({ lacksNames: { count: 3, total: 4 } }) }),
      true,
    ],
    ['many changes', batch({ rows: [same] }), true],
    ['a campaign', { kind: 'campaign' } as CampaignPlan, true],
  ])('have something to start: %s', async (_, content, isFound) => {
    const { add, latest, plans } = open();
    await add();
    const id = await add(undefined, content);
    expect(await latest()).toEqual(isFound ? [id, 'p-1'] : ['p-1']);
    expect(await plans.byId(id)).toBeDefined();
  });
});
