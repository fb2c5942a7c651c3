import { requestsPage } from '../../../src/features/administration/pages/requests.ts';
import { ageOfList } from '../../../src/operations/next-step.ts';
import { auditCheckPage, auditPage } from '../../../src/features/administration/pages/audit.ts';
import { whoPage } from '../../../src/features/administration/who-am-i.ts';
import { ownQuizzesPage, quizPage, quizzesPage } from '../../../src/features/quizzes/pages.ts';
import { matrixPage } from '../../../src/features/campaigns/pages/matrix.ts';
import { groupPage, groupsPage } from '../../../src/features/groups/list-and-show.ts';
import { userPage, usersPage } from '../../../src/features/users/pages.ts';
import { statusPage } from '../../../src/features/administration/pages/status.ts';
import fc from 'fast-check';
import { asSent } from '../../support/as-sent.ts';
import { describe, expect, test } from 'vitest';
import type { ExecutionResult } from '../../../src/governance/perform/execution-result.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import type { Right } from '../../../src/operations/context.ts';
import type { OperationResult } from '../../../src/operations/operation-result.ts';
import { todayFrom } from '../../../src/features/administration/today.ts';
import { attemptPage } from '../../../src/features/results/attempt-page.ts';
import { resultsPage } from '../../../src/features/results/pages.ts';
import { scoredPercentages, statisticsOf } from '../../../src/features/results/statistics.ts';
import { alertsPage, subscribedPage } from '../../../src/features/alerts/pages/alerts.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { digestPage } from '../../../src/features/alerts/pages/digest.ts';
import { submissionPage, testAlertPage, threadPage } from '../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../support/draw.ts';
import { formView, messageView, waitingView } from '../../../src/slack/form/form.ts';
import { helpMessage, suggestedLinesMessage } from '../../../src/slack/views/help.ts';
import { everything } from '../../../src/governance/rights/visibility.ts';
import type { Field, Value } from '../../../src/operations/fields/fields.ts';
import { homePage } from '../../../src/features/administration/pages/home.ts';
import { todayPage } from '../../../src/features/administration/pages/today.ts';
import { homeView } from '../../../src/slack/home.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { outcomeMessage, type ShownOutcome } from '../../../src/slack/views/outcome.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import type { AnnouncedSubmission } from '../../../src/domain/announcement.ts';
import { countFitting } from '../../../src/slack/announcing/post.ts';
import { troubles } from '../../support/builders/findings.ts';
import { alertsStatus, digest, digestOfQuiz, submission, subscription } from '../../support/builders/alerts.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { needyFacts, todayFacts } from '../../support/builders/today.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  standingCampaign,
  standingRule,
} from '../../support/builders/campaigns.ts';
import { matrixOf } from '../../../src/obligations/matrix.ts';
import { quizUser } from '../../support/builders/users.ts';
import { sentTexts, oddTexts, problemsOfSaid, type Said } from '../../support/slack-limits.ts';
import { saidOfRequests } from './said-of-requests.ts';

const everyOperation: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));

const everyRight = new Set<Right>(['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator']);
const [anyOperation] = catalog;
const date = new Date('2026-11-02T00:05:47Z');
const writtenDate = '2026-11-02 00:05:47';

/** The submissions of the longest message. */
function thatFit(items: readonly AnnouncedSubmission[]): readonly AnnouncedSubmission[] {
  return items.slice(0, countFitting({ kind: 'submissions', items, postedAt: 0 }));
}

