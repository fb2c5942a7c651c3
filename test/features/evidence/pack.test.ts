import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { AuditEntry, ChainLink } from '../../../src/domain/audit-chain.ts';
import { isSaid, say } from '../../../src/domain/said.ts';
import { withoutAddedApostrophes } from '../../../src/operations/table-file.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  standingRule,
  type MemberOverrides,
} from '../../support/builders/campaigns.ts';
import { sealedLink } from '../../support/opened-links.ts';
import { hostileNames, passed, samplePack } from './sample-pack.ts';
import { readPeriod } from '../../../src/features/evidence/send-evidence.ts';

type Row = Record<string, string>;

async function filesOf(options: Parameters<typeof samplePack>[0]) {
  const files = unzipSync((await samplePack(options)).content);
  const text = (name: string) => Buffer.from(files[name]!).toString();
  return { text, rows: (table: string): Row[] => parse(text(`${table}.csv`), { bom: true, columns: true }) };
}

/** What a pack on a campaign with this one member says of them. */
async function obligationOf(member: MemberOverrides, options: Parameters<typeof campaignOf>[0] = {}, head = {}) {
  const campaign = campaignOf({ ...options, members: [campaignMember('rosa', member)] });
  const { rows } = await filesOf({ campaigns: [campaign], links: [], head });
  return rows('obligations')[0];
}

const iso = (at: number) => new Date(at).toISOString();

test('a pass after the end of the period leaves the state at its end as it was', async () => {
  const head = { until: monday + 20 * dayMs };
  expect(await obligationOf(passed(monday + 25 * dayMs), {}, head)).toMatchObject({
    'State at the end of the period': 'overdue',
    'State now': 'done',
    Late: 'yes',
  });
});

test.each([
  ['never “never”', {}, {}, { 'Passed (UTC)': 'no pass known', Late: 'yes' }],
  [
    'a pass without a time',
    { attempts: [{ outcome: 'passed', percentage: null, submittedAt: null, responseId: 'r-1', knownAt: monday }] },
    {},
    { 'Passed (UTC)': 'passed, not known when', Late: 'not known' },
  ],
  [
    'a message that was sent before its arrival was noted',
    { messages: [{ handedAt: monday, at: null, failure: 'not_known', dueAt: null }] },
    {},
    { 'First message arrived (UTC)': 'not known' },
  ],
  [
    'a pass after the due time of somebody who was excused then',
    { ...passed(monday + 16 * dayMs), excused: { by: 'UTOM', reason: 'on leave', at: monday } },
    {},
    { Late: 'no', Excused: 'yes' },
  ],
  ['a late pass', passed(monday + 16 * dayMs), {}, { Late: 'yes', 'State at the end of the period': 'done' }],
  [
    'a standing rule',
    passed(monday + 2 * dayMs),
    standingRule,
    { 'State at the end of the period': 'done', 'Valid until (UTC)': '2027-11-26T00:00:00.000Z' },
  ],
] satisfies [string, MemberOverrides, Parameters<typeof campaignOf>[0], Row][])(
  '%s',
  async (_, member, options, said) => {
    expect(await obligationOf(member, options)).toMatchObject(said);
  },
);

test('who left the audience before the period is not in it', async () => {
  const head = { since: monday + 10 * dayMs };
  const stays = [{ from: monday, to: monday + 5 * dayMs }];
  expect(await obligationOf({ stays }, standingRule, head)).toBeUndefined();
  expect(await obligationOf({ stays: [{ from: monday, to: monday + 15 * dayMs }] }, standingRule, head)).toMatchObject({
    'State at the end of the period': 'not required',
  });
});

test('messages say which arrived when, and which did not and why', async () => {
  const member = {
    notifiedAt: monday,
    remindedAt: [monday + dayMs, monday + 2 * dayMs, monday + 3 * dayMs],
    deliveries: [
      { handedAt: monday, at: monday + 1_000 },
      { handedAt: monday + dayMs, at: monday + dayMs + 1_000, failure: 'user_disabled' },
      { handedAt: monday + 2 * dayMs, at: monday + 2 * dayMs, failure: 'not_needed' },
    ],
  };
  const campaign = campaignOf({ members: [campaignMember('rosa', member)] });
  const { rows } = await filesOf({ campaigns: [campaign], links: [] });
  expect(
    rows('messages').map((row) => [row['Message'], row['Result'], row['Arrived (UTC)'], row['Why it did not arrive']]),
  ).toEqual([
    ['first message', 'arrived', iso(monday + 1_000), ''],
    ['reminder', 'did not arrive', '', 'they aren’t in Slack any more'],
    ['reminder', 'waits', '', ''],
  ]);
});

test('no cell is run as a formula', async () => {
  const { rows } = await filesOf({});
  const people = rows('obligations').map(({ Person }) => Person ?? '');
  expect(people.filter((name) => /^[=+\-@]/.test(name))).toEqual([]);
  expect(people.map(withoutAddedApostrophes)).toContain(`${hostileNames[1]} 1`);
});

