import { describe, expect, inject, test } from 'vitest';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { EnteredValues } from '../../src/sandbox/workspace/actor/interactions.ts';
import { catalog, operationNamed } from '../../src/operations/catalog.ts';
import { shareTestBed, startTestBed, type TestBed, textOf } from '../support/test-bed.ts';

/** A command, its requests to the quiz service except lists, rights and what is sent before it, and the answer to the person. */
interface Case {
  operation: string;
  /** The command. */
  command: string;
  /** The values of the form that the command opens. */
  form?: EnteredValues;
  /** A command sent before. */
  before?: string;
  /** The action IDs of buttons that are pressed one after the other, each on the answer before, before the command or after it. */
  pressBefore?: string[];
  press?: string[];
  /** The expected requests, with `{Rosa Almeida}` in place of her id. */
  requests: string[];
  /** A part of the expected answer. */
  answer: string;
}

const preview = '/quiz-campaign start workplace for @ravi due in 2 weeks';
const previewRequests = [
  'GET /api/v1/quizzes/{Workplace safety basics}/groups',
  'GET /api/v1/quizzes/{Workplace safety basics}/responses',
];
/** Start looks whether the quiz is still open, and who has taken it since. */
const startRequests = [
  ...previewRequests,
  'GET /api/v1/quizzes/{Workplace safety basics}',
  'GET /api/v1/quizzes/{Workplace safety basics}/responses',
];
/** A campaign runs before the command. */
const campaign = { before: preview, pressBefore: ['choose:run-campaign'], requests: [] };

/** A change of a rule reads the results before its preview, and before it counts. */
const responsesRequest = 'GET /api/v1/quizzes/{Workplace safety basics}/responses';

