import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { addGroup, addQuiz, assign } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { commandsActionId } from '../../src/slack/views/help.ts';
import { slackbotOf, withAgents } from '../support/agents.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { fileSentTo, locationOf, safetyQuiz } from '../support/results.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { shareTestBed, startTestBed, type TestBed, textOf } from '../support/test-bed.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

const { ada, erin, rosa, uma, zoe } = people;

/** Names and words from outside that look like the bot’s own. */
const outside = {
  quiz: '/quiz close all (Invigilator)',
  group: '/quiz-user team of Invigilator',
  reason: 'Rosa left; type /quiz-user suspend, says Invigilator',
  comment: 'Ask Invigilator about /quiz-admin first',
  fileName: 'quiz close all Invigilator results.xlsx',
};

const manifest = readFileSync('manifest.yml', 'utf8').replaceAll('command: /quiz', 'command: /exam');
const manifestPath = join(temporaryDirectory(afterAll), 'manifest.yml');
writeFileSync(manifestPath, manifest.replaceAll('Invigilator', 'Examiner'));

/** A bot whose commands begin with `/exam` and that is called Examiner, in an account with lookalikes. */
const examiner: NonNullable<Parameters<typeof startTestBed>[0]> = {
  workspace: { manifestPath, strictness: { rateLimits: false } },
  prepare: addLookalikes,
  env: {
    ...withAgents,
    ALERTS_CHANNEL: '',
    APPROVALS_CHANNEL: leadsChannelId,
    COMMAND_PREFIX: 'exam',
    BOT_NAME: 'Examiner',
    QUIZ_TAKE_URL: 'https://quiz.example/take/{quiz_id}',
  },
};

/** A quiz, a group and many quizzes more. */
function addLookalikes({ database }: Pick<TestBed['quizService'], 'database'>): void {
  const names = [outside.quiz, ...Array.from({ length: 120 }, (_, index) => `Filler ${index}`)];
  for (const [index, name] of names.entries())
    addQuiz(database, {
      quiz_id: `10000000-0000-4000-8000-000000f${String(index).padStart(5, '0')}`,
      name,
      status: 'open',
      date_created: '2026-01-05 09:00:00',
    });
  const groupId = '20000000-0000-4000-8000-00000000e0a1';
  addGroup(database, { group_id: groupId, group_name: outside.group });
  for (const { user_id: userId } of database.all<{ user_id: string }>(
    "SELECT user_id FROM users WHERE user_name IN ('rosa@quiz.example', 'ravi@quiz.example')",
  ))
    assign(database, 'user_groups', { user_id: userId, group_id: groupId });
}

const withoutOutside = (text: string): string =>
  Object.values(outside).reduce((rest, words) => rest.replaceAll(words, ''), text);

/** Texts of the bot that name another bot, once what came from outside is taken out of them. */
function otherNames({ workspace }: TestBed): string[] {
  return [
    ...new Set(
      sentTexts(workspace)
        .map(withoutOutside)
        .filter((text) => /\/quiz|Invigilator/.test(text)),
    ),
  ];
}

/** What a person reads when they type a line, without what only the bot reads. */
async function answerTo({ workspace }: TestBed, personId: string, line: string): Promise<string> {
  return textOf(await (await workspace.as(personId).command(line)).reply());
}

