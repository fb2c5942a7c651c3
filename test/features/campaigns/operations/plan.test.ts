import { named } from '../../../../src/domain/said.ts';
import { describe, expect, test } from 'vitest';
import { reminderWords } from '../../../../src/features/campaigns/pages/words.ts';
import { inEnglish } from '../../../../src/domain/said.ts';
import type { CampaignPlan } from '../../../../src/domain/campaign-plan.ts';
import type { OperationResult } from '../../../../src/operations/page.ts';
import { confirmationField } from '../../../../src/operations/text-input.ts';
import { quizResponse } from '../../../support/builders/responses.ts';
import { quizUser } from '../../../support/builders/users.ts';
import { openHouse, type HouseOptions } from '../../../support/house.ts';
import { applyEvents } from '../../../../src/features/campaigns/events.ts';
import { planChange } from '../../../../src/features/campaigns/operations/plan-change.ts';
import { operationNamed } from '../../../../src/operations/catalog.ts';
import type { Campaign, RuleChange } from '../../../../src/domain/campaign.ts';
import type { Plan } from '../../../../src/domain/plan.ts';
import { policyDecision } from '../../../../src/governance/rights/policy.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { campaignMember, campaignOf, dayMs, monday, standingRule } from '../../../support/builders/campaigns.ts';

const crew = { group_id: 'g-1', group_name: 'Crew' };

/** An account in which Crew has twelve respondents besides its staff. */
function open(options: HouseOptions = {}) {
  const account = openHouse(options);
  account.clock.now = Date.parse('2026-11-23T10:00:00Z');
  account.account.users.push(...Array.from({ length: 12 }, (_, index) => person(index)));

  const preview = async (input: Record<string, readonly string[]>) => {
    const outcome = await account.act('UADA', 'start-campaign', { quiz: ['Fire safety'], ...input });
    return outcome.kind === 'done' && outcome.result.kind === 'preview' ? outcome.result : outcome;
  };
  const planOf = async (...args: Parameters<typeof preview>): Promise<CampaignPlan> => {
    const result = await preview(...args);
    if (!('plan' in result) || result.plan.kind !== 'campaign') throw new Error(JSON.stringify(result));
    return result.plan;
  };
  const press = async (result: Awaited<ReturnType<typeof preview>>, more = {}) => {
    const { id } = result as Extract<OperationResult, { kind: 'preview' }>;
    return account.act('UADA', 'run-campaign', { plan: [id], ...more }, { through: 'choice' });
  };
  return { ...account, preview, planOf, press };
}

function person(index: number, more = {}) {
  return quizUser({
    user_id: `u-${index}`,
    user_name: `p${index}@quiz.example`,
    email_address: '',
    first_name: `Person${index}`,
    last_name: '',
    groups: [crew],
    ...more,
  });
}

/** What a preview shows, in English. */
function textsOf(shown: unknown) {
  const { page } = shown as Extract<OperationResult, { kind: 'preview' }>;
  const parts = page.parts ?? [];
  return {
    facts: parts.flatMap(({ facts = [] }) => facts.map((fact) => fact.map((text) => inEnglish(text ?? '')))),
    lines: parts.flatMap(({ lines = [] }) => lines.flatMap((line) => (line ? [inEnglish(line)] : []))),
  };
}

