import { expect, test } from 'vitest';
import type { Campaign, CampaignMember } from '../../../src/domain/campaign.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { todayFrom } from '../../../src/features/administration/today.ts';
import { lateMembers, nextMessages } from '../../../src/features/campaigns/next-step.ts';
import { reportTable } from '../../../src/features/campaigns/operations/end-and-report.ts';
import { campaignBoardPage, campaignEndPage } from '../../../src/features/campaigns/pages/board.ts';
import { matrixPage } from '../../../src/features/campaigns/pages/matrix.ts';
import { campaignPage } from '../../../src/features/campaigns/pages/show.ts';
import { peopleIn } from '../../../src/features/evidence/facts.ts';
import { matrixOf } from '../../../src/obligations/matrix.ts';
import { ownObligation } from '../../../src/obligations/people.ts';
import { linesOf } from '../../../src/operations/page-lines.ts';
import type { Page } from '../../../src/operations/page.ts';
import { campaignMember, campaignOf, dayMs, monday, openEnd, standingRule } from '../../support/builders/campaigns.ts';
import fc from 'fast-check';

const names = ['Rosa', 'Kim', 'Ravi', 'Hana', 'Gus', 'Nora'] as const;

/** How somebody stands, as far as every screen and file says it. */
type Standing = 'asked' | 'to renew' | 'done' | 'marking' | 'not me' | 'excused';
type Said = Partial<Record<string, Standing>>;

const before = (longestDays: number) =>
  fc.integer({ min: 0, max: longestDays * 24 }).map((hours) => -hours * 3_600_000);
const outcome = fc.constantFrom<CampaignMember['attempts'][number]['outcome']>(
  'passed',
  'failed',
  'unmarked',
  'not graded',
);

const anyMember = fc.record({
  name: fc.constantFrom(...names),
  came: before(500),
  hasLeft: fc.boolean(),
  attempts: fc.array(fc.record({ at: before(500), outcome }), { maxLength: 2 }),
  excused: fc.option(fc.record({ at: before(60), until: fc.option(fc.integer({ min: -9, max: 30 })) }), { freq: 3 }),
  saidNotMeAt: fc.option(before(60), { freq: 3 }),
  told: fc.option(fc.record({ at: before(30), failure: fc.option(fc.constant('turned_off')) })),
  isReached: fc.boolean(),
});

/** A campaign at a moment, without what comes later. */
const anyCampaign = fc
  .record({
    now: fc.integer({ min: 0, max: 9_000 }).map((hours) => monday + hours * 3_600_000),
    stands: fc.boolean(),
    completeWhen: fc.constantFrom('passed' as const, 'submitted' as const),
    validity: fc.option(fc.constantFrom({ months: 1 }, { months: 12 })),
    dueIn: fc.option(fc.integer({ min: -20, max: 20 })),
    members: fc.uniqueArray(anyMember, { selector: ({ name }) => name, maxLength: names.length }),
  })
  .map(({ now, stands, completeWhen, validity, dueIn, members }): { campaign: Campaign; now: number } => {
    const due = dueIn === null ? openEnd : { dueAt: now + dueIn * dayMs, endsAt: now + 60 * dayMs };
    const campaign = campaignOf({
      startedAt: now - 501 * dayMs,
      ...(stands ? standingRule : due),
      completeWhen,
      validity,
      board: { channelId: 'C1', showsNames: true },
      members: members.map((one) =>
        campaignMember(one.name.toLowerCase(), {
          name: one.name,
          ...(!one.isReached && { personId: null }),
          stays: [{ from: now + one.came, ...(stands && one.hasLeft && { to: now + Math.floor(one.came / 2) }) }],
          attempts: one.attempts.map((attempt, place) => ({
            responseId: `${one.name} ${place}`,
            outcome: attempt.outcome,
            percentage: null,
            submittedAt: now + attempt.at,
            knownAt: now + attempt.at,
          })),
          excused: one.excused && {
            by: 'UTOM',
            reason: 'Leave',
            at: now + one.excused.at,
            until: one.excused.until === null ? null : now + one.excused.until * dayMs,
          },
          saidNotMeAt: one.saidNotMeAt === null ? null : now + one.saidNotMeAt,
          messages:
            one.told === null ? [] : [{ handedAt: now + one.told.at, at: now, failure: one.told.failure, dueAt: null }],
        }),
      ),
    });
    return { campaign, now };
  });

const icons: Readonly<Record<string, Standing>> = {
  '⏰': 'asked',
  '⌛': 'asked',
  '⏳': 'asked',
  '🔁': 'to renew',
  '✅': 'done',
  '➖': 'excused',
  '📝': 'marking',
  '🙋': 'not me',
};
const reported: Readonly<Record<string, Standing>> = {
  missing: 'asked',
  due: 'asked',
  overdue: 'asked',
  expired: 'asked',
  'valid, to be renewed': 'to renew',
  valid: 'done',
  done: 'done',
  excused: 'excused',
  'waiting to be marked': 'marking',
  'says it isn’t for them': 'not me',
};

