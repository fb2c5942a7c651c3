import { inEnglish } from '../../src/domain/said.ts';
import { expect, test } from 'vitest';
import { upgradedMail, upgradedState, upgradedValue } from '../../src/storage/from-17.ts';

const upgrade = () => ({ now: 5, notes: new Map<string, unknown>() });
const stateAfter = (queue: string, state: object) => {
  const { change, mail } = upgradedState(queue, JSON.stringify(state), [], upgrade());
  return { change: typeof change === 'object' ? (JSON.parse(change.text) as unknown) : change, mail };
};

test('waits of 1.7 go on in the mailboxes of their steps, also with an ending that was made', () => {
  const ofOlder = { personId: 'UADA', quizId: 'q', userId: 'u', needsPass: true, until: 9, result: null };
  const wait = { ...ofOlder, grantId: 'g', names: { user: 'Rosa', quiz: 'Fire' } };
  const kept = { executionId: 'Fx1', checkAt: 3, failures: 1, notBefore: 2 };
  const ending = { kind: 'error', message: 'Over.' };
  const event = {
    kind: 'wait',
    wait,
    execution: { id: 'Fx1', teamId: 'T1', appId: '', step: 'wait_for_result', inputs: {}, startedAt: 5 },
  };
  const entry = (more: object) => ({
    queue: 'step/T1/Fx1',
    subscriptionId: 'workflows',
    at: 5,
    content: { kind: 'workflow-event', event: { ...event, ...more } },
  });
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...wait }], lookedAt: 1 })).toEqual({
    change: 'dropped',
    mail: [entry({})],
  });
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...wait, ending }] }).mail).toEqual([entry({ ending })]);
  const unnamed = { ...ofOlder, grantId: '', names: { user: 'The person', quiz: 'The quiz' } };
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...ofOlder }] }).mail).toEqual([entry({ wait: unnamed })]);
  const mailed = (one: object) =>
    upgradedMail('waits/T1/34', JSON.stringify({ kind: 'workflow-event', event: one }), upgrade());
  expect(mailed({ kind: 'wait', wait: { ...kept, ...wait } })).toEqual({ change: 'dropped', mail: [entry({})] });
  expect(mailed({ kind: 'result', userId: 'u', quizId: 'q', result: {} })).toEqual({ change: 'dropped', mail: [] });
});

test('of a digest of several messages, the one in flight was all, and corrections are in no digest', () => {
  const state = { threads: {}, failures: 0, notBefore: 0 };
  const inFlight = { id: 'm', startedAt: 1, positions: [] };
  expect(stateAfter('channel/T1/C1', { ...state, inFlight }).change).toBe('kept');
  expect(
    stateAfter('channel/T1/C1', {
      ...state,
      digests: { 7: { named: 10 } },
      inFlight: { ...inFlight, digest: { position: 7 } },
    }).change,
  ).toEqual({ ...state, inFlight: { ...inFlight, positions: [7] } });
  const collected = (submission: object) =>
    upgradedMail('digest/T1/s', JSON.stringify({ kind: 'submission', submission }), upgrade()).change;
  expect([collected({ name: 'Rosa' }), collected({ name: 'Rosa', corrects: {} })]).toEqual(['kept', 'dropped']);
});

/** What 1.7 stored of a campaign that has nothing special. */
const campaign17 = {
  id: 'c',
  teamId: 'T1',
  quiz: { id: 'q', name: 'Fire' },
  ownerId: 'UADA',
  startedAt: 1,
  completeWhen: 'passed',
  schedule: { dueAt: 9, remindBeforeMs: [2] },
  lead: { userId: '', timeZone: 'UTC' },
  board: null,
  endedAt: null,
  remindNowAt: null,
  escalatedUpTo: 0,
  batchId: null,
  members: [],
};

