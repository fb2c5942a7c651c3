import fc from 'fast-check';
import type { Campaign, CampaignMember } from '../../src/domain/campaign.ts';
import { amount, say } from '../../src/domain/said.ts';
import { todayFrom } from '../../src/features/administration/today.ts';
import { todayParts } from '../../src/features/administration/pages/today.ts';
import { lateMembers, nextMessages } from '../../src/features/campaigns/next-step.ts';
import { reportTable } from '../../src/features/campaigns/operations/end-and-report.ts';
import { campaignBoardPage, campaignEndPage } from '../../src/features/campaigns/pages/board.ts';
import { matrixPage } from '../../src/features/campaigns/pages/matrix.ts';
import { campaignPage, ownCampaignItems } from '../../src/features/campaigns/pages/show.ts';
import { endEntry } from '../../src/features/campaigns/compare-audience.ts';
import { peopleIn } from '../../src/features/evidence/facts.ts';
import { obligationsTable } from '../../src/features/evidence/tables.ts';
import { matrixOf } from '../../src/obligations/matrix.ts';
import { ownObligation, peopleOf, type PeopleGroup } from '../../src/obligations/people.ts';
import { linesOf, type Page } from '../../src/operations/page.ts';
import type { TableCell } from '../../src/operations/services/files.ts';
import { languageCodes } from '../../src/words/languages.ts';
import type { Render } from '../../src/words/render.ts';
import { campaignMember, campaignOf, dayMs, monday, openEnd, standingRule } from '../support/builders/campaigns.ts';
import { renderFor } from '../words/in-language.ts';

const names = ['Rosa', 'Kim', 'Ravi', 'Hana', 'Gus', 'Nora'] as const;

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
  attempts: fc.array(fc.record({ at: fc.oneof(before(500), before(20)), outcome }), { maxLength: 2 }),
  excused: fc.option(fc.record({ at: before(60), until: fc.option(fc.integer({ min: -9, max: 30 })) }), { freq: 3 }),
  saidNotMeAt: fc.option(before(60), { freq: 3 }),
  told: fc.option(fc.record({ at: before(30), failure: fc.option(fc.constant('turned_off')) })),
  isReached: fc.nat(3).map((one) => one > 0),
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

/** The sign of each group. */
const icons: Readonly<Record<string, PeopleGroup>> = {
  '⏰': 'overdue',
  '⌛': 'overdue',
  '⏳': 'due',
  '❌': 'failed',
  '🔁': 'expiring',
  '📵': 'out of reach',
  '✅': 'done',
  '➖': 'excused',
  '📝': 'marking',
  '🙋': 'not me',
  '👋': 'not required',
};
const asked = ['overdue', 'due', 'failed'] as const;

/** What a report and a pack call the groups. A round does not say there who is late. */
const reported: readonly (readonly [said: string, ...groups: readonly PeopleGroup[]])[] = [
  [say`missing`, ...asked],
  [say`due`, 'due', 'failed'],
  [say`overdue`, 'overdue'],
  [say`expired`, 'overdue'],
  [say`valid, to be renewed`, 'expiring'],
  [say`expiring`, 'expiring'],
  [say`valid`, 'done'],
  [say`done`, 'done'],
  [say`excused`, 'excused'],
  [say`waiting to be marked`, 'marking'],
  [say`marking`, 'marking'],
  [say`says it isn’t for them`, 'not me'],
  [say`not me`, 'not me'],
  [say`not required any more`, 'not required'],
  [say`not required`, 'not required'],
  ...[say`missing`, say`due`, say`overdue`, say`expired`].map(
    (state) => [say`${state}, can’t be reached`, 'out of reach'] as const,
  ),
];