/** Every message and view of the bot, with the same text for every external text. */
function everythingWith(name: string): Record<string, Said> {
  const many = <Item>(make: (index: number) => Item, count = 120) =>
    Array.from({ length: count }, (_, index) => make(index));
  const quiz = (index: number) => ({
    quiz_id: `q-${index}`,
    name,
    status: (['open', 'closed', 'in_design'] as const)[index % 3]!,
    date_created: date,
  });
  const group = (index: number) => ({ group_id: `g-${index}`, group_name: name });
  const assigned = (index: number) => ({
    quiz_id: `q-${index}`,
    name,
    date_assigned: writtenDate,
    response_id: 'r',
    date_submitted: writtenDate,
    points: 1,
    available_points: 2,
    percentage_score: 50,
    grade: name,
    pass: index % 2 === 0,
    outcome: 'passed' as const,
    duration: 5,
    attempt: 1,
    status: index % 3 === 0 ? null : ('submitted' as const),
  });
  const user = quizUser({
    user_name: name,
    first_name: name,
    last_name: name,
    email_address: name,
    organization: name,
    groups: many(group, 30),
  });
  const withResults = { ...user, quizzes: many(assigned, 80) };
  const own = {
    quizzes: many(assigned).map((last, index) => ({ ...last, isDue: index % 2 === 0, earlier: many(assigned, 8) })),
    leftOut: 3,
    isStillReading: true,
  };
  const attempt = (index: number) =>
    quizResponse({
      response_id: `r-${index}`,
      first_name: name,
      last_name: name,
      grade: name,
      email_address: name,
      ip_address: name,
      access_code: name,
      user_name: name,
      registration_fields: many(() => ({ name, value: name }), 40),
    });
  const question = (index: number) =>
    answeredQuestion({
      text: name,
      points_scored: index % 2,
      options: many(
        () => answeredOption({ text: name, correct: true, selected: true, answer: index % 3 ? '' : name }),
        5,
      ),
      files: [{ file_id: `f-${index}`, name }],
    });
  const botStatus = {
    health: troubles,
    unreadable: many(() => ({ list: 'users', count: 3, reason: name }), 5),
    requestsLeft: [{ windowMs: 60_000, left: 1, limit: 60 }],
    alerts: alertsStatus({ refused: many((count) => ({ reason: name, count })) }),
    undelivered: { count: 3, lastAt: 1 },
  };
  const asked = {
    effect: name,
    details: many(() => ({ label: name, value: name }), 20),
    targets: [
      { kind: 'user' as const, id: 'u', name, facts: Object.fromEntries(many((index) => [`Fact ${index}`, name], 8)) },
    ],
  };
  const request = approvalRequest({
    reason: name,
    asked,
    failures: 1,
    lastFailure: { message: name, by: 'U1', at: 1 },
  });
  const needy = needyFacts(name);
  // Every kind of line, five at a time.
  const todays = [
    todayFrom(needy),
    ...needy.campaigns.map((campaign) => todayFrom(todayFacts({ campaigns: [campaign] }))),
    todayFrom({ ...needy, campaigns: [], obligations: [], requests: [request] }),
    todayFrom(todayFacts()),
  ];
  const wordy = (index: number) =>
    subscription({
      id: `s-${index}`,
      quiz: { id: 'q', name },
      filter: { kind: 'grade', grade: name },
      delivery: { kind: 'thread' },
      showsNames: false,
      pause: { since: 1, until: null, by: index % 4 ? null : 'U1', code: name },
    });
  const wordyCampaign = (index: number) =>
    campaignOf({
      ...(index % 2 === 0 && standingRule),
      id: `c-${index}`,
      quiz: { id: `q-${index}`, name },
      members: many(
        (person) =>
          campaignMember(`${'u'.repeat(40)}${person}`, {
            name,
            ...(person % 3 === 0 && { excused: { by: 'U1', reason: name, at: monday, until: monday + 900 * dayMs } }),
          }),
        60,
      ),
    });
  const wordyMatrix = matrixOf(many(wordyCampaign, 25), monday + 400 * dayMs);
  const results: OperationResult[] = [
    { kind: 'page', ...quizzesPage(many(quiz), { filter: { name }, age: ageOfList(1) }) },
    { kind: 'page', ...quizzesPage([], { filter: { name } }) },
    {
      kind: 'page',
      ...quizPage({
        quiz: quiz(0),
        groups: many(group, 30),
        takeLink: `https://quiz.example/${'x'.repeat(200)}`,
        use: { questions: 10, people: { direct: 5, throughGroups: 42_000 }, taken: { people: 12, attempts: 15 } },
      }),
    },
    {
      kind: 'page',
      ...usersPage(
        many(() => user),
        { count: 100_000, filter: { name, group: name }, age: ageOfList(1) },
      ),
    },
    { kind: 'page', ...usersPage([], { count: 0, filter: { name, group: name } }) },
    {
      kind: 'page',
      ...userPage(
        {
          user: withResults,
          assigned: own,
          obligations: [],
          groups: many(() => name),
          trains: { quizzes: many(() => name), groups: many(() => name) },
        },
        'UTC',
      ),
    },
    ...[1, 2].map((page) => ({
      kind: 'page' as const,
      ...matrixPage({
        matrix: wordyMatrix,
        absent: 3,
        people: [{ kind: 'group', group: group(0), people: [] }],
        only: page === 1 ? undefined : 'overdue',
        page,
        columns: page,
        now: monday + 400 * dayMs,
        timeZone: 'UTC',
      }),
    })),
    { kind: 'page', ...groupsPage(many(group), name) },
    {
      kind: 'page',
      ...groupPage(
        group(0),
        many(() => ({ name, isSuspended: true })),
      ),
    },
    { kind: 'page', ...ownQuizzesPage(own) },
    ...todays.map((today) => ({
      kind: 'page' as const,
      ...todayPage({ today, example: name, isReply: true }, everyOperation),
    })),
    { kind: 'page', ...ownQuizzesPage({ quizzes: [], leftOut: 0, isStillReading: false }) },
    {
      kind: 'page',
      ...resultsPage(
        {
          quiz: quiz(0),
          only: name,
          filter: { person: name },
          user,
          group: group(0),
          statistics: statisticsOf(many(attempt)),
          percentages: scoredPercentages(many(attempt)),
          submitted: many(attempt),
        },
        'UTC',
      ),
    },
    {
      kind: 'page',
      ...attemptPage({ quiz: quiz(0), response: attempt(0), questions: many(question), page: 2 }),
    },
    ...[
      { channelId: 'C2', alerts: many((index) => ({ subscription: wordy(index), waiting: 3 }), 60), elsewhere: 3 },
      { channelId: undefined, alerts: [], elsewhere: 0 },
    ].map((listed) => ({
      kind: 'page' as const,
      ...alertsPage(listed, { now: 2, closedReason }),
    })),
    {
      kind: 'page' as const,
      ...requestsPage(many(() => request)),
    },
    {
      kind: 'page',
      ...auditPage(
        {
          records: many(
            (position) => ({
              link: { position, text: '', hash: 'hash' },
              entry: auditEntry({ message: name, targets: many(() => ({ kind: 'quiz', id: 'q', name })) }),
            }),
            30,
          ),
          hasMore: true,
        },
        operationNamed,
      ),
    },
    { kind: 'page', ...auditCheckPage({ kind: 'broken', at: 3, problem: 'gap' }) },
    { kind: 'page', ...auditCheckPage({ kind: 'whole', count: 3, hash: 'hash' }) },
    { kind: 'page', ...statusPage({ status: botStatus, openRequests: 3, auditEntries: 1_000 }) },
    {
      kind: 'page',
      ...whoPage({
        actor: { personId: 'U1', isOwner: false, user, nobody: undefined },
        rights: everyRight,
        seesEveryQuiz: true,
      }),
    },
    { kind: 'done', message: name, problems: many(() => name, 60), passwordOf: { user, isNew: true } },
  ];
  const candidates = many((index) => ({ value: `id-${index}`, label: name }), 25);
  const outcomes: ExecutionResult[] = [
    ...results.map((result) => ({ kind: 'done' as const, result, offered: everyOperation })),
    { kind: 'requested', request },
    { kind: 'unexplained' },
    { kind: 'warned', message: name, input: { quiz: [name] }, confirmation: 'abc' },
    { kind: 'refused', message: name },
    { kind: 'failed', message: name },
    { kind: 'invalid', field: 'quiz', message: name },
    { kind: 'unclear', field: 'quiz', index: 0, typed: name, noun: 'quiz', candidates, count: 99, isAlike: true },
    {
      kind: 'unclear',
      field: 'quiz',
      index: 0,
      typed: name,
      noun: 'user',
      candidates: candidates.slice(0, 3),
      count: 3,
      isAlike: false,
    },
    { kind: 'unclear', field: 'quiz', index: 0, typed: name, noun: 'group', candidates: [], count: 0, isAlike: false },
    {
      kind: 'unclear',
      field: 'subscription',
      index: 0,
      typed: '',
      noun: 'subscription',
      candidates,
      count: 25,
      isAlike: true,
    },
  ];
  const messages: Message[] = [
    ...outcomes.map((outcome) => outcomeMessage(anyOperation!, { quiz: [name] }, outcome as ShownOutcome)),
    ...[true, false].map((isWhole) => helpMessage('/quiz', catalog, { isWhole, unknownVerb: name })),
    suggestedLinesMessage(
      `/quiz ${name}`,
      [1, 2].map(() => ({ command: '/quiz', text: name, shown: name })),
    ),
    ...[true, false].flatMap((showsNames) => [
      drawn(
        submissionPage({
          submission: submission({
            quizName: name,
            name,
            grade: name,
            isBackfilled: true,
            submittedAt: 1,
            attempt: 22,
          }),
          postedAt: 0,
          showsNames,
        }),
      ),
      announcementMessage({
        kind: 'submissions',
        items: thatFit(
          many(
            (index) => ({
              submission: submission({ quizId: `q-${index % 50}`, quizName: name, name, grade: name }),
              showsNames,
            }),
            300,
          ),
        ),
        postedAt: 0,
      }),
      drawn(
        digestPage(
          digest({
            quizzes: many(
              (index) =>
                digestOfQuiz({
                  quizId: `q-${index}`,
                  quizName: name,
                  submitted: 43,
                  percentages: [1, 2, 3, 4, 5],
                  failed: 40,
                  failedNames: many(() => name, 40),
                }),
              40,
            ),
          }),
          {
            filter: { kind: 'grade', grade: name },
            delivery: { kind: 'digest', every: 'day', at: '08:30' },
            showsNames,
          },
        ),
      ),
      drawn(
        testAlertPage({
          quiz: { id: 'q', name },
          filter: { kind: 'grade', grade: name },
          delivery: { kind: 'each' },
          timeZone: 'UTC',
          showsNames,
        }),
      ),
    ]),
    drawn(subscribedPage(wordy(1))),
    ...['not_in_channel', 'is_archived', 'restricted_action', name].map((code) =>
      announcementMessage({ kind: 'paused', subscription: wordy(2), code, waiting: 3 }),
    ),
    announcementMessage({
      kind: 'assigned',
      quizName: name,
      by: 'U1',
      takeUrl: `https://quiz.example/${'t'.repeat(2_900)}`,
    }),
    announcementMessage({
      kind: 'own-result',
      submission: submission({ quizName: name, grade: name }),
      reportUrl: `https://quiz.example/${'r'.repeat(2_900)}`,
    }),
    drawn(
      threadPage({
        quizId: 'q',
        quizName: name,
        day: '2026-11-21',
        submitted: 300,
        passed: 200,
        failed: 100,
        unmarked: 0,
        scored: 300,
        percentagesTotal: 20_000,
      }),
    ),
  ];
  const reader = { rights: everyRight, visibility: everything };
  const held = (kind: Field['kind']) =>
    kind === 'people' ? ['person:U0ROSA'] : kind === 'channel' ? ['channel:C1'] : [name.slice(0, 100)];
  const valuesHeld: Partial<Record<Field['kind'], Value>> = {
    quiz: quiz(0),
    quizzes: [quiz(0)],
    user,
    users: [user],
    group: group(0),
    groups: [group(0)],
    assignees: [{ kind: 'group', group: group(0) }],
    audience: [{ kind: 'group', group: group(0), people: [] }],
    file: { kind: 'file', id: 'F1', name: name.slice(0, 100) },
  };
  const homeReader = {
    actor: { personId: 'U1', isOwner: false, user, nobody: undefined },
    rights: everyRight,
    offered: everyOperation,
    timeZone: 'UTC',
  };
  const home = homeView(
    homePage(homeReader, {
      openQuizzes: many(
        (index) => ({
          quiz: quiz(index),
          counts:
            index % 3 === 0
              ? undefined
              : index % 3 === 1
                ? { submitted: 10, passed: 3, failed: 5, unmarked: 1 }
                : { submitted: 0, passed: 0, failed: 0, unmarked: 0 },
          assigned: index,
        }),
        30,
      ),
      campaigns: many(() => ({ ...standingCampaign(), quiz: { id: 'q', name } }), 20),
      now: monday,
      own,
      today: todays[0]!,
      asked: many(() => request, 20),
      status: botStatus,
      messages: 'on',
      language: { chosen: undefined, inSlack: 'en' },
    }),
    everyOperation,
  );
  return {
    ...Object.fromEntries(
      messages.map((message, index) => [`message ${index}`, { surface: 'message' as const, ...message }]),
    ),
    ...Object.fromEntries(
      messages.map((message, index) => [
        `modal of message ${index}`,
        { surface: 'modal' as const, blocks: messageView(anyOperation!, message).blocks },
      ]),
    ),
    ...Object.fromEntries(
      catalog.map((operation) => [
        `form ${operation.name}`,
        {
          surface: 'modal' as const,
          blocks: formView(operation, reader, { notice: name, warning: { message: name, confirmation: 'abc' } }).blocks,
        },
      ]),
    ),
    ...Object.fromEntries(
      catalog.map((operation) => {
        const fields = Object.entries(operation.fields);
        const texts = Object.fromEntries(
          fields.filter(([, { kind }]) => kind !== 'day').map(([field, { kind }]) => [field, held(kind)]),
        );
        const values = Object.fromEntries(
          fields.flatMap(([field, { kind }]) => (valuesHeld[kind] ? [[field, valuesHeld[kind]]] : [])),
        );
        return [
          `filled form ${operation.name}`,
          { surface: 'modal' as const, blocks: formView(operation, reader, { texts, values }).blocks },
        ];
      }),
    ),
    ...Object.fromEntries(saidOfRequests(name).map((said, index) => [`of a request ${index}`, said])),
    waiting: { surface: 'modal', blocks: waitingView(anyOperation!).blocks },
    home: { surface: 'home', blocks: home.blocks },
  };
}