test('a campaign of 1.7 has its rule, its leads and its people as today, once', () => {
  const after = (more: object) => {
    const { change } = stateAfter('campaign/T1/c', { campaign: { ...campaign17, ...more }, askedAt: 3 });
    expect(stateAfter('campaign/T1/c', change as object).change).toBe('kept');
    return change;
  };
  const rule = { completeWhen: 'passed', validity: null, standing: null, dueAt: 9, endsAt: null, remindBeforeMs: [2] };
  expect(after({})).toEqual({
    askedAt: 3,
    campaign: {
      id: 'c',
      teamId: 'T1',
      quiz: { id: 'q', name: 'Fire' },
      obstacle: null,
      quizKnownAt: 0,
      startedBy: 'UADA',
      ownerId: 'UADA',
      approvedBy: null,
      startedAt: 1,
      rule: { ...rule, overdueEveryMs: null, escalateAfterMs: null, toManagers: false, board: null },
      dueChangedAt: null,
      leads: [],
      timeZone: 'UTC',
      unable: [],
      endedAt: null,
      remindNowAt: null,
      escalatedUpTo: 0,
      members: [],
      assigning: null,
      audience: [],
      leftOut: [],
      except: [],
      candidates: null,
      unreadable: [],
      words: null,
      takesMinutes: null,
    },
  });
  const standing = { withinDays: 14, renewDays: 30, holidays: [] };
  expect(
    after({
      standing,
      validity: { months: 12 },
      lead: { userId: 'u-1', timeZone: 'Europe/Berlin' },
      otherLeads: ['u-2'],
      escalatesToManagers: true,
      batchId: 'b',
      isAssigningStopped: true,
      obstacle: { status: 'closed', since: 4 },
      leftOut: ['u-9'],
      words: 'Please',
      takesMinutes: 5,
    }),
  ).toMatchObject({
    campaign: {
      rule: { standing, validity: { months: 12 }, toManagers: true },
      leads: ['u-1', 'u-2'],
      timeZone: 'Europe/Berlin',
      assigning: { batchId: 'b', isStopped: true },
      obstacle: { status: 'closed', since: 4, by: null },
      // They did not come in by themselves.
      except: ['user:u-9'],
      words: 'Please',
      takesMinutes: 5,
    },
  });
});

test.each([
  [{ kind: 'campaign-not-me', name: 'Kim Doe', userId: 'kim' }, /Kim Doe\* says that \*Fire safety\* isn’t for them/],
  [{ kind: 'campaign-not-report', name: 'Kim Doe', by: 'UZOE' }, /@UZOE says that \*Kim Doe\* doesn’t report/],
  [{ kind: 'campaign-paused', by: 'UADA', quizId: 'q' }, /@UADA closed \*Fire safety\*/],
  [{ kind: 'campaign-paused', quizId: 'q' }, /isn’t open any more/],
  [{ kind: 'campaign-orphaned', who: ['owner', 'lead'] }, /The person who started/],
  [{ kind: 'campaign-orphaned', who: ['lead'] }, /The lead of the campaign/],
  [{ kind: 'campaign-unassigned', batchId: 'b', isStopped: true, members: [] }, /has stopped/],
  [
    { kind: 'campaign-unassigned', batchId: 'b', isStopped: false, members: [{ name: 'Kim' }] },
    /assigned to Kim, .*them/,
  ],
  [{ kind: 'campaign-candidates', names: ['Kim'], count: 1, why: ['owner'] }, /Kim joined the audience/],
  [{ kind: 'campaign-candidates', names: ['Kim', 'Leo'], count: 2, why: ['owner'] }, /2 people joined the audience/],
  [{ kind: 'campaign-unreadable', parts: ['channel:C1|kitchen'] }, /who is in kitchen, from which/],
])('what 1.7 had to say can still be read: %o', (news, heading) => {
  const about = { campaignId: 'c-1', quizName: 'Fire safety' };
  const { change } = upgradedMail('person/T1/tom', JSON.stringify({ ...about, ...news }), upgrade());
  const { text } = change as { text: string };
  const note = JSON.parse(text) as { note: { heading: string } };
  expect(note).toMatchObject({
    kind: 'note',
    campaignId: 'c-1',
    note: { steps: [{ operation: 'show-campaign', input: { campaign: ['c-1'] } }] },
  });
  expect('untilTakenIn' in note).toBe(news.kind === 'campaign-candidates');
  expect(inEnglish(note.note.heading)).toMatch(heading);
  expect(upgradedMail('person/T1/tom', text, upgrade()).change).toBe('kept');
});

test('rights that were lent under 1.7 can still be revoked from the message about them', () => {
  const lent = { kind: 'rights-lent', grantId: 'UADA.1', step: 'Assign a quiz' };
  const { change } = upgradedMail('person/T1/ada', JSON.stringify(lent), upgrade());
  const note = JSON.parse((change as { text: string }).text) as object;
  expect(note).toMatchObject({ note: { steps: [{ operation: 'take-rights-back', input: { grant: ['UADA.1'] } }] } });
  expect(note).not.toHaveProperty('campaignId');
});