describe('who takes part', () => {
  test('is everyone in a group besides the suspended, the excepted and those who passed', async () => {
    const { planOf, account } = open();
    account.responses.push(
      quizResponse({ quiz_id: 'q-1', user_id: 'u-0' }),
      quizResponse({ quiz_id: 'q-1', user_id: 'u-1', pass: false }),
    );
    const { members, leftOut, draft } = await planOf({ to: ['Crew'], except: ['Person2'] });
    expect(draft.rule.completeWhen).toBe('passed');
    expect(leftOut).toMatchObject({ passed: ['Person0'], suspended: ['Sven'], excepted: ['Person2'] });
    expect(members.map(({ name }) => name)).not.toContain('Person0');
    expect(members.map(({ name }) => name)).toEqual(expect.arrayContaining(['Person1', 'Person3', 'Ada']));
  });

  test('leaves out who submitted, where nothing was ever graded', async () => {
    const { planOf, account } = open();
    account.responses.push(quizResponse({ quiz_id: 'q-1', user_id: 'u-0', points: 0, grade: '', pass: null }));
    expect(await planOf({ to: ['Person0', 'Person1'] })).toMatchObject({
      draft: { rule: { completeWhen: 'submitted' } },
      leftOut: { passed: ['Person0'] },
      members: [{ name: 'Person1' }],
    });
    expect((await planOf({ to: ['Person0'], complete: ['passed'] })).members).toHaveLength(1);
  });

  test('keeps the names of people without a user, and takes thousands from a channel', async () => {
    const crowd = Array.from({ length: 3_000 }, (_, index) => `UP${index}`);
    const { planOf } = open({
      members: { C1: { personIds: [...crowd, 'ULENA'] } },
      people: { ULENA: { outsider: 'guest', name: 'Lena' }, UP2999: { name: 'Zoe' } },
    });
    const { members, leftOut } = await planOf({ to: ['channel:C1|crew'] });
    expect(members).toHaveLength(12);
    expect(leftOut.withoutUser).toHaveLength(2_988);
    expect(leftOut.withoutUser).toContainEqual({ personId: 'UP2999', name: 'Zoe' });
    expect(leftOut.guests).toEqual(['Lena']);
  });

  test('says of a person who is named that they are deactivated', async () => {
    const { preview } = open({
      members: { UDEE: { personIds: ['UDEE'] } },
      people: { UDEE: { outsider: 'deactivated', name: 'Dee' } },
    });
    expect(await preview({ to: ['person:UDEE|dee'] })).toMatchObject({
      kind: 'invalid',
      message: `${named('Dee')}’s Slack account is deactivated.`,
    });
  });
});

describe('the assignment', () => {
  test('goes from person to person where a member is excepted', async () => {
    const { planOf } = open();
    const { assign, members } = await planOf({ to: ['Crew'], except: ['Person2'] });
    expect(assign.groups).toEqual([]);
    expect(assign.users).toHaveLength(members.length);
  });

  test('leaves out who has the quiz', async () => {
    const { planOf, account } = open();
    account.users.push(person(20, { quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null }] }));
    expect((await planOf({ to: ['Person20', 'Person1'] })).assign.users.map(({ name }) => name)).toEqual(['Person1']);
  });
});