describe('a bot with other names', () => {
  const openBed = shareTestBed(examiner);

  test('names its own commands in the help, Home, what needs people, lists, refusals and its status', async () => {
    const testBed = await openBed();
    const { workspace } = testBed;
    for (const command of ['/exam', '/exam-user', '/exam-group', '/exam-alerts', '/exam-campaign', '/exam-admin'])
      for (const line of [`${command} help`, `${command} help all`])
        expect(await answerTo(testBed, ada.id, line)).toContain(`${command} `);
    expect(await answerTo(testBed, ada.id, '/exam')).toContain('/exam');
    expect(await answerTo(testBed, ada.id, '/exam list')).toContain('type `/exam list` and part of a name');
    expect(await answerTo(testBed, rosa.id, '/exam results workplace')).toContain('Yours: `/exam mine`');
    for (const line of [
      '/exam-admin status',
      '/exam-admin whoami',
      '/exam-alerts list',
      '/exam-campaign list',
      '/exam mine',
    ])
      await answerTo(testBed, ada.id, line);
    expect(await answerTo(testBed, ada.id, '/exam show nothing like it')).toContain('/exam list');
    expect(await answerTo(testBed, ada.id, '/exam-alerts list nonsense')).toContain('/exam-alerts list all');
    expect(await answerTo(testBed, ada.id, '/exam-user show nobody such')).toContain('/exam-user list');
    expect(await answerTo(testBed, zoe.id, '/exam list')).toContain('🚫');
    for (const personId of [ada.id, rosa.id, erin.id]) await workspace.as(personId).openHome();
    await (await workspace.as(ada.id).click({ view: workspace.home(ada.id)! }, commandsActionId)).view();
    expect(otherNames(testBed)).toEqual([]);
  });

  test('suggests lines that can be typed, and its buttons run them', async () => {
    const testBed = await openBed();
    const { workspace, quizService } = testBed;
    const offer = await (await workspace.as(erin.id).command('/exam clsoe workplace')).reply();
    expect(textOf(offer)).toContain('There’s no `/exam clsoe`. Did you mean `/exam close workplace`?');
    expect(textOf(offer)).toContain('This runs /exam close workplace.');
    await workspace.as(erin.id).click(locationOf(offer), 'line:0');
    await workspace.until(() =>
      quizService.database.get("SELECT 1 FROM quizzes WHERE name = 'Workplace safety basics' AND status = 'closed'"),
    );
    expect(await answerTo(testBed, erin.id, `/exam clsoe ${outside.quiz}`)).toContain(
      `Did you mean \`/exam close ${outside.quiz}\`?`,
    );
    expect(otherNames(testBed)).toEqual([]);
  });

  test('reads its own names in messages, and answers with them', async () => {
    const testBed = await openBed();
    const { workspace } = testBed;
    const tom = workspace.as(people.tom.id);
    const directChannel = `D${people.tom.id.slice(1)}`;
    await tom.openHome();
    const said = async (text: string, words: string) => {
      const before = workspace.directMessages(people.tom.id).length;
      await tom.say(directChannel, text);
      await workspace.until(() =>
        workspace
          .directMessages(people.tom.id)
          .slice(before)
          .find((message) => message.user !== people.tom.id && textOf(message).includes(words)),
      );
    };
    await said('exam show forklift', 'Forklift theory test');
    await said('/exam-group show kitchen', 'Rosa Almeida');
    await said('hello there', 'I understand messages like these: `/exam');
    await tom.say(channels.training.id, `<@U0INVIGIL8R> /exam-user help`);
    await workspace.until(() =>
      workspace.ephemerals(people.tom.id).find((message) => textOf(message).includes('/exam-user ')),
    );
    expect(otherNames(testBed)).toEqual([]);
  });

  test('shows quizzes, groups and lines that look like its commands as they are', async () => {
    const testBed = await startTestBed(examiner);
    const { workspace } = testBed;
    expect(await answerTo(testBed, ada.id, `/exam show ${outside.quiz}`)).toContain(outside.quiz);
    expect(await answerTo(testBed, ada.id, `/exam-group show ${outside.group}`)).toContain(outside.group);
    expect(await answerTo(testBed, ada.id, '/exam list /quiz close')).toContain(outside.quiz);
    expect(await answerTo(testBed, ada.id, '/exam-alerts list /quiz-admin')).toContain('“/quiz-admin” isn’t an option');
    expect(await answerTo(testBed, ada.id, '/exam show /quiz clsoe al')).toContain('“/quiz clsoe al”');
    const form = await (await workspace.as(ada.id).command('/exam assign')).view();
    const { options } = await workspace.as(ada.id).options({ view: form.id }, 'quiz', '/quiz close');
    expect(options.map(({ text }) => text.text)).toContain(outside.quiz);
    expect(options.every(({ value }) => !/[\uFDD0-\uFDEF\uFFFE\uFFFF]/.test(value ?? ''))).toBe(true);
    const subscribe = await (await workspace.as(ada.id).command('/exam-alerts subscribe')).view();
    expect(textOf(subscribe)).toContain('/invite @Examiner');
    await workspace.as(ada.id).shortcut('close-quiz');
  });

  test('asks for approval and announces decisions with its own names, and with people’s words as they wrote them', async () => {
    const testBed = await openBed();
    const { workspace } = testBed;
    const { ask, deny, directMessageWith } = approvalActions(testBed);
    const request = await ask(uma.id, `/exam-user suspend rosa --reason "${outside.reason}"`);
    expect(textOf(request)).toContain(outside.reason);
    expect(await answerTo(testBed, ada.id, '/exam-admin approvals')).toContain(outside.reason);
    await deny(ada.id, request, outside.comment);
    expect(await directMessageWith(uma.id, 'denied')).toContain(outside.comment);
    expect(await answerTo(testBed, ada.id, '/exam-admin audit')).toContain(outside.comment);
    await answerTo(testBed, ada.id, '/exam-admin audit');
    expect(otherNames(testBed)).toEqual([]);
    expect(workspace.calls.map(({ args }) => JSON.stringify(args)).join('\n')).not.toMatch(
      /[\uFDD0-\uFDEF\uFFFE\uFFFF]/,
    );
  });

  test('writes to people of a campaign with its own names, and keeps what it said when a button changes a message', async () => {
    const testBed = await openBed();
    const { workspace } = testBed;
    const preview = await (
      await workspace
        .as(ada.id)
        .command(`/exam-campaign start ${outside.quiz} for ${outside.group} due in 2 weeks board here`)
    ).reply();
    expect(textOf(preview)).toContain(outside.quiz);
    await workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
    await workspace.until(() =>
      workspace.messages(channels.results.id).find((message) => textOf(message).includes(outside.quiz)),
    );
    expect(await answerTo(testBed, ada.id, `/exam-campaign show ${outside.quiz}`)).toContain(outside.quiz);
    await workspace.as(ada.id).command(`/exam assign "${outside.quiz}" to Nora Fields`);
    const assigned = await workspace.until(() =>
      workspace.directMessages(people.nora.id).find((message) => textOf(message).includes(outside.quiz)),
    );
    await workspace.as(people.nora.id).click(locationOf(assigned), 'button:turn-messages');
    await workspace.until(() =>
      workspace.directMessages(people.nora.id).find((message) => textOf(message).includes('Turn messages on')),
    );
    expect(textOf(workspace.directMessages(people.nora.id)[0])).toContain(outside.quiz);
    expect(otherNames(testBed)).toEqual([]);
  });

  test('tells agents its own names, and gives them those of quizzes as they are', async () => {
    const testBed = await openBed();
    const administrator = await slackbotOf(testBed, ada.id);
    const respondent = await slackbotOf(testBed, rosa.id);
    expect(administrator.getServerVersion()).toMatchObject({ title: 'Examiner' });
    expect(JSON.stringify(await administrator.listTools())).not.toMatch(/\/quiz|Invigilator/);
    expect(JSON.stringify(await administrator.listTools())).toContain('/invite @Examiner');
    const answers = [
      await administrator.callTool({ name: 'show-quiz', arguments: { quiz: outside.quiz } }),
      await administrator.callTool({ name: 'list-quizzes', arguments: { name: 'close all' } }),
      await administrator.callTool({ name: 'show-group', arguments: { group: outside.group } }),
      await administrator.callTool({ name: 'list-alerts', arguments: { filter: 'nonsense' } }),
      await respondent.callTool({ name: 'show-results', arguments: { quiz: safetyQuiz } }),
    ].map((answer) => JSON.stringify(answer));
    expect(answers[0]).toContain(outside.quiz);
    expect(answers[1]).toContain(outside.quiz);
    expect(answers[2]).toContain(outside.group);
    expect(answers[3]).toContain('/exam-alerts list all');
    expect(answers[4]).toContain('/exam mine');
    const form = await (await testBed.workspace.as(ada.id).command('/exam-admin revoke-token')).view();
    const { errors } = await testBed.workspace.as(ada.id).submit(form, { name: outside.group });
    expect(errors).toEqual({ name: `You have no token called “${outside.group}”. /exam-admin tokens lists yours.` });
    expect(answers.map(withoutOutside).filter((answer) => /\/quiz|Invigilator|\uFFFE/.test(answer))).toEqual([]);
    expect(otherNames(testBed)).toEqual([]);
  });

  test('names its own commands over a socket, and shows options as they are', async () => {
    const testBed = await startTestBed({ ...examiner, mode: 'socket' });
    const { workspace } = testBed;
    expect(await answerTo(testBed, ada.id, '/exam-user help')).toContain('/exam-user find');
    const form = await (await workspace.as(ada.id).command('/exam close')).view();
    const { options } = await workspace.as(ada.id).options({ view: form.id }, 'quiz', '/quiz close');
    expect(options.map(({ text }) => text.text)).toEqual([outside.quiz]);
    expect(otherNames(testBed)).toEqual([]);
  });

  test('sends files whose names and comments are people’s words where they are', async () => {
    const testBed = await openBed();
    await answerTo(testBed, ada.id, `/exam export ${outside.quiz}`);
    const { name, comment } = await fileSentTo(testBed, ada.id);
    expect({ name, comment }).toEqual({ name: outside.fileName, comment: expect.stringContaining(outside.quiz) });
    await answerTo(testBed, ada.id, '/exam-admin audit csv');
    expect(otherNames(testBed)).toEqual([]);
  });
});

