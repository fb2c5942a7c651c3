import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { commandAndVerb } from '../../src/operations/line/line.ts';
import { locationOf, safetyQuiz } from '../support/results.ts';
import { shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { textOfFile } from '../support/csv-of.ts';

/** Who looks: a sample person, with these flags, who trains these groups and nothing else. */
interface Viewer {
  personId: string;
  userName: string;
  flags: readonly ('edit_quizzes' | 'manage_users' | 'manage_groups')[];
  groups: readonly string[];
}

/** The user whose record has canaries in every personal field; a member of Warehouse. */
const wanda = 'Wanda Whitlock';
/** A user whose only name is the user name, and a user who entered an address as first name; members of Warehouse too. */
const nameless = { id: 'u-nameless', userName: 'canary.nameless@secret.example' };
const canaryUser = { userName: 'canary.login@secret.example', emailAddress: 'canary.mail@secret.example' };
/** What nobody may receive who may see neither the record of the users nor where the respondent can be reached. */
const canaries = /canary|198\.51\.100\.77|555 ?0199|https?:\/\/[^"\s]*\/(?:certificates|results)\//i;

/** Puts the viewer and the canaries into the account, before the bot reads it. */
function plantCanaries(
  { quizService: { database } }: Pick<TestBed, 'quizService'>,
  { userName, flags, groups }: Viewer,
): void {
  const idOf = (name: string) => `(SELECT user_id FROM users WHERE user_name = '${name}')`;
  const viewer = idOf(`${userName}@quiz.example`);
  for (const flag of ['edit_quizzes', 'manage_users', 'manage_groups'] as const)
    database.run(`UPDATE users SET ${flag} = ${flags.includes(flag) ? 1 : 0} WHERE user_id = ${viewer}`);
  for (const table of ['trainer_quizzes', 'trainer_groups'])
    database.run(`DELETE FROM ${table} WHERE user_id = ${viewer}`);
  for (const group of groups)
    database.run(
      `INSERT INTO trainer_groups (user_id, group_id) SELECT ${viewer}, group_id FROM groups WHERE group_name = ?`,
      [group],
    );

  const users = [
    ['u-wanda', canaryUser.userName, canaryUser.emailAddress, 'Wanda', 'Whitlock'],
    [nameless.id, nameless.userName, '', '', ''],
    ['u-addressed', 'canary.third@secret.example', '', 'canary.name@secret.example', 'Doe'],
  ] as const;
  for (const [userId, name, emailAddress, first, last] of users) {
    database.run(
      `INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, organization, notes, date_created)
       VALUES (?, ?, ?, 'respondent', ?, ?, ?, 'Canary Organization', 'Canary notes', '2026-01-01 00:00:00')`,
      [userId, name, name, emailAddress, first, last],
    );
    database.run(
      "INSERT INTO user_groups (user_id, group_id) SELECT ?, group_id FROM groups WHERE group_name = 'Warehouse'",
      [userId],
    );
  }
  const registration = [
    { name: 'Phone', value: '+49 30 555 0199' },
    { name: 'Remarks', value: 'Write to canary.form@secret.example' },
  ];
  database.run(
    `UPDATE responses SET user_id = NULL, publish_type = 'quiz_link', first_name = 'Wanda', last_name = 'Whitlock', email_address = ?, ip_address = '198.51.100.77', access_code = 'CANARY-CODE', registration_fields = ?
     WHERE response_id = (SELECT response_id FROM responses JOIN quizzes USING (quiz_id) WHERE quizzes.name = ? AND responses.status = 'submitted' AND pass = 1 ORDER BY responses.seq LIMIT 1)`,
    [canaryUser.emailAddress, JSON.stringify(registration), safetyQuiz],
  );
}

const { ada, tom, erin, uma, gus, nora, rosa } = people;
const every = ['edit_quizzes', 'manage_users', 'manage_groups'] as const;

const administrator: Viewer = { personId: ada.id, userName: 'ada', flags: every, groups: [] };

/** The kinds of people who may not see the record of a user in Warehouse, or where a respondent can be reached. */
const viewersWithoutRight: Record<string, Viewer> = {
  'an administrator without manage_users': {
    personId: ada.id,
    userName: 'ada',
    flags: ['edit_quizzes', 'manage_groups'],
    groups: [],
  },
  'a trainer of one other group with every flag': {
    personId: tom.id,
    userName: 'tom',
    flags: every,
    groups: ['Kitchen'],
  },
  'a trainer with edit_quizzes': {
    personId: erin.id,
    userName: 'erin',
    flags: ['edit_quizzes'],
    groups: ['Warehouse'],
  },
  'a trainer with manage_users': { personId: uma.id, userName: 'uma', flags: ['manage_users'], groups: ['Kitchen'] },
  'a trainer with manage_groups': {
    personId: gus.id,
    userName: 'gus',
    flags: ['manage_groups'],
    groups: ['Warehouse'],
  },
  'a trainer without flags': { personId: nora.id, userName: 'nora', flags: [], groups: ['Warehouse'] },
  'a respondent': { personId: rosa.id, userName: 'rosa', flags: [], groups: [] },
};

/** What people type for each operation, besides the command alone. Searches are parts of private names that hold no canary. */
const lines: Record<string, readonly string[]> = {
  'show-today': [],
  'show-undo': [],
  'list-quizzes': [],
  'show-quiz': [`/quiz show ${safetyQuiz}`],
  'create-quiz': ['/quiz create Ladders'],
  'rename-quiz': ['/quiz rename forklift to Forklifts'],
  'open-quiz': ['/quiz open first aid'],
  'close-quiz': ['/quiz close first aid'],
  'copy-quiz': ['/quiz copy forklift as Forklift 2027'],
  'delete-quiz': [],
  'assign-quiz': [
    `/quiz assign forklift to ${wanda}, ${nameless.id}, u-addressed --reason needed`,
    '/quiz assign forklift to Whitlok',
    '/quiz assign forklift to login@secret.example',
  ],
  'unassign-quiz': [
    `/quiz unassign forklift from ${wanda}, ${nameless.id} --reason needed`,
    '/quiz unassign forklift from Whitlok',
  ],
  'show-missing': [`/quiz missing ${safetyQuiz}`],
  'show-results': [`/quiz results ${safetyQuiz}`, `/quiz results ${safetyQuiz} for Wanda`],
  'show-questions': [`/quiz questions ${safetyQuiz}`, `/quiz questions ${safetyQuiz} for Wanda`],
  'all-results': ['/quiz all-results', '/quiz all-results Wanda'],
  'export-results': [`/quiz export ${safetyQuiz}`],
  'show-attempt': [`/quiz attempt ${safetyQuiz} of Wanda`, `/quiz attempt ${safetyQuiz} of a`],
  'send-files': [`/quiz files ${safetyQuiz} of Wanda`],
  'delete-response': [`/quiz delete-response ${safetyQuiz} of Wanda --reason twice`],
  'my-quizzes': [],
  'list-users': ['/quiz-user list secret.example'],
  'show-user': [`/quiz-user show ${wanda}`, `/quiz-user show ${nameless.id}`],
  'find-user': ['/quiz-user find login@secret.example'],
  'create-user': [],
  'import-users': ['/quiz-user import from #training'],
  'update-user': [`/quiz-user update ${wanda}`],
  'suspend-user': [`/quiz-user suspend ${wanda} --reason left`],
  'reinstate-user': [`/quiz-user reinstate ${wanda} --reason back`],
  'suspend-group': ['/quiz-user suspend group Warehouse'],
  'reinstate-group': ['/quiz-user reinstate group Warehouse'],
  'suspend-departed': ['/quiz-user suspend-departed'],
  'dismiss-departed': [],
  'reset-password': [`/quiz-user reset-password ${wanda} --reason lost`],
  'delete-user': [`/quiz-user delete ${nameless.id} --reason left`],
  'erase-person': [`/quiz-admin erase ${nameless.id} --reason asked`],
  'list-groups': [],
  'show-group': ['/quiz-group show Warehouse'],
  'add-to-group': [
    `/quiz-group add ${wanda} to Warehouse --reason moved`,
    `/quiz-group add ${nameless.id} to Warehouse --reason moved`,
    '/quiz-group add nameles to Warehouse',
  ],
  'remove-from-group': [
    `/quiz-group remove ${nameless.id} from Warehouse --reason moved`,
    `/quiz-group add ${nameless.id} to Warehouse --reason back`,
  ],
  'empty-group': ['/quiz-group empty Warehouse'],
  'assign-to-group': ['/quiz-group assign forklift to Warehouse --reason needed'],
  'unassign-from-group': ['/quiz-group unassign forklift from Warehouse --reason needed'],
  'subscribe-channel': [`/quiz-alerts subscribe ${safetyQuiz}`],
  'list-alerts': [],
  'unsubscribe-channel': [],
  'pause-alerts': [],
  'resume-alerts': [],
  'set-channel-language': [],
  'test-alerts': [],
  'start-campaign': [
    `/quiz-campaign start ${safetyQuiz} for ${wanda}, ${nameless.id}, Warehouse`,
    `/quiz-campaign start ${safetyQuiz} for Whitlok`,
    `/quiz-campaign start ${safetyQuiz} for login@secret.example`,
  ],
  'require-quiz': [`/quiz-campaign require ${safetyQuiz} for ${wanda}, Whitlok within 14d`],
  'list-campaigns': ['/quiz-campaign list', '/quiz-campaign list Whitlok'],
  'show-matrix': ['/quiz-campaign matrix', '/quiz-campaign matrix Whitlok'],
  'export-matrix': [],
  'show-year': ['/quiz-campaign year', '/quiz-campaign year for Whitlok'],
  'show-campaign': ['/quiz-campaign show forklift'],
  'remind-campaign': ['/quiz-campaign remind Whitlok'],
  'extend-campaign': [],
  'change-campaign': [],
  'excuse-campaign': [
    `/quiz-campaign excuse ${wanda} because on leave --reason left`,
    `/quiz-campaign excuse forklift ${wanda} because canary --reason left`,
  ],
  'add-to-campaign': ['/quiz-campaign add Whitlok to forklift'],
  'take-in': ['/quiz-campaign take-in forklift'],
  'include-campaign': ['/quiz-campaign include forklift Whitlok'],
  'hand-over-campaign': ['/quiz-campaign hand-over forklift to Whitlok'],
  'end-campaign': [],
  'report-campaign': ['/quiz-campaign report forklift'],
  'send-evidence': ['/quiz-campaign evidence forklift', '/quiz-campaign evidence'],
  'run-campaign': [],
  'run-rule-change': [],
  'show-plan': [],
  'reopen-preview': [],
  'run-batch': [],
  'pause-batch': [],
  'resume-batch': [],
  'cancel-batch': [],
  'batch-result': [],
  'undo-batch': [],
  'list-requests': [],
  'show-audit': ['/quiz-admin audit csv', '/quiz-admin audit since 1d'],
  'show-status': [],
  'who-am-i': [],
  'make-token': ['/quiz-admin token editor'],
  'list-tokens': ['/quiz-admin tokens'],
  'revoke-token': ['/quiz-admin revoke-token editor'],
  'list-lent-rights': ['/quiz-admin workflows'],
  'revoke-lent-rights': [],
  'not-me': [],
  'for-me': [],
  'snooze-reminders': [],
  'not-my-report': [],
  'my-report-after-all': [],
  'turn-messages': [],
  'choose-language': [],
  'decide-request': [],
  'withdraw-request': [],
  'take-rights-back': [],
  'take-back-quiz': [],
  'take-back-user': [],
};

test('every operation has lines', () => {
  expect(new Set(Object.keys(lines))).toEqual(new Set(catalog.map(({ name }) => name)));
});

/** What finds a user by a private name, if anything does: whole and in part. */
const privateSearches = [
  canaryUser.userName,
  canaryUser.emailAddress,
  nameless.userName,
  'secret.example',
  'login@secret',
  'nameless',
  'canary',
  'canray.login@secret.example',
];

const env = { OWNERS: people.zoe.id, ALERTS_CHANNEL: '' };

/** A bot in whose account an owner has made a user and asked to delete one, before the viewer looks. */
async function prepare(testBed: TestBed, viewer: Viewer): Promise<TestBed> {
  plantCanaries(testBed, viewer);
  const owner = testBed.workspace.as(people.zoe.id);
  const form = await (await owner.command('/quiz-user create canary-new')).view();
  await owner.submit(form, { first_name: 'Nils' });
  await (await owner.command(`/quiz-user delete ${wanda} --reason canary reason`)).reply();
  await owner.openHome();
  await testBed.workspace.until(() => testBed.workspace.home(people.zoe.id));
  return testBed;
}

/** Sends a command and waits for the answer or the form. */
async function type({ workspace }: TestBed, personId: string, line: string): Promise<View | undefined> {
  const { replies, answered } = { replies: workspace.ephemerals(personId).length, answered: workspace.calls.length };
  await workspace.as(personId).command(line);
  const open = () =>
    workspace.views(personId).findLast(({ blocks }) => !JSON.stringify(blocks).includes('Asking the quiz service'));
  await workspace.until(
    () =>
      workspace.ephemerals(personId).length > replies || (open() !== undefined && workspace.calls.length > answered),
  );
  return open();
}

const pickersIn = ({ blocks }: View) =>
  blocks.flatMap((block) =>
    block.type === 'input' &&
    (block.element.type === 'external_select' || block.element.type === 'multi_external_select')
      ? [block.block_id ?? '']
      : [],
  );

/** What every picker of the form offers for each search. */
async function search(
  { workspace }: TestBed,
  personId: string,
  form: View,
  searchesIn: (picker: string) => readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const picker of pickersIn(form))
    for (const text of searchesIn(picker))
      found.push(JSON.stringify(await workspace.as(personId).options(form, picker, text)));
  return found;
}

/** Everything that the bot has sent to the person or shown them. */
async function receivedBy({ workspace }: TestBed, personId: string): Promise<string> {
  const setUp = workspace.calls.findLastIndex(
    ({ method, args }) => method === 'views.publish' && args['user_id'] === people.zoe.id,
  );
  const views = workspace.calls
    .slice(setUp + 1)
    .filter(
      ({ method, args }) => method.startsWith('views.') && (method !== 'views.publish' || args['user_id'] === personId),
    );
  const files = workspace.directMessages(personId).flatMap((message) => message.files ?? []);
  const contents = await Promise.all(
    files.map(async ({ url }) => textOfFile(new Uint8Array(await (await fetch(url)).arrayBuffer()))),
  );
  return [
    ...[
      workspace.ephemerals(personId),
      workspace.directMessages(personId),
      workspace.messages(workspace.channels.results.id),
      views,
    ].map((seen) => JSON.stringify(seen)),
    ...contents,
  ].join('\n');
}

/** Each canary with the text before it. */
const canariesIn = (text: string) =>
  [...text.matchAll(new RegExp(canaries, 'gi'))].map(
    ({ 0: canary, index }) => text.slice(Math.max(0, index - 120), index) + canary,
  );

describe.each(Object.entries(viewersWithoutRight))('%s', (_, viewer) => {
  const open = shareTestBed({ env });
  let prepared: Promise<TestBed> | undefined;
  const start = () => (prepared ??= open().then((testBed) => prepare(testBed, viewer)));

  test('receives no personal data from any operation', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const { personId } = viewer;
    const options: string[] = [];
    const searched = new Set<string>();
    await workspace.as(personId).openHome();
    for (const operation of catalog) {
      const { command, verb } = commandAndVerb(operation);
      for (const line of [`${command} ${verb}`, ...lines[operation.name]!]) {
        const form = await type(testBed, personId, line);
        if (form === undefined) continue;
        // All that is searched where a picker of this name is met first, and one of each in every other form that has it.
        const isNew = (picker: string) => !searched.has(picker);
        const all = ['', 'wanda', 'unnamed'];
        options.push(...(await search(testBed, personId, form, (picker) => (isNew(picker) ? all : ['wanda']))));
        const found = await search(testBed, personId, form, (picker) =>
          isNew(picker) ? privateSearches : ['login@secret'],
        );
        expect(found.join()).not.toMatch(/Whitlock|Unnamed|Doe/);
        for (const picker of pickersIn(form)) searched.add(picker);
        await workspace.as(personId).close(form, { all: true });
      }
    }
    await workspace.until(() => workspace.home(personId));
    expect(canariesIn(`${await receivedBy(testBed, personId)}\n${options.join('\n')}`)).toEqual([]);
  });

  test('learns no name by a private name', async () => {
    const testBed = await start();
    const { personId } = viewer;
    const before = testBed.workspace.ephemerals(personId).length;
    const forms: (View | undefined)[] = [];
    for (const text of privateSearches)
      for (const line of [`/quiz assign forklift to ${text}`, `/quiz-group add ${text} to Warehouse`])
        forms.push(await type(testBed, personId, `${line} --reason x`));
    const shown = [...testBed.workspace.ephemerals(personId).slice(before), ...forms].map(textOf);
    expect(shown.join('\n')).not.toMatch(/Whitlock|Unnamed|Doe/);
  });
});