test('the summary escapes everything from outside, and has no script and nothing from elsewhere', async () => {
  const { text } = await filesOf({});
  const page = text('summary.html');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('&lt;b&gt;Food &amp; &quot;hygiene&quot;');
  expect(page).not.toMatch(/<(script|img|link|iframe|a|b)\b|\bsrc=|\bhref=|url\(/);
  expect(page).toContain(`<bdi>${hostileNames[2]} 2</bdi>`);
});

test('the summary names a hundred people of a campaign and counts the others', async () => {
  const members = Array.from({ length: 120 }, (_, index) => campaignMember(`u-${index}`));
  const { text } = await filesOf({ campaigns: [campaignOf({ members })], links: [] });
  expect(text('summary.html').match(/<tr><th scope="row"><bdi>u-/g)).toHaveLength(100);
  expect(text('summary.html')).toContain('And 20 more: see obligations.csv.');
});

test('the record holds what belongs to the campaigns, and not a word of anything else', async () => {
  const { text, rows } = await filesOf({});
  expect(text('record.jsonl')).toContain('"texts":["Rosa"]');
  expect(text('record.jsonl')).not.toContain('Secret Person');
  expect(rows('rules').find(({ What }) => What === 'done: excuse-campaign')).toMatchObject({
    Value: 'excuse “Rosa” from “Fire safety”',
    By: 'Name of UTOM',
  });
});

test('entries of a refusal, of another quiz, and of another time belong to something else', async () => {
  const entry = (overrides: Partial<AuditEntry>): AuditEntry => ({
    at: monday + dayMs,
    correlationId: 'e',
    operation: 'extend-campaign',
    action: 'done',
    through: 'command',
    targets: [{ kind: 'quiz', id: 'q-1', name: 'Fire safety' }],
    ...overrides,
  });
  const entries = [
    entry({ action: 'refused' }),
    entry({ targets: [{ kind: 'quiz', id: 'q-9', name: 'Other' }] }),
    entry({ at: monday - 90 * dayMs }),
    entry({ operation: 'show-campaign' }),
    entry({ operation: 'end-campaign', correlationId: 'c-1', targets: [] }),
  ];
  const links: ChainLink[] = [];
  for (const one of entries) links.push(sealedLink(one, links.at(-1)));
  const { text } = await filesOf({ links, campaigns: [campaignOf()] });
  const lines = text('record.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([
    { from: 1, to: 4, hash: links[3]!.hash },
    { position: 5, hash: links[4]!.hash, text: links[4]!.text, openings: [] },
  ]);
});

test('names the commands of a bot with other names, and quizzes as they are called', async () => {
  const quiz = { id: 'q-1', name: '/quiz-admin of Invigilator', status: 'open' };
  const { text } = await filesOf({
    campaigns: [campaignOf({ quiz })],
    links: [],
    names: { commandPrefix: 'exam', botName: 'Examiner' },
    head: { about: quiz.name, askedBy: 'Ada /quiz' },
  });
  for (const file of ['README.txt', 'summary.html']) {
    expect(text(file)).toContain('in /exam-admin status');
    expect(text(file)).toContain('(/exam-admin audit csv)');
    expect(text(file)).toContain(quiz.name);
    expect(text(file).replaceAll(quiz.name, '').replaceAll('Ada /quiz', '')).not.toMatch(/\/quiz/);
  }
});

test('is in English, whatever language people read', async () => {
  const member = { ...campaignMember('rosa', passed(monday + dayMs)), name: say`a person` };
  const campaign = campaignOf({ members: [member] });
  const { text } = await filesOf({
    campaigns: [campaign],
    links: [],
    head: { about: say`all campaigns`, askedBy: say`a person` },
  });
  const files = ['README.txt', 'summary.html', 'obligations.csv', 'rules.csv', 'manifest.json'];
  for (const file of files) expect([file, isSaid(text(file))]).toEqual([file, false]);
  expect(text('README.txt').includes('all campaigns')).toBe(true);
  expect(text('obligations.csv').includes('a person')).toBe(true);
});

const now = Date.parse('2026-11-25T15:00:00Z');
const clock = { nowMs: now, timeZone: 'Europe/Berlin' };
const isoOf = ({ since, until }: { since: number; until: number }) =>
  [since, until].map((at) => new Date(at).toISOString());

test.each([
  [{}, ['2025-11-25T15:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01' }, ['2025-12-31T23:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01', until: '2026-06-30' }, ['2025-12-31T23:00:00.000Z', '2026-06-30T22:00:00.000Z']],
  [{ until: '2026-06-30' }, ['2025-06-30T22:00:00.000Z', '2026-06-30T22:00:00.000Z']],
  [{ since: 'last month' }, ['2026-09-30T22:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '90d' }, ['2026-08-27T14:00:00.000Z', '2026-11-25T15:00:00.000Z']],
  [{ since: '2026-01-01', until: '2026-12-31' }, ['2025-12-31T23:00:00.000Z', '2026-11-25T15:00:00.000Z']],
])('reads %j on the clock of the person', (typed, period) => {
  expect(isoOf(readPeriod(typed, clock))).toEqual(period);
});

test.each([
  { since: '2026-06-30', until: '2026-01-01' },
  { since: 'soon' },
  { until: 'whenever' },
  { since: '31 feb' },
])('refuses %j', (typed) => {
  expect(() => readPeriod(typed, clock)).toThrow();
});