const cases: Case[] = [
  { operation: 'list-quizzes', command: '/quiz list safety', requests: [], answer: '1 quiz' },
  {
    operation: 'show-quiz',
    command: '/quiz show forklift',
    requests: [
      'GET /api/v1/quizzes/{Forklift theory test}/groups',
      'GET /api/v1/quizzes/{Forklift theory test}/responses',
      'GET /api/v1/quizzes/{Forklift theory test}/responses/…/questions',
    ],
    answer: '*Submitted by*',
  },
  {
    operation: 'create-quiz',
    command: '/quiz create “Ladders & steps”',
    requests: ['POST /api/v1/quizzes name=Ladders & steps', 'GET /api/v1/quizzes/…'],
    answer: 'Created *Ladders &amp; steps*.',
  },
  {
    operation: 'rename-quiz',
    command: '/quiz rename forklift to Forklift: to and from',
    requests: ['POST /api/v1/quizzes/{Forklift theory test} name=Forklift: to and from'],
    answer: 'Renamed *Forklift theory test* to *Forklift: to and from*.',
  },
  {
    operation: 'open-quiz',
    command: '/quiz open first aid',
    requests: ['POST /api/v1/quizzes/{First aid at work} status=open'],
    answer: 'Opened *First aid at work*.',
  },
  {
    operation: 'close-quiz',
    command: '/quiz close workplace',
    requests: ['POST /api/v1/quizzes/{Workplace safety basics} status=closed'],
    answer: 'Closed *Workplace safety basics*.',
  },
  {
    operation: 'copy-quiz',
    command: '/quiz copy forklift as Forklift 2027',
    requests: ['POST /api/v1/quizzes/{Forklift theory test}/copy name=Forklift 2027', 'GET /api/v1/quizzes/…'],
    answer: 'Copied *Forklift theory test* as *Forklift 2027*.',
  },
  {
    operation: 'delete-quiz',
    command: '/quiz delete forklift',
    form: { reason: 'Replaced' },
    requests: ['GET /api/v1/quizzes/{Forklift theory test}/responses'],
    answer: 'Approval requested: ',
  },
  {
    operation: 'assign-quiz',
    command: '/quiz assign data protection to Rosa Almeida, @ravi, Kitchen',
    requests: [
      'GET /api/v1/quizzes/{Data protection refresher}/groups',
      'POST /api/v1/users/{Rosa Almeida}/quizzes quiz_id={Data protection refresher}',
      'POST /api/v1/users/{Ravi Banerjee}/quizzes quiz_id={Data protection refresher}',
      'POST /api/v1/quizzes/{Data protection refresher}/groups group_id={Kitchen}',
    ],
    answer: 'Assigned *Data protection refresher* to *Rosa Almeida*, *Ravi Banerjee* and the group *Kitchen*.',
  },
  {
    operation: 'unassign-quiz',
    command: '/quiz unassign forklift from rosa@quiz.example',
    requests: ['DELETE /api/v1/users/{Rosa Almeida}/quizzes quiz_id={Forklift theory test}'],
    answer: 'Unassigned *Forklift theory test* from *Rosa Almeida*.',
  },
  {
    operation: 'show-results',
    command: '/quiz results workplace for passed',
    requests: ['GET /api/v1/quizzes/{Workplace safety basics}/responses'],
    answer: 'Workplace safety basics*: results, only passed',
  },
  {
    // Without attempts, nothing is read in the background. questions.test.ts has the rest.
    operation: 'show-questions',
    command: '/quiz questions customer service',
    requests: ['GET /api/v1/quizzes/{Customer service essentials}/responses'],
    answer: 'Customer service essentials*: questions',
  },
  {
    operation: 'all-results',
    command: '/quiz results all failed',
    requests: accountQuizzes.map(({ name }) => `GET /api/v1/quizzes/{${name}}/responses`),
    answer: 'Results of all quizzes*, only failed: ',
  },
  {
    operation: 'export-results',
    command: '/quiz export workplace',
    requests: ['GET /api/v1/quizzes/{Workplace safety basics}/responses'],
    answer: 'The file is in your direct messages',
  },
  {
    operation: 'show-missing',
    command: '/quiz missing workplace kitchen',
    requests: [
      'GET /api/v1/quizzes/{Workplace safety basics}/groups',
      'GET /api/v1/quizzes/{Workplace safety basics}/responses',
    ],
    answer: 'people in *Kitchen*',
  },
  {
    operation: 'show-attempt',
    command: '/quiz attempt onboarding of rosa almeida',
    requests: [
      'GET /api/v1/quizzes/{Onboarding, week 1}/responses',
      'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/questions',
    ],
    answer: 'Upload your signed code of conduct',
  },
  {
    operation: 'send-files',
    command: '/quiz files onboarding of rosa almeida',
    requests: [
      'GET /api/v1/quizzes/{Onboarding, week 1}/responses',
      'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/questions',
      'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/files/…',
    ],
    answer: 'Sent you *code-of-conduct-signed.txt* from *Rosa Almeida* in a direct message.',
  },
  {
    operation: 'delete-response',
    command: '/quiz delete-response forklift of hana',
    form: { reason: 'Taken twice' },
    requests: ['GET /api/v1/quizzes/{Forklift theory test}/responses'],
    answer: 'Approval requested: ',
  },
  {
    operation: 'show-today',
    command: '/quiz today',
    requests: [],
    answer: 'nothing needs you right now',
  },
  {
    operation: 'show-undo',
    command: '/quiz undo',
    requests: [],
    answer: 'You did nothing in the last 24 hours that can be undone here.',
  },
  {
    operation: 'my-quizzes',
    command: '/quiz mine',
    requests: ['GET /api/v1/users/{Ada Okafor}'],
    answer: 'You have no quizzes at the moment.',
  },
  { operation: 'list-users', command: '/quiz-user list lindqvist', requests: [], answer: 'tom@quiz.example' },
  {
    operation: 'show-user',
    command: '/quiz-user show @tom',
    requests: ['GET /api/v1/users/{Tom Lindqvist}'],
    answer: 'Tom Lindqvist',
  },
  {
    operation: 'find-user',
    command: '/quiz-user find tom@quiz.example',
    requests: ['POST /api/v1/users/find user_name=tom@quiz.example', 'GET /api/v1/users/{Tom Lindqvist}'],
    answer: 'Tom Lindqvist',
  },
  {
    operation: 'create-user',
    command: '/quiz-user create ines@quiz.example',
    form: { first_name: 'Ines', last_name: 'Marques', user_type: 'trainer', flags: ['edit_quizzes'] },
    requests: [
      'POST /api/v1/users user_name=ines@quiz.example&password=…&user_type=trainer&first_name=Ines&last_name=Marques&send_welcome_email=false&edit_quizzes=true',
      'GET /api/v1/users/…',
    ],
    answer: 'Created *Ines Marques* as a trainer.',
  },
  {
    operation: 'import-users',
    command: '/quiz-user import from #training',
    requests: [],
    answer: '*1 user* would be created',
  },
  {
    operation: 'update-user',
    command: '/quiz-user update rosa',
    form: { last_name: 'Almeida Reis', manage_groups: 'false', empty: ['first_name', 'email_address'] },
    requests: [
      'POST /api/v1/users/{Rosa Almeida} first_name=&last_name=Almeida Reis&email_address=&manage_groups=false',
    ],
    answer: 'Changed the first name, last name, e-mail address and rights of *Rosa Almeida*.',
  },
  {
    operation: 'suspend-user',
    command: '/quiz-user suspend ravi banerjee',
    requests: ['POST /api/v1/users/{Ravi Banerjee} suspended=true'],
    answer: 'Suspended *Ravi Banerjee*.',
  },
  {
    operation: 'reinstate-user',
    command: '/quiz-user reinstate sam petrov',
    requests: ['POST /api/v1/users/{Sam Petrov} suspended=false'],
    answer: 'Reinstated *Sam Petrov*. They can sign in again.',
  },
  {
    operation: 'reset-password',
    command: '/quiz-user reset-password ravi banerjee',
    requests: ['POST /api/v1/users/{Ravi Banerjee} password=…'],
    answer: 'Reset *Ravi Banerjee*’s password.',
  },
  {
    operation: 'delete-user',
    command: '/quiz-user delete sam petrov',
    form: { reason: 'Left in spring' },
    requests: [],
    answer: 'Approval requested: ',
  },
  { operation: 'list-groups', command: '/quiz-group list', requests: [], answer: '👥 *Kitchen*' },
  { operation: 'show-group', command: '/quiz-group show kitchen', requests: [], answer: 'Rosa Almeida' },
  {
    operation: 'add-to-group',
    command: '/quiz-group add rosa to warehouse',
    requests: ['POST /api/v1/users/{Rosa Almeida}/groups group_id={Warehouse}'],
    answer: 'Added *Rosa Almeida* to the group *Warehouse*.',
  },
  {
    operation: 'remove-from-group',
    command: '/quiz-group remove rosa from kitchen',
    requests: ['DELETE /api/v1/users/{Rosa Almeida}/groups group_id={Kitchen}'],
    answer: 'Removed *Rosa Almeida* from the group *Kitchen*.',
  },
  {
    operation: 'assign-to-group',
    command: '/quiz-group assign data protection to night shift',
    requests: [
      'GET /api/v1/quizzes/{Data protection refresher}/groups',
      'POST /api/v1/quizzes/{Data protection refresher}/groups group_id={Night shift}',
    ],
    answer: 'Assigned *Data protection refresher* to the group *Night shift*.',
  },
  {
    operation: 'suspend-group',
    command: '/quiz-user suspend group "Kitchen"',
    requests: [],
    answer: 'of the group *Kitchen*. Nothing happens until you start it.',
  },
  {
    operation: 'suspend-departed',
    command: '/quiz-user suspend-departed',
    requests: [],
    answer: 'Nobody whom you manage has left Slack and is active in the quiz account.',
  },
  {
    operation: 'reinstate-group',
    command: '/quiz-user reinstate group kitchen',
    requests: [],
    answer: '📋 Reinstate 1 person of the group *Kitchen*. Nothing happens until you start it.',
  },
  {
    operation: 'empty-group',
    command: '/quiz-group empty kitchen',
    requests: [],
    answer: 'from the group *Kitchen*. Nothing happens until you start it.',
  },
  {
    operation: 'unassign-from-group',
    command: '/quiz-group unassign workplace from kitchen',
    requests: [
      'GET /api/v1/quizzes/{Workplace safety basics}/groups',
      'DELETE /api/v1/quizzes/{Workplace safety basics}/groups group_id={Kitchen}',
    ],
    answer: 'Unassigned *Workplace safety basics* from the group *Kitchen*.',
  },
  {
    operation: 'subscribe-channel',
    command: '/quiz-alerts subscribe workplace failed',
    requests: [],
    answer: 'Subscribed this channel to results of *Workplace safety basics*: failed only, one message per submission.',
  },
  {
    operation: 'list-alerts',
    before: '/quiz-alerts subscribe workplace',
    command: '/quiz-alerts list',
    requests: [],
    answer: '*1.* *Workplace safety basics*: one message per submission',
  },
  {
    operation: 'unsubscribe-channel',
    before: '/quiz-alerts subscribe workplace',
    command: '/quiz-alerts unsubscribe',
    requests: [],
    answer: 'Unsubscribed this channel from results of *Workplace safety basics*',
  },
  {
    operation: 'pause-alerts',
    before: '/quiz-alerts subscribe workplace',
    command: '/quiz-alerts pause for 2h',
    requests: [],
    answer: 'Paused alerts for',
  },
  {
    operation: 'resume-alerts',
    before: '/quiz-alerts subscribe workplace',
    command: '/quiz-alerts resume workplace',
    requests: [],
    answer: 'weren’t paused. Nothing changed.',
  },
  {
    operation: 'set-channel-language',
    command: '/quiz-alerts language german',
    requests: [],
    answer: 'Changed the language. This channel’s messages will be in German.',
  },
  {
    operation: 'test-alerts',
    before: '/quiz-alerts subscribe workplace',
    command: '/quiz-alerts test',
    requests: [],
    answer: 'Posted a sample alert for',
  },
  {
    operation: 'start-campaign',
    command: preview,
    requests: previewRequests,
    answer: 'A campaign for *Workplace safety basics* with *',
  },
  {
    operation: 'show-plan',
    command: preview,
    press: ['modal:show-plan'],
    requests: previewRequests,
    answer: '• Ravi Banerjee',
  },
  {
    operation: 'run-campaign',
    command: preview,
    press: ['choose:run-campaign'],
    requests: startRequests,
    answer: 'Started a campaign for *Workplace safety basics*',
  },
  {
    operation: 'require-quiz',
    command: '/quiz-campaign require workplace for @ravi within 14d valid 12 months',
    requests: previewRequests,
    answer: 'A campaign for *Workplace safety basics* with *',
  },
  { operation: 'list-campaigns', ...campaign, command: '/quiz-campaign list', answer: '📋 *Workplace safety basics*' },
  {
    operation: 'show-matrix',
    ...campaign,
    command: '/quiz-campaign matrix',
    answer: '*Training matrix*: ',
  },
  {
    operation: 'show-year',
    ...campaign,
    command: '/quiz-campaign year',
    answer: '*The next twelve months*: ',
  },
  {
    operation: 'export-matrix',
    ...campaign,
    command: '/quiz-campaign matrix',
    press: ['ask:export-matrix'],
    answer: 'The file is in your direct messages.',
  },
  {
    operation: 'show-campaign',
    ...campaign,
    command: '/quiz-campaign show workplace',
    answer: 'Campaign for *Workplace safety basics*',
  },
  {
    operation: 'remind-campaign',
    ...campaign,
    command: '/quiz-campaign remind workplace',
    answer: 'about *Workplace safety basics* for',
  },
  {
    operation: 'extend-campaign',
    ...campaign,
    command: '/quiz-campaign extend workplace to in 3 weeks',
    answer: 'Moved the due time of the campaign for *Workplace safety basics* to',
  },
  {
    operation: 'change-campaign',
    ...campaign,
    command: '/quiz-campaign change workplace remind 2d',
    requests: [responsesRequest],
    answer: 'Change the rules of the campaign for *Workplace safety basics*',
  },
  {
    operation: 'show-plan',
    ...campaign,
    command: '/quiz-campaign change workplace valid 1 month',
    press: ['modal:show-plan'],
    requests: [responsesRequest],
    answer: 'would stand differently',
  },
  {
    operation: 'run-rule-change',
    ...campaign,
    command: '/quiz-campaign change workplace remind 2d',
    press: ['choose:run-rule-change'],
    requests: [responsesRequest, responsesRequest],
    answer: 'Changed the rules of the campaign for *Workplace safety basics*: reminders: 2 days before',
  },
  {
    operation: 'excuse-campaign',
    ...campaign,
    command: '/quiz-campaign excuse workplace @ravi because on leave',
    answer: 'Excused *Ravi Banerjee* from *Workplace safety basics*.',
  },
  {
    operation: 'include-campaign',
    ...campaign,
    command: '/quiz-campaign include workplace @ravi',
    answer: '*Ravi Banerjee* takes part in *Workplace safety basics* already.',
  },
  {
    operation: 'hand-over-campaign',
    ...campaign,
    command: '/quiz-campaign hand-over workplace to @tom',
    answer:
      'Asked *Tom Lindqvist* to answer for the campaign for *Workplace safety basics*. Nothing changes until they accept',
  },
  {
    operation: 'take-in',
    ...campaign,
    command: '/quiz-campaign take-in workplace',
    answer: 'is one round',
  },
  {
    operation: 'add-to-campaign',
    ...campaign,
    command: '/quiz-campaign add Nora Fields to workplace',
    requests: [
      ...previewRequests,
      'GET /api/v1/quizzes/{Workplace safety basics}',
      'POST /api/v1/users/{Nora Fields}/quizzes quiz_id={Workplace safety basics}',
    ],
    answer: 'Added *Nora Fields* to the campaign for *Workplace safety basics*.',
  },
  {
    operation: 'end-campaign',
    ...campaign,
    command: '/quiz-campaign end workplace',
    press: ['choose:confirmed'],
    answer: 'Ended the campaign for *Workplace safety basics*.',
  },
  {
    operation: 'report-campaign',
    ...campaign,
    command: '/quiz-campaign report workplace',
    requests: [responsesRequest],
    answer: 'Sent you the report on *Workplace safety basics*',
  },
  {
    operation: 'send-evidence',
    ...campaign,
    command: '/quiz-campaign evidence workplace since 2026-01-01',
    requests: [responsesRequest],
    answer: 'Sent you the evidence pack on *Workplace safety basics*',
  },
  {
    operation: 'list-requests',
    command: '/quiz-admin approvals',
    requests: [],
    answer: 'Nothing is waiting for your approval',
  },
  {
    operation: 'show-audit',
    command: '/quiz-admin audit delete-quiz',
    requests: [],
    answer: 'No entry of the audit trail matches',
  },
  { operation: 'show-status', command: '/quiz-admin status', requests: [], answer: 'Bot status' },
  {
    operation: 'erase-person',
    command: '/quiz-admin erase sam petrov',
    form: { reason: 'He asked for it' },
    requests: [],
    answer: 'Approval requested: ',
  },
  { operation: 'who-am-i', command: '/quiz-admin whoami', requests: [], answer: 'Ada Okafor' },
  {
    operation: 'make-token',
    command: '/quiz-admin token my editor',
    requests: [],
    answer: 'Made the access token *my editor*. It works until',
  },
  { operation: 'list-tokens', command: '/quiz-admin tokens', requests: [], answer: 'You have no access tokens.' },
  {
    operation: 'revoke-token',
    before: '/quiz-admin token my editor',
    command: '/quiz-admin revoke-token my editor',
    requests: [],
    answer: 'Revoked the access token *my editor*.',
  },
  {
    operation: 'list-lent-rights',
    command: '/quiz-admin workflows',
    requests: [],
    answer: 'Nobody lends their rights to a step of a workflow.',
  },
];