test.each([
  ['an administrator with every right', administrator],
  ['an administrator without manage_users', viewersWithoutRight['an administrator without manage_users']!],
])('an evidence pack for %s has names and user IDs, and no address in any of its files', async (_, viewer) => {
  const testBed = await startTestBed({ env });
  plantCanaries(testBed, viewer);
  const { workspace } = testBed;
  const owner = workspace.as(people.zoe.id);
  const line = `/quiz-campaign start ${safetyQuiz} for ${wanda}, ${nameless.id}, u-addressed within 14d valid 24 months`;
  const preview = await (await owner.command(line)).reply();
  await owner.click(locationOf(preview), 'choose:run-campaign');
  await workspace.until(() =>
    workspace.ephemerals(people.zoe.id).find((message) => textOf(message).includes('Started a campaign')),
  );
  const { personId } = viewer;
  const files = () => workspace.directMessages(personId).flatMap((message) => message.files ?? []);
  for (const [index, about] of ['workplace', 'all'].entries()) {
    await workspace.as(personId).command(`/quiz-campaign evidence ${about}`);
    // A workbook, and then the pack.
    await workspace.until(() => files()[2 * index + 1]);
  }
  const packs = await Promise.all(
    files().map(async ({ url }) => textOfFile(new Uint8Array(await (await fetch(url)).arrayBuffer()))),
  );
  const markers = ['xl/worksheets/sheet1.xml', 'manifest.json'];
  expect(packs.map((pack) => markers.filter((part) => pack.includes(part)))).toEqual(
    [...markers, ...markers].map((part) => [part]),
  );
  for (const pack of packs) {
    for (const fact of [wanda, 'u-nameless', 'Doe']) expect(pack).toContain(fact);
    expect(canariesIn(pack)).toEqual([]);
    expect(pack.match(/[\w.+-]+@[\w-]+\.[\w.]+/g) ?? []).toEqual([]);
  }
});

test('an administrator with manage_users receives what the others do not', async () => {
  const testBed = await prepare(await startTestBed({ env }), administrator);
  const { personId } = administrator;
  for (const line of [
    '/quiz-user list wanda',
    `/quiz attempt ${safetyQuiz} of Wanda`,
    `/quiz export ${safetyQuiz}`,
    '/quiz-admin approvals',
    '/quiz-admin audit csv',
  ])
    await type(testBed, personId, line);
  const received = await receivedBy(testBed, personId);
  for (const fact of [
    canaryUser.userName,
    '198.51.100.77',
    'CANARY-CODE',
    '+49 30 555 0199',
    'canary.form@secret.example',
    '/certificates/',
    'canary reason',
    'canary-new',
  ])
    expect(received).toContain(fact);
  const form = (await type(testBed, personId, '/quiz-user suspend'))!;
  expect((await search(testBed, personId, form, () => [canaryUser.emailAddress])).join()).toContain(wanda);
});
