import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Campaign, CampaignMember } from '../../src/domain/campaign.ts';
import {
  groupShares,
  lateOnly,
  matrixOf,
  needsSomething,
  urgencies,
  type MatrixRow,
} from '../../src/obligations/matrix.ts';
import { isOpen, openPeople, personOf } from '../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  openEnd,
  standingRule,
} from '../support/builders/campaigns.ts';
import { runs } from '../support/drawn.ts';

const anyDay = fc.integer({ min: -500, max: 30 }).map((day) => monday + day * dayMs);
const people = ['rosa', 'kim', 'tom', 'uma', 'zoe'] as const;

const anyMember: fc.Arbitrary<CampaignMember> = fc
  .record({
    userId: fc.constantFrom(...people),
    addedAt: anyDay,
    passedAt: fc.option(anyDay),
    outcome: fc.constantFrom('passed', 'failed', 'unmarked'),
    excusedAt: fc.option(anyDay, { freq: 5 }),
    saidNotMeAt: fc.option(anyDay, { freq: 5 }),
    hasLeft: fc.boolean(),
  })
  .map(({ userId, addedAt, passedAt, outcome, excusedAt, saidNotMeAt, hasLeft }) =>
    campaignMember(userId, {
      addedAt,
      saidNotMeAt,
      ...(hasLeft && { stays: [{ from: addedAt, to: addedAt + dayMs }] }),
      ...(passedAt !== null && { result: campaignResult(outcome as 'passed', passedAt) }),
      excused: excusedAt === null ? null : { by: 'UTOM', reason: 'On leave', at: excusedAt },
    }),
  );

const anyCampaigns: fc.Arbitrary<Campaign[]> = fc
  .array(
    fc.record({
      quiz: fc.constantFrom('q-1', 'q-2', 'q-3'),
      stands: fc.boolean(),
      dueIn: fc.option(fc.integer({ min: -20, max: 20 })),
      members: fc.uniqueArray(anyMember, { selector: ({ userId }) => userId, maxLength: 5 }),
    }),
    { maxLength: 6 },
  )
  .map((many) =>
    many.map(({ quiz, stands, dueIn, members }, index) =>
      campaignOf({
        id: `c-${index}`,
        quiz: { id: quiz, name: `Quiz ${quiz}` },
        members,
        ...(dueIn === null ? openEnd : { dueAt: monday + dueIn * dayMs }),
        ...(stands && standingRule),
      }),
    ),
  );

/** From the words of the docs alone: of what campaigns ask one person for one quiz, what needs something most. */
const order = ['late', 'soon', 'expiring', 'not me', 'due', 'marking', 'excused', 'done', 'none'];

function urgencyOf(campaign: Campaign, member: CampaignMember): string {
  const { state, dueAt } = personOf(member, campaign, monday).obligation;
  if (state === 'overdue' || state === 'expired') return 'late';
  if (state === 'due') return dueAt !== undefined && dueAt <= monday + 7 * dayMs ? 'soon' : 'due';
  return state === 'not yet due' ? 'none' : state;
}

/** One after the other: every person, every quiz, every campaign for it. */
function naiveMatrix(campaigns: readonly Campaign[]): Map<string, string> {
  const cells = new Map<string, string>();
  for (const userId of people)
    for (const quizId of ['q-1', 'q-2', 'q-3']) {
      const found = new Set(
        campaigns
          .filter(({ quiz }) => quiz.id === quizId)
          .flatMap((campaign) =>
            campaign.members
              .filter((member) => member.userId === userId)
              .filter((member) => personOf(member, campaign, monday).obligation.state !== 'not required')
              .map((member) => urgencyOf(campaign, member)),
          ),
      );
      const most = order.find((urgency) => found.has(urgency));
      if (most !== undefined) cells.set(`${userId} ${quizId}`, most);
    }
  return cells;
}