test('every operation has a scenario', () => {
  const tried = new Set(cases.map(({ operation }) => operation));
  // Buttons of batches, which batches.test.ts and the tests of their queue click.
  const ofBatches = new Set([
    'reopen-preview',
    'run-batch',
    'pause-batch',
    'resume-batch',
    'cancel-batch',
    'batch-result',
    'undo-batch',
  ]);
  // Buttons of lent rights, which workflows.test.ts clicks.
  const ofLentRights = new Set(['revoke-lent-rights', 'take-rights-back']);
  // Buttons of what was just made, which undo.test.ts presses.
  const ofMakers = new Set(['take-back-quiz', 'take-back-user']);
  // A button of proposals, which departures.test.ts clicks.
  const ofDepartures = new Set(['dismiss-departed']);
  // Answers to messages, which campaign-messages.test.ts, campaign-managers.test.ts, respondents.test.ts, home.test.ts and approvals.test.ts press.
  const ofOneself = new Set([
    'not-me',
    'for-me',
    'snooze-reminders',
    'not-my-report',
    'my-report-after-all',
    'turn-messages',
    'choose-language',
    'decide-request',
    'withdraw-request',
  ]);
  expect(
    catalog
      .map(({ name }) => name)
      .filter(
        (name) => ![tried, ofBatches, ofLentRights, ofMakers, ofDepartures, ofOneself].some((names) => names.has(name)),
      ),
  ).toEqual([]);
});