/** Draws every screen, message and file about a campaign, and tells where they differ in who is in which group. */
function differencesIn({ campaign, now }: { campaign: Campaign; now: number }, render: Render): string[] {
  const differences: string[] = [];
  const written = (text: string) => render(text, 'markup');
  const linesIn = (page: Page) => linesOf(page).flatMap((line) => written(line).split('\n'));
  const namesOn = (lines: readonly string[], ...signs: readonly string[]) =>
    names.filter((name) => lines.some((line) => signs.some((sign) => line.startsWith(sign)) && line.includes(name)));
  const same = (what: string, is: unknown, expected: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(expected))
      differences.push(`${what}: ${JSON.stringify(is)}, and not ${JSON.stringify(expected)}`);
  };

  const show = campaignPage(campaign, { joined: [], page: 1, now, platform: 'Slack' });
  const onShow = linesIn(show);
  const shown = new Map<string, PeopleGroup>(
    Object.entries(icons).flatMap(([sign, group]) => namesOn(onShow, sign).map((name) => [name, group] as const)),
  );
  const who = (...groups: readonly PeopleGroup[]) => names.filter((name) => groups.includes(shown.get(name)!));
  same('show', [...shown.keys()].toSorted(), campaign.members.map(({ name }) => name).toSorted());

  const ended = { ...campaign, endedAt: now };
  const board = campaignBoardPage({ kind: 'campaign-board', campaign, assigning: undefined, now });
  const endBoard = campaignBoardPage({ kind: 'campaign-board', campaign: ended, assigning: undefined, now });
  const onBoard = linesIn(board);
  for (const [sign, group] of Object.entries(icons))
    if (!['⌛', '✅', '➖', '📝', '👋'].includes(sign))
      same(`board ${sign}`, namesOn(onBoard.slice(1), sign), who(group));
  const stands = campaign.rule.standing !== null;
  const progress = [who('done', 'expiring').length, shown.size - who('excused', 'not required').length];
  for (const page of [show, board, endBoard]) {
    const facts = new Map(
      (page.parts ?? []).flatMap(({ facts: some = [] }) =>
        some.flatMap(([label, fact]) => (fact ? [[written(label), written(fact)] as const] : [])),
      ),
    );
    // At the end, who took it and did not pass stands apart from who did not take it, however late both are.
    const notTaken = [say`Didn’t take it`, say`Didn’t submit it`]
      .map((label) => facts.get(written(label)))
      .find((count) => count !== undefined);
    const notPassed = facts.get(written(say`Not passed`));
    const counted: (readonly [label: string, people: readonly string[]])[] = [
      ...(notTaken === undefined ? [[say`Not passed`, who('failed')] as const] : []),
      [say`Can’t be reached`, who('out of reach')],
      [say`Waiting to be marked`, who('marking')],
      [say`Say it isn’t for them`, who('not me')],
      [say`Excused`, who('excused')],
    ];
    for (const [label, people] of counted)
      same(inLabel(label), facts.get(written(label)), people.length > 0 ? String(people.length) : undefined);
    const late = facts.get(written(say`Overdue`));
    const missing = facts.get(written(stands ? say`Due now` : say`Missing`));
    if (stands)
      same(
        'due and overdue',
        [missing, late],
        [who('due'), who('overdue')].map(({ length }) => `${length}`),
      );
    else if (notTaken === undefined) same('missing or overdue', missing ?? late, String(who('due', 'overdue').length));
    else same('at the end', Number(notTaken) + Number(notPassed ?? 0), who('due', 'overdue', 'failed').length);
    if (page !== show) continue;
    const first = numbersIn([...facts.values()][0]!);
    same('progress', first, progress);
  }
  same('progress on the board', numbersIn(onBoard[1]!.replace(/\(.*/, '')), progress);

  const end = linesIn(campaignEndPage({ kind: 'campaign-end', campaign: ended, now }));
  const tookIt = new Set(
    campaign.members.flatMap(({ name, attempts }) => (attempts.some((one) => one.outcome === 'failed') ? name : [])),
  );
  same('end post', namesOn(end, '❌'), who(...asked));
  same('end post 📵', namesOn(end, '📵'), who('out of reach'));
  for (const name of namesOn(end, written(say`❌ *Didn’t pass:*`)))
    if (!tookIt.has(name)) differences.push(`${name} did not pass, and never took it`);

  const { columns, parts } = reportTable({
    campaign,
    asOf: now,
    atEnd: undefined,
    names: new Map(),
    platform: 'Slack',
  });
  const stateAt = columns.findIndex(({ title }) => title === say`State`);
  const groupsByWord = wordsIn(render);
  const check = (what: string, name: string, state: string) => {
    const groups = groupsByWord.get(state) ?? [];
    if (!groups.includes(shown.get(name)!)) differences.push(`${what}: ${name} is ${state}, and ${shown.get(name)}`);
  };
  for (const row of [...(parts as Iterable<readonly (readonly TableCell[])[]>)].flat())
    check('report', String(row[0]), written(String(row[stateAt])));

  const facts = { campaign, asOf: now, resultsFrom: 'read from the quiz service' } as const;
  const evidence = obligationsTable;
  const cellOf = (title: string) => evidence.columns.find((column) => column.title === title)!.of;
  for (const person of peopleIn(facts, { since: 0, until: now + 1 })) {
    const [state, reached] = [say`State now`, say`Can get messages`].map((title) => String(cellOf(title)({ person })));
    const isMissing = [say`due`, say`overdue`, say`expired`].includes(state!) && reached === say`no`;
    check('evidence', person.member.name, written(isMissing ? say`${state!}, can’t be reached` : state!));
  }

  const matrix = matrixOf([campaign], now);
  const page = matrixPage({
    matrix,
    people: undefined,
    only: undefined,
    absent: 0,
    page: 1,
    columns: 1,
    now,
    timeZone: 'UTC',
  });
  const [people = [], cells = []] = (page.parts?.[0]?.table?.columns ?? []).map(({ cells: all }) =>
    all.map((cell) => (typeof cell === 'string' ? written(cell) : '')),
  );
  const inMatrix = people.map((name, row) => [
    names.find((one) => name.includes(one)),
    icons[cells[row]!.split(' ')[0] ?? ''],
  ]);
  same(
    'matrix',
    inMatrix.map(String).toSorted(),
    [...shown].flatMap(([name, group]) => (group === 'not required' ? [] : [`${name},${group}`])).toSorted(),
  );
  const summary = matrix.rows.length === 0 ? [] : linesIn(page)[1]!.split(' · ');
  for (const [sign, group] of [
    ['⏰', 'overdue'],
    ['📵', 'out of reach'],
    ['🔁', 'expiring'],
  ] as const)
    same(`matrix ${sign}`, numbersIn(summary.find((one) => one.startsWith(sign)) ?? '0'), [who(group).length]);

  const nothing = { requests: [], paused: [], previews: [], obligations: [], own: undefined };
  const today = todayFrom({ ...nothing, campaigns: [campaign], now });
  const home = todayParts(today, new Set()).flatMap((part) => linesIn({ heading: '', parts: [part] }));
  const soon = (...groups: readonly PeopleGroup[]) =>
    matrix.rows.filter(({ name, cells: [cell] }) =>
      groups.includes(shown.get(name)!) ? (cell?.obligation.dueAt ?? Infinity) - now <= 7 * dayMs : false,
    ).length;
  for (const [kind, count, more = 0] of [
    ['missed', who('overdue').length],
    [
      'due soon',
      who('overdue').length > 0 ? 0 : soon('due', 'expiring'),
      who('overdue').length > 0 ? 0 : soon('failed'),
    ],
    ['out of reach', who('out of reach').length],
    ['not theirs', who('not me').length],
    ['to mark', who('marking').length],
  ] as const) {
    const place = today.lines.findIndex((line) => line.kind === kind);
    const line = today.lines[place];
    const is = line && 'count' in line ? [line.count, 'failed' in line ? line.failed : 0] : [0, 0];
    same(`Home, ${kind}`, is, [count, more]);
    if (line && !home[place]!.includes(written(amount(count))))
      differences.push(`Home says “${home[place]}” of ${count}`);
  }
  const [own] = ownCampaignItems([campaign], now);
  const late = who('overdue').length;
  same('own campaigns', written(own!.line).includes(written(say`${amount(late)} overdue`)), late > 0);

  const recorded = new Map((endEntry(ended, now).details ?? []).map(({ label, value }) => [label, Number(value)]));
  same(
    'record',
    ['Done', 'Missing', 'Can’t be reached', 'Waiting to be marked'].map((label) => recorded.get(label)),
    [who('done', 'expiring'), who(...asked), who('out of reach'), who('marking')].map(({ length }) => length),
  );

  const isAsked = campaign.members.filter(({ userId }) => ownObligation(campaign, userId, now)?.isAsked);
  same('asked', named(isAsked), who(...asked, 'expiring', 'out of reach'));
  const told = nextMessages(campaign, now, new Set()).filter(({ message }) => message.at <= now);
  const writing = [...told.map(({ member }) => member), ...lateMembers(campaign, now)];
  same('written to', named(writing.filter(({ name }) => !isAsked.some((one) => one.name === name))), []);
  return differences;
}