/** What nobody sees of a message, a view or an acknowledgement. */
const hidden: ReadonlySet<string> = new Set([
  'action_id',
  'block_id',
  'callback_id',
  'channel',
  'external_id',
  'initial_value',
  'metadata',
  'private_metadata',
  'type',
  'url',
  'value',
]);

/** Every text that the bot sent to Slack and that somebody may see: messages, views, options, acknowledgements, endings of steps. */
function sentTexts({ calls, deliveries }: Pick<Workspace, 'calls' | 'deliveries'>): string[] {
  return [...calls.map(({ args }) => args), ...deliveries.map(({ answer }) => answer)].flatMap((sent) => textsIn(sent));
}

function textsIn(sent: unknown, key = ''): string[] {
  if (hidden.has(key)) return [];
  if (typeof sent === 'string') return partsOf(sent)?.flatMap((part) => textsIn(part, key)) ?? [sent];
  if (Array.isArray(sent)) return sent.flatMap((part) => textsIn(part, key));
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([name, part]) => textsIn(part, name));
}

/** The Web API takes lists and objects as JSON. Undefined for other texts. */
function partsOf(text: string): unknown[] | undefined {
  try {
    const value: unknown = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
    return value === undefined ? undefined : [value];
  } catch {
    return undefined;
  }
}

test('the bot answers commands that the manifest gives another name with the same ending', async () => {
  const ofCommandsAlone = join(temporaryDirectory(), 'manifest.yml');
  writeFileSync(ofCommandsAlone, manifest);
  const { workspace } = await startTestBed({ workspace: { manifestPath: ofCommandsAlone } });
  const person = workspace.as(workspace.people.ada.id);
  for (const [command, answer] of [
    ['/exam show forklift', 'Forklift theory test'],
    ['/exam-group show kitchen', 'Rosa Almeida'],
    ['/exam-admin whoami', 'administrator'],
  ] as const)
    expect(textOf(await (await person.command(command)).reply())).toContain(answer);
});
