import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { EnteredValues as Values } from '../../src/sandbox/workspace/actor/modals.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

/** What a person does, what the service is asked for it beyond lists and rights, and what the person reads. */
interface Case {
  operation: string;
  /** A command, or the values of the form it opens. `{Rosa Almeida}` stands for an id. */
  type: string;
  form?: Values;
  /** What was typed before. */
  before?: string;
  asks: string[];
  reads: string;
}

const cases: Case[] = [
  { operation: 'list-quizzes', type: '/quiz list safety', asks: [], reads: '1 quiz' },
  { operation: 'show-quiz', type: '/quiz show forklift', asks: ['GET /api/v1/quizzes/{Forklift theory test}', 'GET /api/v1/quizzes/{Forklift theory test}/groups'], reads: 'Forklift theory test' },
  { operation: 'create-quiz', type: '/quiz create “Ladders & steps”', asks: ['POST /api/v1/quizzes name=Ladders & steps', 'GET /api/v1/quizzes/…'], reads: 'Ladders &amp; steps” is created' },
  { operation: 'rename-quiz', type: '/quiz rename forklift to Forklift: to and from', asks: ['POST /api/v1/quizzes/{Forklift theory test} name=Forklift: to and from'], reads: 'is called' },
  { operation: 'open-quiz', type: '/quiz open first aid', asks: ['POST /api/v1/quizzes/{First aid at work} status=open'], reads: 'is open' },
  { operation: 'close-quiz', type: '/quiz close workplace', asks: ['POST /api/v1/quizzes/{Workplace safety basics} status=closed'], reads: 'is closed' },
  { operation: 'copy-quiz', type: '/quiz copy forklift as Forklift 2027', asks: ['POST /api/v1/quizzes/{Forklift theory test}/copy name=Forklift 2027', 'GET /api/v1/quizzes/…'], reads: 'is copied as “Forklift 2027”' },
  { operation: 'delete-quiz', type: '/quiz delete forklift', form: { reason: 'Replaced' }, asks: ['GET /api/v1/quizzes/{Forklift theory test}/responses'], reads: 'You asked for approval' },
  {
    operation: 'assign-quiz',
    type: '/quiz assign first aid to Rosa Almeida, @ravi, Kitchen',
    asks: ['POST /api/v1/users/{Rosa Almeida}/quizzes quiz_id={First aid at work}', 'POST /api/v1/users/{Ravi Banerjee}/quizzes quiz_id={First aid at work}', 'POST /api/v1/quizzes/{First aid at work}/groups group_id={Kitchen}'],
    reads: 'is assigned to Rosa Almeida, Ravi Banerjee, and the group “Kitchen”',
  },
  { operation: 'unassign-quiz', type: '/quiz unassign forklift from rosa@quiz.example', asks: ['DELETE /api/v1/users/{Rosa Almeida}/quizzes quiz_id={Forklift theory test}'], reads: 'no longer assigned to Rosa Almeida' },
  { operation: 'show-results', type: '/quiz results workplace for passed', asks: ['GET /api/v1/quizzes/{Workplace safety basics}/responses'], reads: 'Workplace safety basics*: results, only passed' },
  { operation: 'export-results', type: '/quiz export workplace', asks: ['GET /api/v1/quizzes/{Workplace safety basics}/responses'], reads: 'the CSV file is in our direct messages' },
  {
    operation: 'show-attempt',
    type: '/quiz attempt onboarding of rosa almeida',
    asks: ['GET /api/v1/quizzes/{Onboarding, week 1}/responses', 'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/questions'],
    reads: 'Upload your signed code of conduct',
  },
  {
    operation: 'send-files',
    type: '/quiz files onboarding of rosa almeida',
    asks: ['GET /api/v1/quizzes/{Onboarding, week 1}/responses', 'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/questions', 'GET /api/v1/quizzes/{Onboarding, week 1}/responses/…/files/…'],
    reads: '“code-of-conduct-signed.txt” of Rosa Almeida: in our direct messages',
  },
  {
    operation: 'delete-response',
    type: '/quiz delete-response forklift of chiara',
    form: { reason: 'Taken twice' },
    asks: ['GET /api/v1/quizzes/{Forklift theory test}/responses'],
    reads: 'You asked for approval',
  },
  { operation: 'my-quizzes', type: '/quiz mine', asks: ['GET /api/v1/users/{Ada Okafor}'], reads: 'assigned to you' },
  { operation: 'list-users', type: '/quiz-user list lindqvist', asks: [], reads: 'tom@quiz.example' },
  { operation: 'show-user', type: '/quiz-user show @rosa', asks: ['GET /api/v1/users/{Rosa Almeida}'], reads: 'Rosa Almeida' },
  { operation: 'find-user', type: '/quiz-user find sadeyemi', asks: ['POST /api/v1/users/find user_name=sadeyemi', 'GET /api/v1/users/{Samuel Adeyemi}'], reads: 'Samuel Adeyemi' },
  {
    operation: 'create-user',
    type: '/quiz-user create ines@quiz.example',
    form: { first_name: 'Ines', last_name: 'Marques', user_type: 'trainer', flags: ['edit_quizzes'] },
    asks: ['POST /api/v1/users user_name=ines@quiz.example&password=…&user_type=trainer&first_name=Ines&last_name=Marques&send_welcome_email=false&edit_quizzes=true', 'GET /api/v1/users/…'],
    reads: 'Ines Marques is created as trainer',
  },
  {
    operation: 'update-user',
    type: '/quiz-user update rosa',
    form: { last_name: 'Almeida Reis', manage_groups: 'false' },
    asks: ['POST /api/v1/users/{Rosa Almeida} last_name=Almeida Reis&manage_groups=false'],
    reads: 'is changed',
  },
  { operation: 'suspend-user', type: '/quiz-user suspend ravi banerjee', asks: ['POST /api/v1/users/{Ravi Banerjee} suspended=true'], reads: 'is suspended' },
  { operation: 'reinstate-user', type: '/quiz-user reinstate sam petrov', asks: ['POST /api/v1/users/{Sam Petrov} suspended=false'], reads: 'can sign in again' },
  { operation: 'delete-user', type: '/quiz-user delete sam petrov', form: { reason: 'Left in spring' }, asks: [], reads: 'You asked for approval' },
  { operation: 'list-groups', type: '/quiz-group list', asks: [], reads: '4 groups' },
  { operation: 'show-group', type: '/quiz-group show kitchen', asks: [], reads: 'Rosa Almeida' },
  { operation: 'add-to-group', type: '/quiz-group add rosa to warehouse', asks: ['POST /api/v1/users/{Rosa Almeida}/groups group_id={Warehouse}'], reads: 'is in “Warehouse” now' },
  { operation: 'remove-from-group', type: '/quiz-group remove rosa from kitchen', asks: ['DELETE /api/v1/users/{Rosa Almeida}/groups group_id={Kitchen}'], reads: 'no longer in “Kitchen”' },
  { operation: 'assign-to-group', type: '/quiz-group assign first aid to night shift', asks: ['POST /api/v1/quizzes/{First aid at work}/groups group_id={Night shift}'], reads: 'is assigned to the group “Night shift”' },
  { operation: 'unassign-from-group', type: '/quiz-group unassign workplace from kitchen', asks: ['DELETE /api/v1/quizzes/{Workplace safety basics}/groups group_id={Kitchen}'], reads: 'no longer assigned to the group “Kitchen”' },
  { operation: 'subscribe-channel', type: '/quiz-alerts subscribe workplace failed', asks: [], reads: 'This channel hears of submitted quizzes now: Workplace safety basics, only failed' },
  { operation: 'list-alerts', before: '/quiz-alerts subscribe workplace', type: '/quiz-alerts list', asks: [], reads: '*1.* *Workplace safety basics*, a message each' },
  { operation: 'unsubscribe-channel', before: '/quiz-alerts subscribe workplace', type: '/quiz-alerts unsubscribe', asks: [], reads: 'Unsubscribed: Workplace safety basics' },
  { operation: 'pause-alerts', before: '/quiz-alerts subscribe workplace', type: '/quiz-alerts pause for 2h', asks: [], reads: 'Paused until' },
  { operation: 'resume-alerts', before: '/quiz-alerts subscribe workplace', type: '/quiz-alerts resume 1', asks: [], reads: 'It was not paused' },
  { operation: 'test-alerts', before: '/quiz-alerts subscribe workplace', type: '/quiz-alerts test', asks: [], reads: 'A test is posted in the channel' },
  { operation: 'list-requests', type: '/quiz-admin approvals', asks: [], reads: 'Nothing waits for approval' },
  { operation: 'show-audit', type: '/quiz-admin audit', asks: [], reads: 'no such entry' },
  { operation: 'show-status', type: '/quiz-admin status', asks: [], reads: 'State of the bot' },
  { operation: 'who-am-i', type: '/quiz-admin whoami', asks: [], reads: 'Ada Okafor' },
];