function problemsWith(name: string): string[] {
  return Object.entries(everythingWith(name)).flatMap(([what, said]) =>
    problemsOfSaid(said).map((problem) => `${what}: ${problem}`),
  );
}

describe('every message and view stays within the limits of Slack', () => {
  test.each(oddTexts)('with names of %s', (_, name) => {
    expect(problemsWith(name)).toEqual([]);
  });

  test('with any names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        expect(problemsWith(name)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

/** Dates, people and channels that the bot writes itself. */
const ownMarkup = /<!date\^\d+\^\{date_short_pretty\}(?: \{time\})?\|[^<>]*>|<@(?:U1|U00000UMA|U00000ADA)>|<#C1>/g;

test('no text from outside can mention, link or notify', () => {
  const dangerous = fc.constantFrom(
    '<!channel>',
    '<!here|x>',
    '<@U123>',
    '<#C123>',
    '<https://x|y>',
    '<!subteam^S1>',
    '<!date^1^{time}|x>',
    'plain',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(dangerous, fc.string({ maxLength: 20 })), { maxLength: 6 }), (parts) => {
      const name = parts.join(' ');
      const active = Object.entries(everythingWith(name)).flatMap(([what, { blocks, text = '' }]) =>
        [asSent(text, 'markup'), ...sentTexts(blocks)]
          .map((one) => one.replaceAll(ownMarkup, ''))
          .filter((one) => /[<>]/.test(one))
          .map((one) => [what, one]),
      );
      expect(active).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('every mrkdwn text is verbatim, so that Slack does not turn plain text into links', () => {
  const loose = JSON.stringify(Object.values(everythingWith('x'))).match(
    /\{"type":"mrkdwn","text":"(?:[^"\\]|\\.)*"\}/g,
  );
  expect(loose).toBeNull();
});