const knownWords = new Map<Render, ReadonlyMap<string, readonly PeopleGroup[]>>();

function wordsIn(render: Render): ReadonlyMap<string, readonly PeopleGroup[]> {
  const words =
    knownWords.get(render) ?? new Map(reported.map(([said, ...groups]) => [render(said, 'markup'), groups]));
  knownWords.set(render, words);
  return words;
}

const named = (some: readonly Pick<CampaignMember, 'name'>[]) =>
  names.filter((name) => some.some((member) => member.name === name));
const numbersIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
const inLabel = (label: string) => `fact “${label}”`;

/**
 * Draws so many random campaigns at random moments; throws for the first that differs.
 *
 * @param isInEach each in every language; else in one after the other
 */
export async function drawCampaigns(
  count: number,
  { seed, isInEach }: { seed: number; isInEach: boolean },
): Promise<ReadonlySet<PeopleGroup>> {
  const renders = await Promise.all(languageCodes.map(async (code) => [code, await renderFor(code)] as const));
  const seen = new Set<PeopleGroup>();
  let drawnSoFar = 0;
  fc.assert(
    fc.property(anyCampaign, (drawn) => {
      for (const { group } of peopleOf(drawn.campaign, drawn.now)) seen.add(group);
      const turn = drawnSoFar++ % renders.length;
      for (const [code, render] of isInEach ? renders : renders.slice(turn, turn + 1)) {
        const differences = differencesIn(drawn, render);
        if (differences.length > 0) throw new Error(`In ${code}: ${differences.join('\n')}`);
      }
    }),
    { numRuns: count, seed, endOnFailure: true },
  );
  return seen;
}