/** Today wherever people are, as ISO dates. */
function theseDays(): string {
  const dayMs = 24 * 3_600_000;
  return [-dayMs, 0, dayMs].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10)).join(',');
}

// Without subscriptions, the bot sends no background requests, and on holidays a campaign reads nothing to write messages.
const env = { ALERTS_CHANNEL: '', MCP_ENABLED: 'true', WORKFLOW_STEPS_ENABLED: 'true', HOLIDAYS: theseDays() };
const openToRead = shareTestBed({ env });
const openWithCampaign = shareTestBed({ env });
let withCampaign: Promise<TestBed> | undefined;

/** A bot that has got what comes before the command. Those commands share one that only read. */
async function openFor({ operation, before, pressBefore }: Case): Promise<TestBed> {
  const isReading = operationNamed(operation)?.access === 'read';
  if (!isReading || (before !== undefined && pressBefore === undefined))
    return prepare(await startTestBed({ env }), { before, pressBefore });
  if (before === undefined) return openToRead();
  return (withCampaign ??= openWithCampaign().then((testBed) => prepare(testBed, { before, pressBefore })));
}

async function prepare(
  testBed: TestBed,
  { before, pressBefore = [] }: { before: string | undefined; pressBefore: string[] | undefined },
): Promise<TestBed> {
  const { workspace } = testBed;
  if (before === undefined) return testBed;
  await workspace.as(people.ada.id).command(before);
  await workspace.until(() => workspace.ephemerals(people.ada.id).length === 1);
  for (const actionId of pressBefore) await pressButton(workspace, actionId);
  return testBed;
}