test('what waited for a campaign of 1.7 is applied to it', () => {
  const after = (event: object) => {
    const { change } = upgradedMail('campaign/T1/c', JSON.stringify({ kind: 'campaign-event', event }), upgrade());
    return typeof change === 'object' ? (JSON.parse(change.text) as { event: unknown }).event : change;
  };
  const moved = { kind: 'rule', change: { dueAt: 20, endsAt: null }, at: 3 };
  expect(after({ kind: 'extend', dueAt: 20, at: 3 })).toEqual(moved);
  expect(after(moved)).toBe('kept');
  expect(after({ kind: 'rule', change: { withinDays: 7, overdueEveryMs: null }, at: 3 })).toEqual({
    kind: 'rule',
    change: { standing: { withinDays: 7 }, overdueEveryMs: null },
    at: 3,
  });
  const handedOver = { kind: 'hand-over', ownerId: 'UTOM', leads: ['tom'], timeZone: 'UTC' };
  expect(after({ kind: 'hand-over', ownerId: 'UTOM', lead: { userId: 'tom', timeZone: 'UTC' } })).toEqual(handedOver);
  expect(after(handedOver)).toBe('kept');
  expect(after({ kind: 'start', campaign: campaign17 })).toMatchObject({ campaign: { leads: [], rule: { dueAt: 9 } } });
  expect(after({ kind: 'ask-excuse', userId: 'u' })).toBe('dropped');
  const arrived = { kind: 'delivery', userId: 'u', handedAt: 1, at: 2 };
  expect(after(arrived)).toEqual({ ...arrived, failure: null });
  expect(after({ ...arrived, failure: 'turned_off' })).toBe('kept');
  const excuse = { kind: 'excuse', userIds: ['u'], by: 'UTOM', reason: 'Leave', at: 2 };
  expect(after(excuse)).toEqual({ ...excuse, until: null });
  const joined = after({ kind: 'join', members: [member17], at: 3 });
  expect(joined).toMatchObject({ members: [{ userId: 'u', stays: [{ from: 1 }], messages: [], assignment: 'has' }] });
  expect(after(joined as object)).toBe('kept');
});

test('previews of campaigns of 1.7 can be started', () => {
  const after = (content: object) => {
    const text = JSON.stringify({ value: { id: 'p', content }, expires: 9 });
    const { change } = upgradedValue('plans', 'p', text, upgrade());
    if (typeof change !== 'object') return change;
    expect(upgradedValue('plans', 'p', change.text, upgrade()).change).toBe('kept');
    return (JSON.parse(change.text) as { value: { content: unknown } }).value.content;
  };
  const { quiz, completeWhen, schedule, lead, board } = campaign17;
  const rosa = { userId: 'rosa', name: 'Rosa', groups: [], personId: 'UROSA', timeZone: 'UTC' };
  const plan = {
    kind: 'campaign',
    quiz,
    completeWhen,
    schedule,
    lead,
    board,
    members: [{ ...rosa, validUntil: 5 }],
    leftOutIds: ['kim'],
    leftOut: { passed: [] },
    assign: { groups: [], users: [] },
    approval: null,
    assigning: { requests: 0 },
    firstMessagesAt: 3,
  };
  expect(after(plan)).toMatchObject({
    draft: { quiz, rule: { dueAt: 9 }, leads: [], leftOut: ['kim'], words: null },
    into: null,
    members: [{ ...rosa, obligation: { state: 'due', dueAt: 9, validUntil: 5 } }],
    overlaps: [],
  });
  const standing = { withinDays: 14, renewDays: 30, holidays: [] };
  const people = [
    { isAsked: false, validUntil: 7, dueAt: 7 },
    { isMarking: true, dueAt: 6 },
    { isAsked: true, dueAt: 6 },
  ];
  const members = people.map((one) => ({ ...rosa, ...one }));
  expect(after({ ...plan, standing, campaignId: 'c-1', members })).toMatchObject({
    into: 'c-1',
    draft: { rule: { standing } },
    members: [
      { obligation: { state: 'done', validUntil: 7, dueAt: 7 } },
      { obligation: { state: 'marking' } },
      { obligation: { state: 'due', dueAt: 6 } },
    ],
  });
  const terms = { completeWhen, schedule, board, standing };
  const change = { kind: 'campaign-change', quiz, lead, change: { renewDays: 14 }, before: terms, after: terms };
  expect(after(change)).toMatchObject({
    timeZone: 'UTC',
    change: { standing: { renewDays: 14 } },
    before: { standing, dueAt: 9, validity: null },
  });
  expect(after({ kind: 'batch', rows: [] })).toBe('kept');
});

const member17 = {
  userId: 'u',
  name: 'Rosa',
  groups: [],
  personId: null,
  timeZone: 'UTC',
  addedAt: 1,
  notifiedAt: null,
  remindedAt: [],
  snoozedUntil: null,
  result: null,
  responseIds: [],
  attempts: [],
  excused: null,
  saidNotMeAt: null,
};

/** The members after the upgrade, which changes nothing the second time. */
function membersAfter(members: readonly object[], more: object = {}) {
  const { change } = stateAfter('campaign/T1/c', { campaign: { ...campaign17, ...more, members } });
  expect(stateAfter('campaign/T1/c', change as object).change).toBe('kept');
  return (change as { campaign: { members: Record<string, unknown>[] } }).campaign.members;
}