describe('the schedule', () => {
  const at = (text: string) => Date.parse(text);

  test('is a week and a day before the due time, as far as that is ahead, in the zone of the person', async () => {
    const { planOf } = open({ people: { UADA: { timeZone: 'America/New_York' } } });
    const { draft, firstMessagesAt } = await planOf({ to: ['Person1'], due: ['30 nov'] });
    expect(draft.rule).toMatchObject({
      dueAt: at('2026-11-30T22:00:00Z'),
      remindBeforeMs: [7, 1].map((days) => days * 86_400_000),
      overdueEveryMs: null,
      escalateAfterMs: null,
      endsAt: at('2026-12-28T22:00:00Z'),
    });
    expect(firstMessagesAt).toBe(at('2026-11-23T10:00:00Z'));
    const soon = await planOf({ to: ['Person1'], due: ['tomorrow 17:00'] });
    expect(reminderWords(soon.draft.rule, at('2026-11-23T10:00:00Z'))).toBe('1 day before');
  });

  test.each([
    [
      '27 nov',
      { remind: ['7d', '1d'] },
      '1 day before',
      'No reminder comes 7 days before it’s due: that’s over already.',
    ],
    ['tomorrow', { remind: ['1d'] }, 'None', 'No reminder comes 1 day before it’s due: that’s over already.'],
    ['27 nov', {}, '1 day before', undefined],
    ['30 nov', { remind: ['5d'] }, '5 days before', undefined],
    [
      undefined,
      { within: ['3d'], remind: ['7d'] },
      'None',
      'No reminder comes 7 days before it’s due: nobody has that long.',
    ],
    [
      undefined,
      { within: ['3d'], valid: ['12 months'], remind: ['7d'] },
      '7 days before',
      'For 1 person, no reminder comes 7 days before it’s due: that’s over already.',
    ],
  ])(
    'due %s with %j says which reminders come, and why one that was asked for doesn’t',
    async (due, more, come, missed) => {
      const { preview } = open();
      const shown = await preview({ to: ['Person1'], ...(due && { due: [due] }), ...more });
      const { facts, lines } = textsOf(shown);
      expect(facts).toContainEqual(['Reminders', come]);
      expect(lines.filter((line) => line.includes('reminder'))).toEqual(missed === undefined ? [] : [`• ${missed}`]);
    },
  );

  test('escalates to the person who starts, or to the named lead after a day', async () => {
    const { planOf, preview } = open();
    expect(await planOf({ to: ['Person1'], due: ['30 nov'], escalate: ['3d'] })).toMatchObject({
      draft: { rule: { escalateAfterMs: 3 * 86_400_000 }, leads: ['u-ada'] },
    });
    expect(await planOf({ to: ['Person1'], due: ['30 nov'], lead: ['Erin'] })).toMatchObject({
      draft: { rule: { escalateAfterMs: 86_400_000 }, leads: ['u-erin'] },
    });
    expect(await planOf({ to: ['Person1'], due: ['30 nov'], lead: ['Erin', 'me'] })).toMatchObject({
      draft: { leads: ['u-erin', 'u-ada'] },
    });
    expect(await preview({ to: ['Person1'], due: ['30 nov'], lead: ['Erin', 'Rosa'] })).toMatchObject({
      kind: 'invalid',
      field: 'lead',
      message: expect.stringContaining('can’t see results') as string,
    });
  });

  test('without a due time has no reminders, and refuses those that were asked for', async () => {
    const { planOf, preview } = open();
    expect((await planOf({ to: ['Person1'] })).draft.rule).toMatchObject({
      dueAt: null,
      remindBeforeMs: [],
      overdueEveryMs: null,
      escalateAfterMs: null,
      endsAt: null,
    });
    for (const [field, text] of [
      ['remind', '7d'],
      ['overdue', '1d'],
      ['escalate', '3d'],
      ['lead', 'Erin'],
    ] as const)
      expect(await preview({ to: ['Person1'], [field]: [text] })).toMatchObject({ kind: 'invalid', field: 'due' });
    expect(await planOf({ to: ['Person1'], remind: ['none'] })).toMatchObject({
      draft: { rule: { remindBeforeMs: [] } },
    });
  });
});

describe('the preview', () => {
  test('says how long the quiz takes, once five attempts were timed', async () => {
    const { planOf, account } = open();
    const timed = (duration: number | null, index: number) =>
      quizResponse({ response_id: `r-${index}`, user_id: `u-${index}`, pass: false, duration });
    account.responses.push(...[30, 300, 400, 36_000, null, 0].map(timed));
    expect((await planOf({ to: ['Person1'] })).draft.takesMinutes).toBeNull();
    account.responses.push(timed(500, 6));
    expect((await planOf({ to: ['Person1'] })).draft.takesMinutes).toBe(7);
  });

  test('takes a message of up to 300 characters', async () => {
    const { planOf, preview } = open();
    expect((await planOf({ to: ['Person1'], say: [' Please '] })).draft.words).toBe('Please');
    expect((await planOf({ to: ['Person1'], say: [' '] })).draft.words).toBeNull();
    expect(await preview({ to: ['Person1'], say: ['x'.repeat(301)] })).toMatchObject({ kind: 'invalid', field: 'say' });
  });
});

