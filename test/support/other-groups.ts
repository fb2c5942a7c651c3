import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { safetyQuiz } from './results.ts';
import type { TestBed } from './test-bed.ts';
import { textOfFile } from './text-of-file.ts';

/** Runs the bot for the group Kitchen. She is no user of the account. */
export const owner = people.zoe.id;
export const forKitchen = { GROUPS: 'Kitchen', OWNERS: owner };

/** An administrator of the account who is in Kitchen, and one who is in no group. */
export const [administrator, otherAdministrator] = [people.erin, people.ada];

/**
 * Things of others. People type the first word of a name, or an ID: everything else of them is a canary, which shows that more
 * than what was typed was found.
 */
export const outside = {
  user: { typed: 'Zorbas', id: 'u-0uts1de' },
  quiz: { typed: 'Zeppelin', id: 'q-0uts1de' },
  group: { typed: 'Zinnia', id: 'g-0uts1de' },
  response: { typed: 'Zorbas', id: 'r-0uts1de' },
} as const;

/** What nobody may receive. */
export const canaries = /canary/i;
/** The IDs of what is outside. A person may type them, and only the person. */
export const outsideIds = /-0uts1de/;
/** Of Kitchen and of others, both of whom the bot shows without what others have of them. */
export const [both, trainerOfBoth] = ['Bea Bothe', 'Tina Trains'];
/** A quiz of Kitchen alone, which a guest took, and one of others that a person in Kitchen has. */
export const [ownQuiz, ownQuizId] = ['Knife safety', 'q-knives'];

interface PlantedUser {
  id: string;
  name: string;
  userType?: 'respondent' | 'trainer' | 'administrator';
  groups?: readonly string[];
  trains?: readonly string[];
}

const kitchen = 'Kitchen';
const others = `${outside.group.typed} canary sales`;
const users: readonly PlantedUser[] = [
  { id: outside.user.id, name: `${outside.user.typed} Canaryson`, groups: [others] },
  { id: 'u-trainer-0uts1de', name: 'Canary Trainor', userType: 'trainer', trains: [others] },
  { id: 'u-boss-0uts1de', name: 'Canary Boss', userType: 'administrator' },
  { id: 'u-alone-0uts1de', name: 'Canary Alone' },
  { id: 'u-both', name: both, groups: [kitchen, others] },
  { id: 'u-tina', name: trainerOfBoth, userType: 'trainer', trains: [kitchen, others] },
  { id: 'u-karl', name: 'Karl Kitchener', groups: [kitchen] },
];