describe.each(cases)('$operation', (scenario) => {
  test(`by ${scenario.form ? 'form' : 'command'}: ${scenario.command}`, async () => {
    const testBed = await openFor(scenario);
    const named = await idsByName(testBed);
    const sentBefore = testBed.requests.length;
    const answer = await act(testBed, scenario);
    expect(answer).toContain(scenario.answer);
    const ownRights = `GET /api/v1/users/${named('Ada Okafor')}`;
    const requests = testBed.requests
      .slice(sentBefore)
      .filter(
        (request) =>
          !/^GET \/api\/v1\/(users|quizzes|groups)(\?|$)/.test(request) &&
          (request !== ownRights || scenario.operation === 'my-quizzes'),
      )
      .map((request) =>
        request
          .replace(/password=[A-Za-z0-9]{16}/, 'password=…')
          .replaceAll(/\/(responses|files)\/[0-9a-f-]{36}/g, '/$1/…')
          .replace(/^(GET \/api\/v1\/(?:users|quizzes))\/[0-9a-f-]{36}$/, (whole, path: string) =>
            named.isKnown(whole.split('/').at(-1)) ? whole : `${path}/…`,
          ),
      );
    const wanted = scenario.requests.map((request) =>
      request.replaceAll(/\{([^}]+)\}/g, (_, name: string) => named(name)),
    );
    // The rough account has longer lists, in pages, and answers some writes without the id that the bot then looks for.
    const compared =
      inject('account') === 'rough' ? (request: string) => !/^GET |^POST \S+\/find /.test(request) : () => true;
    expect(requests.filter(compared).toSorted()).toEqual(wanted.filter(compared).toSorted());
  });
});