describe('a start', () => {
  test('for a closed quiz says that its first messages wait until it is open', async () => {
    const { preview, press, account, directory } = open();
    account.quizzes[0]!.status = 'closed';
    await directory.quizzes.refresh();
    const shown = await preview({ to: ['Person1'] });
    const warned = await press(shown);
    const confirmation = warned.kind === 'warned' ? warned.confirmation : '';
    const started = await press(shown, { [confirmationField]: [confirmation] });
    expect(JSON.stringify(started)).toContain('go out once the quiz is open.');
  });

  test('is not offered where nobody is left', async () => {
    const { preview, press } = open();
    const result = await preview({ to: ['Sven'] });
    expect(result).toMatchObject({ canStart: false, plan: { members: [] } });
    expect(await press(result)).toMatchObject({ kind: 'invalid', field: 'plan' });
  });
});

describe('a campaign that stands', () => {
  test('says of everyone how they stand, and what it would have cost last month', async () => {
    const { planOf, account } = open();
    account.responses.push(
      quizResponse({ quiz_id: 'q-1', user_id: 'u-0', date_submitted: new Date('2026-03-02T10:00:00Z') }),
      quizResponse({ quiz_id: 'q-1', user_id: 'u-1', date_submitted: new Date('2025-12-01T10:00:00Z') }),
      quizResponse({
        quiz_id: 'q-1',
        user_id: 'u-2',
        pass: null,
        points: 0,
        grade: '',
        date_submitted: new Date('2026-11-20T10:00:00Z'),
      }),
    );
    const { members } = await planOf({
      to: ['Person0', 'Person1', 'Person2', 'Person3'],
      within: ['14d'],
      valid: ['12 months'],
    });
    const until = (day: string) => Date.parse(`${day}T00:00:00+01:00`);
    expect(members).toMatchObject([
      { name: 'Person0', obligation: { state: 'done', validUntil: until('2027-03-03') } },
      { name: 'Person1', obligation: { state: 'expiring', validUntil: until('2026-12-02') } },
      { name: 'Person2', obligation: { state: 'marking' } },
      { name: 'Person3', obligation: { state: 'due', dueAt: Date.parse('2026-12-07T17:00:00+01:00') } },
    ]);
  });
});

/** What half the validity would change for so many people who passed 200 days ago, of whom the reader trains some. */
async function planFor(people: number, isTrained = true) {
  const wanted: RuleChange = { validity: { months: 6 } };
  const at = monday - 200 * dayMs;
  const passed = { submittedAt: at, outcome: 'passed', percentage: 90 } as const;
  const members = Array.from({ length: people }, (_, index) =>
    campaignMember(`u-${index}`, { attempts: [{ ...passed, responseId: `r-${index}`, knownAt: at }], result: passed }),
  );
  const context = {
    campaigns: {
      withRule: (campaign: Campaign, change: RuleChange) => ({
        campaign: applyEvents(campaign, [{ kind: 'rule', change, at: monday }]),
        sooner: [],
      }),
    },
    directory: { users: { names: async () => ({ byId: (user_id: string) => quizUser({ user_id }) }) } },
    visibility: { trains: () => isTrained },
    now: () => monday,
    call: {},
  } as unknown as OperationContext;
  const board = { channelId: 'C1', showsNames: true };
  const campaign = campaignOf({ ...standingRule, board, members: [...members, campaignMember('kim')] });
  return planChange(context, campaign, wanted);
}

const run = operationNamed('run-rule-change')!;
const decision = (content: Plan['content'], ...rights: ('administrator' | 'edit_quizzes')[]) =>
  policyDecision(
    run,
    { plan: { id: 'p-1', teamId: 'T1', personId: 'UADA', createdAt: monday, content } },
    new Set(['staff', ...rights]),
  );

test('another rule needs approval where a start for those would who have to take the quiz by it', async () => {
  const [few, many, strangers] = [await planFor(100), await planFor(101), await planFor(2, false)];
  expect([few, many, strangers].map(({ approval }) => approval)).toEqual([null, 'many people', 'other people']);
  expect(decision(few, 'edit_quizzes')).toBe('at once');
  expect(decision(many, 'edit_quizzes', 'administrator')).toBe('approval');
  expect(decision(strangers, 'edit_quizzes')).toBe('approval');
  expect(decision(strangers, 'edit_quizzes', 'administrator')).toBe('at once');
  expect(decision(few)).toBe('refused');
});