test('there is a scenario for every operation', () => {
  expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(catalog.map(({ name }) => name)));
});

describe.each(cases)('$operation', (scenario) => {
  test(`by ${scenario.form ? 'form' : 'command'}: ${scenario.type}`, async () => {
    // Where no channel hears of anything, nothing is asked in the background.
    const testBed = await startTestBed({ env: { ALERTS_CHANNEL: '' } });
    const named = await idsByName(testBed);
    const said = await act(testBed, scenario);
    expect(said).toContain(scenario.reads);
    const ownRights = `GET /api/v1/users/${named('Ada Okafor')}`;
    const asked = testBed.requests
      .filter((request) => !/^GET \/api\/v1\/(users|quizzes|groups)$/.test(request) && (request !== ownRights || scenario.operation === 'my-quizzes'))
      .map((request) => request.replace(/password=[A-Za-z0-9]{16}/, 'password=…').replaceAll(/\/(responses|files)\/[0-9a-f-]{36}/g, '/$1/…').replace(/^(GET \/api\/v1\/(?:users|quizzes))\/[0-9a-f-]{36}$/, (whole, path: string) => (named.isKnown(whole.split('/').at(-1)) ? whole : `${path}/…`)));
    expect(asked.toSorted()).toEqual(scenario.asks.map((ask) => ask.replaceAll(/\{([^}]+)\}/g, (_, name: string) => named(name))).toSorted());
  });
});

async function act({ workspace }: TestBed, { before, type, form }: Case): Promise<string> {
  const ada = workspace.as(people.ada.id);
  if (before !== undefined) await ada.command(before);
  await workspace.until(() => before === undefined || workspace.ephemerals(people.ada.id).length === 1);
  const said = workspace.ephemerals(people.ada.id).length;
  const outcome = await ada.command(type);
  expect(outcome.error).toBeUndefined();
  if (form === undefined) return textOf(await workspace.until(() => workspace.ephemerals(people.ada.id)[said]));
  const submission = await ada.submit(await outcome.view(), form);
  expect(submission.errors).toBeUndefined();
  return textOf(submission.view);
}

/** Ids as they are before anything happens. */
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
  return Object.assign((name: string) => ids.get(name) ?? `nothing called ${name}`, { isKnown: (id: string | undefined) => known.has(id ?? '') });
}