async function act({ workspace }: TestBed, { command, form, press = [] }: Case): Promise<string> {
  const ada = workspace.as(people.ada.id);
  const countBefore = workspace.ephemerals(people.ada.id).length;
  const outcome = await ada.command(command);
  expect(outcome.error).toBeUndefined();
  if (form === undefined) {
    let answer = textOf(await workspace.until(() => workspace.ephemerals(people.ada.id)[countBefore]));
    for (const actionId of press) answer = await pressButton(workspace, actionId);
    return answer;
  }
  const submission = await ada.submit(await outcome.view(), form);
  expect(submission.errors).toBeUndefined();
  return textOf(submission.view);
}

/** Presses a button of the latest answer. @returns what comes of it, in place of the answer, beside it or in a modal */
async function pressButton(workspace: TestBed['workspace'], actionId: string): Promise<string> {
  const known = workspace.ephemerals(people.ada.id);
  const message = known.at(-1)!;
  const { channel, ts } = message;
  const before = new Set([message, ...workspace.views(people.ada.id)].map(textOf));
  await workspace.as(people.ada.id).click({ channel, ts }, actionId);
  const isLoaded = (text: string) => !text.includes('Asking the quiz service');
  return workspace.until(() => {
    const answers = [
      ...workspace.views(people.ada.id),
      ...workspace.ephemerals(people.ada.id).filter((other, index) => other.ts === ts || index >= known.length),
    ];
    return answers.map(textOf).find((text) => !before.has(text) && isLoaded(text));
  });
}

/** The ids before the scenario runs. */
async function idsByName({ quizService }: TestBed) {
  const all = (sql: string) => quizService.database.all<{ id: string; name: string }>(sql);
  const ids = new Map(
    [
      ...all("SELECT user_id AS id, first_name || ' ' || last_name AS name FROM users"),
      ...all('SELECT quiz_id AS id, name FROM quizzes'),
      ...all('SELECT group_id AS id, group_name AS name FROM groups'),
    ].map(({ id, name }) => [name, id]),
  );
  const known = new Set(ids.values());
  return Object.assign((name: string) => ids.get(name) ?? `nothing called ${name}`, {
    isKnown: (id: string | undefined) => known.has(id ?? ''),
  });
}