/** Whom the lines of a page name behind one of these icons. */
function namedIn(page: Page, ...wanted: readonly string[]): string[] {
  const lines = linesOf(page)
    .flatMap((line) => inEnglish(line).split('\n'))
    .filter((line) => wanted.some((icon) => line.startsWith(icon)));
  return names.filter((name) => lines.some((line) => line.includes(name)));
}

const withIcons = (page: Page, shown: Readonly<Record<string, Standing>>): Said =>
  Object.fromEntries(
    Object.entries(shown).flatMap(([icon, standing]) => namedIn(page, icon).map((name) => [name, standing])),
  );
const inOrder = (said: Said): Said =>
  Object.fromEntries(names.flatMap((name) => (said[name] ? [[name, said[name]]] : [])));
const who = (said: Said, ...standings: readonly Standing[]) => names.filter((name) => standings.includes(said[name]!));

test('every screen, message and file names the same people for each state, at any moment', () => {
  const seen = new Set<Standing>();
  fc.assert(
    fc.property(anyCampaign, ({ campaign, now }) => {
      const stands = campaign.rule.standing !== null;
      const { columns, parts } = reportTable({
        campaign,
        asOf: now,
        atEnd: undefined,
        names: new Map(),
        platform: 'Slack',
      });
      const at = columns.findIndex(({ title }) => inEnglish(title) === 'State');
      const report = inOrder(
        Object.fromEntries(
          [...(parts as Iterable<readonly (readonly unknown[])[]>)]
            .flat()
            .map((row) => [String(row[0]), reported[inEnglish(String(row[at]))]]),
        ),
      );
      for (const standing of Object.values(report)) seen.add(standing!);

      const evidence = peopleIn(
        { campaign, asOf: now, resultsFrom: 'read from the quiz service' },
        { since: 0, until: now + 1 },
      );
      const states = {
        overdue: 'asked',
        expired: 'asked',
        due: 'asked',
        expiring: 'to renew',
        'not required': undefined,
      } as const;
      expect(
        inOrder(
          Object.fromEntries(
            evidence.map(({ member, now: { state } }) => [
              member.name,
              state in states ? states[state as keyof typeof states] : (state as Standing),
            ]),
          ),
        ),
      ).toEqual(report);

      const matrix = matrixOf([campaign], now);
      const shownMatrix = {
        matrix,
        people: undefined,
        only: undefined,
        absent: 0,
        page: 1,
        columns: 1,
        now,
        timeZone: 'UTC',
      };
      const [first] = matrixPage(shownMatrix).parts ?? [];
      const [people, cells] = (first?.table?.columns ?? []).map((column) =>
        column.cells.map((cell) => inEnglish(typeof cell === 'string' ? cell : '')),
      );
      expect(
        inOrder(
          Object.fromEntries(
            (people ?? []).map((name, row) => [
              names.find((one) => name.includes(one)),
              icons[cells![row]!.split(' ')[0]!],
            ]),
          ),
        ),
      ).toEqual(report);

      // A page of its own has one icon for all who are asked, and one for who left.
      const asked = who(report, 'asked', 'to renew');
      const show = withIcons(campaignPage(campaign, { joined: [], page: 1, now, platform: 'Slack' }), icons);
      expect(inOrder(show)).toEqual(
        inOrder({ ...report, ...Object.fromEntries(asked.map((name) => [name, 'asked'])) }),
      );

      const board = campaignBoardPage({ kind: 'campaign-board', campaign, assigning: undefined, now });
      expect(namedIn(board, '⏰', '⏳', ...(stands ? [] : ['📵']))).toEqual(who(report, 'asked'));
      expect(namedIn(board, '🔁')).toEqual(who(report, 'to renew'));
      expect(namedIn(board, '🙋')).toEqual(who(report, 'not me'));

      const end = campaignEndPage({ kind: 'campaign-end', campaign: { ...campaign, endedAt: now }, now });
      expect(namedIn(end, '❌')).toEqual(who(report, 'asked'));

      const { lines } = todayFrom({
        requests: [],
        campaigns: [campaign],
        paused: [],
        previews: [],
        obligations: [],
        own: undefined,
        now,
      });
      const counted = (kind: string) =>
        lines.flatMap((line) => (line.kind === kind && 'count' in line ? [line.count] : []));
      const one = (count: number) => (count === 0 ? [] : [count]);
      expect(counted('not theirs')).toEqual(one(who(report, 'not me').length));
      expect(counted('to mark')).toEqual(one(who(report, 'marking').length));
      expect(counted('missed')).toEqual(one(matrix.people.late));

      const own = campaign.members.filter(({ userId }) => ownObligation(campaign, userId, now)?.isAsked);
      expect(names.filter((name) => own.some((member) => member.name === name))).toEqual(asked);
      const written = nextMessages(campaign, now, new Set()).filter(({ message }) => message.at <= now);
      for (const { member } of written) expect(asked).toContain(member.name);
      for (const { name } of lateMembers(campaign, now)) expect(who(report, 'asked')).toContain(name);
    }),
    { numRuns: 1_000 },
  );
  expect(seen.size).toBe(6);
});