test('each cell has what needs something most, and nothing where no campaign asks the person', () => {
  fc.assert(
    fc.property(anyCampaigns, (campaigns) => {
      const { quizzes, rows } = matrixOf(campaigns, monday);
      const cells = rows.flatMap(({ userId, cells: row }) =>
        row.flatMap((cell, place) => (cell ? [[`${userId} ${quizzes[place]?.id}`, cell.urgency] as const] : [])),
      );
      expect(new Map(cells)).toEqual(naiveMatrix(campaigns));
      for (const { cells: row } of rows) expect(row).toHaveLength(quizzes.length);
    }),
    { numRuns: runs(2_000) },
  );
});

test('nobody comes before a person who has something more urgent, or more of it', () => {
  fc.assert(
    fc.property(anyCampaigns, (campaigns) => {
      const { rows } = matrixOf(campaigns, monday);
      const weights = rows.map(({ cells }) => {
        const most = Math.min(...cells.map((cell) => (cell ? order.indexOf(cell.urgency) : order.length)));
        const isNeeded = most <= order.indexOf('due');
        return [
          isNeeded ? most : order.indexOf('marking'),
          isNeeded ? -cells.filter((cell) => cell?.urgency === order[most]).length : 0,
        ];
      });
      expect(weights).toEqual(weights.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => a - b || x - y));
    }),
    { numRuns: runs(1_000) },
  );
});

const hasSome = (cells: MatrixRow['cells'], urgency: string) => cells.some((cell) => cell?.urgency === urgency);

test('it counts each person once, and shows those alone who are asked for', () => {
  fc.assert(
    fc.property(anyCampaigns, fc.subarray([...people]), (campaigns, wanted) => {
      const all = matrixOf(campaigns, monday);
      const some = matrixOf(campaigns, monday, (userId) => wanted.some((id) => id === userId));
      expect(some.rows.map(({ userId }) => userId).toSorted()).toEqual(
        all.rows
          .map(({ userId }) => userId)
          .filter((userId) => wanted.some((id) => id === userId))
          .toSorted(),
      );
      const late = all.rows.filter(({ cells }) => hasSome(cells, 'late'));
      for (const [urgency, count] of Object.entries(all.people))
        expect([urgency, count]).toEqual([urgency, all.rows.filter(({ cells }) => hasSome(cells, urgency)).length]);
      const overdue = lateOnly(all);
      expect(overdue.rows.map(({ userId }) => userId)).toEqual(late.map(({ userId }) => userId));
      expect(overdue.people.late).toBe(late.length);
      expect(overdue.quizzes).toEqual(
        all.quizzes.filter((_, place) => late.some(({ cells }) => cells[place]?.urgency === 'late')),
      );
      for (const [index, { cells }] of overdue.rows.entries())
        expect(cells.filter((cell) => cell?.urgency === 'late')).toEqual(
          late[index]!.cells.filter((cell) => cell?.urgency === 'late'),
        );
    }),
    { numRuns: runs(500) },
  );
});

test('whoever campaigns would remind is asked, and needs something', () => {
  fc.assert(
    fc.property(anyCampaigns, (campaigns) => {
      for (const campaign of campaigns) {
        const asked = new Set(openPeople(campaign, monday).map(({ member }) => member.userId));
        for (const { userId, cells } of matrixOf([campaign], monday).rows) {
          const [cell] = cells;
          expect([cell && isOpen(cell.obligation), userId]).toEqual([asked.has(userId), userId]);
          expect(cell && isOpen(cell.obligation) && !needsSomething(cell)).toBe(false);
          expect(cell && needsSomething(cell)).toBe(!['marking', 'excused', 'done', 'none'].includes(cell!.urgency));
        }
      }
    }),
    { numRuns: runs(500) },
  );
});

type Overrides = Parameters<typeof campaignMember>[1];

/** A round for the quiz of this name, which is due so many days from now, or at no time. */
const roundOf = (name: string, dueIn: number | null, ids: readonly string[], each: Overrides = {}) =>
  campaignOf({
    id: `${name} ${dueIn}`,
    quiz: { id: name, name },
    members: ids.map((id) => campaignMember(id, each)),
    ...(dueIn === null ? openEnd : { dueAt: monday + dueIn * dayMs }),
  });