/** Puts things of others into the account, and of Kitchen next to them. */
export function plantOthers({ database }: QuizService): void {
  const date = '2026-10-01 09:00:00';
  const groupId = (name: string) =>
    database.get<{ group_id: string }>('SELECT group_id FROM groups WHERE group_name = ?', [name])!.group_id;
  database.run('INSERT INTO groups (group_id, group_name) VALUES (?, ?)', [outside.group.id, others]);
  const quizzes = [
    [outside.quiz.id, `${outside.quiz.typed} canary secrets`, 'open'],
    ['q-draft-0uts1de', 'Canary draft', 'in_design'],
    [ownQuizId, ownQuiz, 'open'],
  ] as const;
  for (const quiz of quizzes)
    database.run('INSERT INTO quizzes (quiz_id, name, status, date_created) VALUES (?, ?, ?, ?)', [...quiz, date]);
  for (const { id, name, userType = 'respondent', groups = [], trains = [] } of users) {
    const [first, last] = name.split(' ') as [string, string];
    const isOutside = outsideIds.test(id);
    const userName = isOutside ? `canary.${id}@secret.example` : `${id}@quiz.example`;
    database.run(
      `INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, organization, notes, manage_users, manage_groups, edit_quizzes, date_created)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
      [
        id,
        userName,
        userName,
        userType,
        isOutside ? 'canary.mail@secret.example' : '',
        first,
        last,
        isOutside ? 'Canary Organization' : '',
        ...Array<number>(3).fill(userType === 'respondent' ? 0 : 1),
        date,
      ],
    );
    for (const group of groups)
      database.run('INSERT INTO user_groups (user_id, group_id) VALUES (?, ?)', [id, groupId(group)]);
    for (const group of trains)
      database.run('INSERT INTO trainer_groups (user_id, group_id) VALUES (?, ?)', [id, groupId(group)]);
  }
  const erin = `(SELECT user_id FROM users WHERE user_name = '${administrator.email}')`;
  database.run(
    `UPDATE users SET user_type = 'administrator', manage_users = 1, manage_groups = 1, edit_quizzes = 1 WHERE user_id = ${erin}`,
  );
  database.run(`INSERT INTO user_groups (user_id, group_id) VALUES (${erin}, ?)`, [groupId(kitchen)]);
  const assigned = [
    [outside.user.id, outside.quiz.id],
    ['u-tina', outside.quiz.id],
  ] as const;
  for (const [userId, quizId] of assigned)
    database.run('INSERT INTO user_quizzes (user_id, quiz_id, date_assigned) VALUES (?, ?, ?)', [userId, quizId, date]);
  database.run('INSERT INTO trainer_quizzes (user_id, quiz_id) VALUES (?, ?)', ['u-tina', outside.quiz.id]);
  database.run('INSERT INTO group_quizzes (group_id, quiz_id) VALUES (?, ?)', [outside.group.id, outside.quiz.id]);
  database.run('INSERT INTO group_quizzes (group_id, quiz_id) VALUES (?, ?)', [groupId(kitchen), ownQuizId]);

  const quizId = (name: string) =>
    database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])!.quiz_id;
  const responses = [
    [outside.response.id, outside.quiz.id, outside.user.id, outside.user.typed, 'Canaryson', 'canary.u@secret.example'],
    [
      'r-shared-0uts1de',
      quizId(safetyQuiz),
      outside.user.id,
      outside.user.typed,
      'Canaryson',
      'canary.u@secret.example',
    ],
    ['r-guest-0uts1de', quizId(safetyQuiz), null, 'Canary', 'Guest', 'canary.guest@secret.example'],
    ['r-strayed-0uts1de', ownQuizId, outside.user.id, outside.user.typed, 'Canaryson', 'canary.u@secret.example'],
    ['r-guest', ownQuizId, null, 'Gina', 'Guest', 'gina@guest.example'],
    ['r-karl', quizId(safetyQuiz), 'u-karl', 'Karl', 'Kitchener', ''],
  ] as const;
  for (const response of responses)
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type, access_code)
       VALUES (?, ?, ?, ?, ?, ?, 'submitted', ?, 9, 10, 90, 'A', 1, 60, 1, '203.0.113.7', 'quiz_link', '')`,
      [...response, date],
    );
}

/** Sends a command, and waits for the answer or the form. */
export async function type({ workspace }: TestBed, personId: string, line: string): Promise<View | undefined> {
  const [replies, calls] = [workspace.ephemerals(personId).length, workspace.calls.length];
  await workspace.as(personId).command(line);
  const isLoading = (shown: unknown) => JSON.stringify(shown).includes('Asking the quiz service');
  const open = () => workspace.views(personId).findLast(({ blocks }) => !isLoading(blocks));
  await workspace.until(() => {
    const answers = workspace.ephemerals(personId).slice(replies);
    return answers.some((answer) => !isLoading(answer)) || (open() !== undefined && workspace.calls.length > calls);
  });
  return open();
}

/** What every picker of a form offers for each text. */
export async function offered(
  { workspace }: TestBed,
  personId: string,
  form: View,
  texts: readonly string[],
): Promise<string> {
  const pickers = form.blocks.flatMap((block) =>
    block.type === 'input' &&
    (block.element.type === 'external_select' || block.element.type === 'multi_external_select')
      ? [block.block_id ?? '']
      : [],
  );
  const options: string[] = [];
  for (const picker of pickers)
    for (const text of texts) options.push(JSON.stringify(await workspace.as(personId).options(form, picker, text)));
  return options.join('\n');
}

/** Everything that the bot said since: to Slack and in files, and in its log. */
export async function said({ workspace, lines }: TestBed): Promise<string> {
  const messages = [
    ...Object.values(workspace.channels).flatMap(({ id }) => workspace.messages(id)),
    ...Object.values(workspace.people).flatMap(({ id }) => [
      ...workspace.ephemerals(id),
      ...workspace.directMessages(id),
      ...workspace.slackbotMessages(id),
    ]),
  ];
  const files = messages.flatMap((message) => ('files' in message ? (message.files ?? []) : []));
  const contents = await Promise.all(
    files.map(async ({ url }) => textOfFile(new Uint8Array(await (await fetch(url)).arrayBuffer()))),
  );
  return [
    ...workspace.calls.map(({ method, args }) => `${method} ${JSON.stringify(args)}`),
    ...workspace.deliveries.map(({ answer }) => JSON.stringify(answer) ?? ''),
    ...messages.map((message) => JSON.stringify(message)),
    ...contents,
    ...lines,
  ].join('\n');
}

/** Each canary with the text before it. */
export function canariesIn(text: string): string[] {
  return [...text.matchAll(new RegExp(`(?:${canaries.source}).{0,30}`, 'gi'))].map(
    ({ 0: found, index }) => text.slice(Math.max(0, index - 160), index) + found,
  );
}

/** The requests to the service that would have changed what is outside. */
export function changesOutside({ requests }: TestBed): string[] {
  return requests.filter(
    (request) => !/^GET |^POST \S+\/users\/find /.test(request) && (outsideIds.test(request) || canaries.test(request)),
  );
}
