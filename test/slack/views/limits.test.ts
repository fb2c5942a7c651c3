import { catalog } from '../../../src/operations/catalog.ts';
import { decidedPage, requestPage, reviewPage } from '../../../src/features/administration/pages/requests.ts';
import { decideRequest } from '../../../src/features/administration/decide-request.ts';
import { outcomeMessage, type ShownOutcome } from '../../../src/slack/views/outcome.ts';
import { answered, drawn, asSent } from '../../support/as-sent.ts';
import { named, inEnglish } from '../../../src/domain/said.ts';
import { passwordOfferMessage, passwordSorryMessage, passwordView } from '../../../src/slack/views/users/password.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { type Said, sentTexts, oddTexts, problemsOfSaid } from '../../support/slack-limits.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Right } from '../../../src/operations/context.ts';
import { todayFrom } from '../../../src/features/administration/today.ts';
import { formView, waitingView } from '../../../src/slack/form/form.ts';
import { helpMessage, suggestedLinesMessage } from '../../../src/slack/views/help.ts';
import { everything } from '../../../src/governance/rights/rights.ts';
import type { Field, Value } from '../../../src/operations/fields/fields.ts';
import { homePage } from '../../../src/features/administration/pages/home.ts';
import { homeView } from '../../../src/slack/home.ts';
import { troubles } from '../../support/builders/findings.ts';
import { alertsStatus } from '../../support/builders/alerts.ts';
import { needyFacts } from '../../support/builders/today.ts';
import { monday, standingCampaign, plannedCampaign } from '../../support/builders/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';
import { campaignPlanPage } from '../../../src/features/campaigns/pages/plan.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { runs } from '../../support/drawn.ts';

/** What a reviewer reads, and is asked in a form, of a request with the same text for every external text. */
function saidToReviewers(name: string): Said[] {
  const asked = {
    action: `suspend ${named(name)}`,
    effect: name || 'Nothing is lost.',
    details: Array.from({ length: 12 }, () => ({ label: 'User', value: name })),
    targets: Array.from({ length: 30 }, (_, index) => ({
      kind: 'user' as const,
      id: `u-${index}`,
      name,
      facts: { Name: name, Type: name, Rights: name },
    })),
  };
  const request = approvalRequest({
    reason: name,
    asked,
    posts: { messages: [], trouble: name },
    failures: 2,
    lastFailure: { message: name, by: 'U00000ADA', at: 2_500 },
  });
  const review = { kind: 'review' as const, request, preview: asked, changes: Array.from({ length: 40 }, () => name) };
  return [
    { surface: 'message', ...drawn(requestPage(request)) },
    ...(['approved', 'denied'] as const).map((verdict): Said => ({
      surface: 'modal',
      blocks: answered(decideRequest, reviewPage(review, verdict)).blocks,
    })),
    { surface: 'modal', blocks: answered(decideRequest, decidedPage({ kind: 'changed', review })).blocks },
  ];
}

const everyRight = new Set<Right>(['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator']);
const everyOperation: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
const [anyOperation] = catalog;

/** What people read that is more than a page, with the same text for every external text. `npm run judge -- fuzz pages` draws pages. */
function everythingWith(name: string): Record<string, Said> {
  const many = <Item>(make: (index: number) => Item, count: number) =>
    Array.from({ length: count }, (_, index) => make(index));
  const quiz = (index: number) => ({
    quiz_id: `q-${index}`,
    name,
    status: (['open', 'closed', 'in_design'] as const)[index % 3]!,
    date_created: new Date('2026-11-02T00:05:47Z'),
  });
  const group = { group_id: 'g', group_name: name };
  const user = quizUser({ user_name: name, first_name: name, last_name: name, email_address: name, groups: [group] });
  const request = approvalRequest({ reason: name, failures: 1, lastFailure: { message: name, by: 'U1', at: 1 } });
  const candidates = many((index) => ({ value: `id-${index}`, label: name }), 25);
  const outcomes: ShownOutcome[] = [
    {
      kind: 'done',
      result: { kind: 'done', message: name, problems: many(() => name, 60), passwordOf: { user, isNew: true } },
      offered: everyOperation,
    },
    { kind: 'unexplained', input: { quiz: [name] } },
    { kind: 'warned', message: name, input: { quiz: [name] }, confirmation: 'abc' },
    { kind: 'unconfirmed', question: `Assign it to ${name}?`, label: `Assign ${name}`, input: { quiz: [name] } },
    { kind: 'refused', message: name },
    { kind: 'unclear', field: 'quiz', index: 0, typed: name, noun: 'quiz', candidates, count: 99, isAlike: true },
    { kind: 'unclear', field: 'quiz', index: 0, typed: name, noun: 'group', candidates: [], count: 0, isAlike: false },
  ];
  const messages = [
    ...outcomes.map((outcome) => outcomeMessage(anyOperation!, { quiz: [name] }, outcome)),
    ...[true, false].map((isWhole) => helpMessage('/quiz', catalog, { isWhole, unknownVerb: name })),
    suggestedLinesMessage(
      `/quiz ${name}`,
      [1, 2].map(() => ({ command: '/quiz', text: name, shown: name })),
    ),
    passwordOfferMessage({ userId: 'u-1', name }),
    passwordSorryMessage('u-1', name),
  ];
  const passwordViews = [
    passwordView({ kind: 'shown', name, userName: name, password: 'not a real one' }),
    passwordView({ kind: 'refused', message: name }),
    passwordView({ kind: 'failed', message: name }),
  ];
  const reader = { rights: everyRight, visibility: everything };
  const held = (kind: Field['kind']) =>
    kind === 'people' ? ['person:U0ROSA'] : kind === 'channel' ? ['channel:C1'] : [name.slice(0, 100)];
  const valuesHeld: Partial<Record<Field['kind'], Value>> = {
    quiz: quiz(0),
    quizzes: [quiz(0)],
    user,
    users: [user],
    group,
    groups: [group],
    assignees: [{ kind: 'group', group }],
    audience: [{ kind: 'group', group, people: [] }],
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
      own: { quizzes: [], leftOut: 3, isStillReading: true },
      today: todayFrom(needyFacts(name)),
      asked: many(() => request, 20),
      status: {
        health: troubles,
        unreadable: [],
        requestsLeft: [{ windowMs: 60_000, left: 1, limit: 60 }],
        alerts: alertsStatus(),
        undelivered: { count: 3, lastAt: 1 },
      },
      messages: 'on',
      monday: 'on',
      language: { chosen: undefined, inSlack: 'en' },
    }),
    everyOperation,
  );
  return {
    ...Object.fromEntries(
      messages.map((message, index) => [`message ${index}`, { surface: 'message' as const, ...message }]),
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
          fields.filter(([, { kind }]) => kind !== 'period').map(([field, { kind }]) => [field, held(kind)]),
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
    ...Object.fromEntries(saidToReviewers(name).map((said, index) => [`of a request ${index}`, said])),
    ...Object.fromEntries(
      passwordViews.map(({ blocks }, index) => [`password ${index}`, { surface: 'modal' as const, blocks }]),
    ),
    waiting: { surface: 'modal', blocks: waitingView(anyOperation!).blocks },
    home: { surface: 'home', blocks: home.blocks },
  };
}