const took: Overrides = { result: campaignResult('passed', monday - 30 * dayMs) };

test.each<[what: string, Campaign[], rows: string[]]>([
  [
    'who is late before the others, who was due first before those, and else in the order of names',
    [roundOf('Alarms', -1, ['zoe', 'kim', 'adam']), roundOf('Doors', -9, ['rosa']), roundOf('Exits', null, ['bo'])],
    ['rosa', 'adam', 'kim', 'zoe', 'bo'],
  ],
  [
    'of those who have something due soon, who has it first',
    [roundOf('Alarms', 5, ['kim']), roundOf('Doors', 2, ['zoe']), roundOf('Exits', null, ['bo', 'adam'])],
    ['zoe', 'kim', 'adam', 'bo'],
  ],
  [
    'people by when they were late first, whatever else was due for them before',
    [roundOf('Alarms', -1, ['kim']), roundOf('Doors', -20, ['kim'], took), roundOf('Exits', -9, ['rosa'])],
    ['rosa', 'kim'],
  ],
])('the matrix shows %s', (_, campaigns, rows) => {
  expect(matrixOf(campaigns, monday).rows.map(({ userId }) => userId)).toEqual(rows);
});

test('the matrix shows the quizzes first with which most are late, then those that most have to take, then by name', () => {
  const { quizzes } = matrixOf(
    [
      roundOf('Alarms', -1, ['kim']),
      roundOf('Alarms', 3, ['ada', 'bo', 'cy']),
      roundOf('Doors', 20, ['ada', 'bo', 'cy', 'dan'], took),
      roundOf('Ladders', 20, ['kim', 'rosa']),
      roundOf('Exits', 20, ['kim', 'rosa']),
      roundOf('First aid', null, ['kim', 'rosa', 'tom']),
      roundOf('Zips', -1, ['kim', 'rosa']),
    ],
    monday,
  );
  expect(quizzes.map(({ name }) => name)).toEqual(['Zips', 'Alarms', 'First aid', 'Exits', 'Ladders', 'Doors']);
});

test('each group has all of its people, by what they have that needs something most, and those in need first', () => {
  const places = ['Kitchen', 'Bar', 'Door'] as const;
  fc.assert(
    fc.property(
      anyCampaigns,
      fc.array(fc.subarray([...places]), { minLength: 5, maxLength: 5 }),
      (campaigns, groupsOf) => {
        const { rows } = matrixOf(campaigns, monday);
        const inGroups = rows.map((row) => ({ ...row, groups: groupsOf[people.indexOf(row.userId as 'rosa')]! }));
        const [everyone, ...groups] = groupShares({ rows: inGroups });
        const countsOf = (of: typeof inGroups) =>
          urgencies.map(
            (urgency, rank) =>
              of.filter(({ cells }) => {
                const has = (wanted: string) => cells.some((cell) => cell?.urgency === wanted);
                return has(urgency) && !urgencies.slice(0, rank).some(has);
              }).length,
          );
        expect(everyone).toEqual({ name: undefined, counts: countsOf(inGroups), people: rows.length });
        const withPeople = places.filter((place) => inGroups.some((row) => row.groups.includes(place)));
        expect(new Set(groups.map(({ name }) => name))).toEqual(new Set(withPeople));
        for (const { name, counts, people: size } of groups) {
          const members = inGroups.filter((row) => row.groups.includes(name as 'Bar'));
          expect({ counts, size }).toEqual({ counts: countsOf(members), size: members.length });
        }
        const inNeed = groups.map(({ name, counts }): [number, number, string] => {
          const most = counts.slice(0, urgencies.indexOf('due') + 1).findIndex((count) => count > 0);
          return most === -1 ? [Infinity, 0, name!] : [most, -counts[most]!, name!];
        });
        expect(inNeed).toEqual(
          inNeed.toSorted(([a, m, x], [b, n, y]) => (a === b ? m - n || (x < y ? -1 : 1) : a - b)),
        );
      },
    ),
  );
});