test('a member of 1.7 has each message with what became of it', () => {
  const told = {
    notifiedAt: 2,
    remindedAt: [4, 6, 8],
    deliveries: [
      { handedAt: 2, at: 3 },
      { handedAt: 4, at: 5, failure: 'turned_off' },
      { handedAt: 6, at: 7, failure: 'not_needed' },
    ],
    toldDueAt: 9,
    askAgainAt: 7,
    remindNowAt: 5,
    excused: { by: 'UTOM', reason: 'Leave', at: 2 },
    managerId: 'UZOE',
    notReportOf: ['UADA'],
    assignment: 'waiting',
    excuseAsked: {},
  };
  const { addedAt: _a, notifiedAt: _n, remindedAt: _r, result: _s, responseIds: _i, ...person } = member17;
  const [plain, rosa] = membersAfter([member17, { ...member17, ...told }], { knowsDelivery: true });
  expect(plain).toEqual({
    ...person,
    stays: [{ from: 1 }],
    messages: [],
    remindNowAt: null,
    askAgainAt: null,
    managerId: null,
    away: null,
    notReportOf: [],
    assignment: 'has',
  });
  expect(rosa).toEqual({
    ...person,
    stays: [{ from: 1 }],
    messages: [
      { handedAt: 2, at: 3, failure: null, dueAt: 9 },
      { handedAt: 4, at: 5, failure: 'turned_off', dueAt: 9 },
      { handedAt: 6, at: 7, failure: 'not_needed', dueAt: 9 },
      { handedAt: 8, at: null, failure: null, dueAt: 9 },
    ],
    remindNowAt: 5,
    excused: { by: 'UTOM', reason: 'Leave', at: 2, until: null },
    askAgainAt: 7,
    managerId: 'UZOE',
    away: null,
    notReportOf: ['UADA'],
    assignment: 'waiting',
  });
});

test('members of campaigns of 1.6 have their result as an attempt, and nobody knows what became of their messages', () => {
  const result = { outcome: 'passed', percentage: 90, submittedAt: 4 };
  const attempt = { ...result, responseId: 'r-2', knownAt: 0 };
  const { attempts: _, ...member16 } = member17;
  const members = [
    { ...member16, result, responseIds: ['r-1', 'r-2'], notifiedAt: 2 },
    member16,
    { ...member16, result, responseIds: ['r-2'], attempts: [{ ...attempt, knownAt: 5 }] },
  ];
  expect(membersAfter(members)).toMatchObject([
    { attempts: [attempt], messages: [{ handedAt: 2, at: null, failure: 'not_known', dueAt: 9 }] },
    { attempts: [] },
    { attempts: [{ ...attempt, knownAt: 5 }] },
  ]);
});

test('requests of 1.7 for what was done in all campaigns of people go on', () => {
  const asked = { targets: [] };
  const after = (operation: string, input: object) => {
    return stateAfter('request/T1/r', { operation, input, asked }).change;
  };
  expect(after('remind-people', { people: ['u-1', 'u-2'] })).toEqual({
    operation: 'remind-campaign',
    input: { people: ['user:u-1', 'user:u-2'] },
    asked,
  });
  expect(after('excuse-people', { people: ['u-1'], quizzes: ['q-1'], because: ['On leave'] })).toEqual({
    operation: 'excuse-campaign',
    input: { campaign: ['q-1'], people: ['u-1'], because: ['On leave'] },
    asked,
  });
  expect(after('remind-campaign', { campaign: ['c'], people: ['user:u-1'] })).toBe('kept');
});

test('what was kept of posts has one form, once', () => {
  const state = { failures: 2, notBefore: 5 };
  const ofToday = {
    ...state,
    inFlight: { startedAt: 1, shows: 'x', id: 'm' },
    problem: { code: 'closed', isTold: false },
  };
  const inFlight = { key: 'm', startedAt: 1, shows: 'x' };
  const ofPosts = (queue: string, more: object) => stateAfter(queue, { ...state, ...more }).change;
  const problem = { code: 'closed' };
  expect(
    ofPosts('live/T1/batch-1', { inFlight, changedAt: 4, problem: { ...problem, isOwnerNotified: false } }),
  ).toEqual(ofToday);
  expect(
    ofPosts('audit/T1', {
      inFlight,
      entriesAtMost: 4,
      badTries: 2,
      problem: { ...problem, areAdministratorsNotified: false },
    }),
  ).toEqual(ofToday);
  expect(ofPosts('person/T1/u', { bad: {}, tooLong: {}, noticedAt: 3 })).toEqual({ ...state, noticedAt: 3 });
  expect(stateAfter('live/T1/batch-1', ofToday).change).toBe('kept');
});