function problemsWith(name: string): string[] {
  return Object.entries(everythingWith(name)).flatMap(([what, said]) =>
    problemsOfSaid(said).map((problem) => `${what}: ${problem}`),
  );
}

describe('what is more than a page stays within the limits of Slack', () => {
  test.each(oddTexts)('with names of %s', (_, name) => {
    expect(problemsWith(name)).toEqual([]);
  });

  test('with any names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        expect(problemsWith(name)).toEqual([]);
      }),
      { numRuns: runs(25) },
    );
  });
});

/** Dates, people and channels that the bot writes itself. */
const ownMarkup =
  /<!date\^\d+\^\{date_(?:short|long)_pretty\}(?: \{time\})?\|[^<>]*>|<@(?:U1|U00000UMA|U00000ADA)>|<#C1>/g;

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
    { numRuns: runs(15) },
  );
});

test('every mrkdwn text is verbatim, so that Slack does not turn plain text into links', () => {
  const loose = JSON.stringify(Object.values(everythingWith('x'))).match(
    /\{"type":"mrkdwn","text":"(?:[^"\\]|\\.)*"\}/g,
  );
  expect(loose).toBeNull();
});

test.each([
  [2, 40],
  [11, 50],
  [16, 12],
  [24, 3],
])('a lead of %i campaigns with %i missing people each finds every quiz and its buttons', (count, missing) => {
  const names = Array.from({ length: missing }, (_, index) => `Alexandra Fischer-Müller ${index}`);
  const message = announcementMessage({
    kind: 'campaign-escalations',
    escalations: Array.from({ length: count }, (_, index) => ({
      campaignId: crypto.randomUUID(),
      quizName: `Workplace safety ${index}`,
      dueAt: monday,
      names,
      missing,
      takeUrl: undefined,
    })),
  });
  const text = inEnglish(JSON.stringify(message.blocks));
  expect([text.match(/"text":"Excuse…"/g)?.length, text.includes('more: `/quiz-campaign')]).toEqual([count, false]);
});

test('of more campaigns than a message has room for, a lead reads how many are left', () => {
  const escalations = Array.from({ length: 60 }, (_, index) => ({
    campaignId: crypto.randomUUID(),
    quizName: `Workplace safety ${index}`,
    dueAt: monday,
    names: ['Rosa Almeida'],
    missing: 1,
    takeUrl: undefined,
  }));
  const text = inEnglish(JSON.stringify(announcementMessage({ kind: 'campaign-escalations', escalations }).blocks));
  expect([text.match(/Workplace safety \d+\*/g)?.length, text.match(/…and \d+ more/g)]).toEqual([24, ['…and 36 more']]);
});

test('the preview of a campaign can be changed, however many people were named one by one', () => {
  const input = { quiz: ['q-1'], to: Array.from({ length: 100 }, () => crypto.randomUUID()) };
  const { blocks } = drawn(
    campaignPlanPage(plannedCampaign(), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'start-campaign', input },
      warning: undefined,
      timeZone: 'UTC',
      platform: 'Slack',
    }),
  );
  expect(JSON.stringify(blocks)).toContain('"text":"Change…"');
});
