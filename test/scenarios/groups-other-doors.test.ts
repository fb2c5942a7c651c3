import { describe, expect, test } from 'vitest';
import { channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { operations, type FieldKind } from '../hostile/operations.ts';
import { slackbotOf, withAgents } from '../support/agents.ts';
import { pressAll, type Forged } from '../support/forged-buttons.ts';
import {
  administrator,
  canariesIn,
  changesOutside,
  forKitchen,
  outside,
  outsideIds,
  owner,
  plantOthers,
  said,
} from '../support/other-groups.ts';
import { commandReply, locationOf, safetyQuiz } from '../support/results.ts';
import { subscription } from '../support/builders/alerts.ts';
import { fastClock } from '../support/fast-clock.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { enterpriseOfProject, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { withSteps } from '../support/workflow-steps.ts';

const start = (env: Record<string, string> = {}) =>
  startTestBed({ prepare: plantOthers, env: { ...forKitchen, ALERTS_CHANNEL: '', ...env } });
const inKitchen = `SELECT first_name || ' ' || last_name AS name FROM users JOIN user_groups USING (user_id) JOIN groups USING (group_id) WHERE group_name = 'Kitchen'`;

/** What anybody received of others, and what changed of theirs: nothing. */
async function foundOfOthers(testBed: TestBed, more = ''): Promise<string[]> {
  return [...canariesIn(`${await said(testBed)}\n${more}`), ...changesOutside(testBed)];
}

/** What a button, or an agent, names of others in a field. */
function idsOf(kind: FieldKind): string[] {
  switch (kind) {
    case 'quiz':
    case 'quizzes':
    case 'campaign':
      return [outside.quiz.id];
    case 'user':
    case 'users':
    case 'people':
      return [outside.user.id];
    case 'group':
    case 'groups':
      return [outside.group.id];
    case 'response':
      return [outside.response.id];
    case 'assignees':
    case 'audience':
      return [`user:${outside.user.id}`, `group:${outside.group.id}`];
    case 'text':
    case 'email':
      return ['ladders@quiz.example'];
    case 'choice':
      return ['respondent'];
    default:
      return [];
  }
}

const inputs = Object.entries(operations).map(([name, { fields }]) => {
  const given = Object.entries(fields).map(([field, kind]) => [field, idsOf(kind)] as const);
  return { name, input: Object.fromEntries(given.filter(([, ids]) => ids.length > 0)) };
});
const parts = [0, 20, 40, 60, 80].map((first) => inputs.slice(first, first + 20));

describe.each(parts.map((part) => [part.map(({ name }) => name).join(', '), part] as const))('%s', (_, part) => {
  test('by buttons that the bot never made', async () => {
    const testBed = await start();
    const forged = part.map(({ name, input }): Forged => [owner, name, { ...input, reason: ['needed'] }]);
    expect(await foundOfOthers(testBed, (await pressAll(testBed, forged)).join('\n'))).toEqual([]);
  });

  test('by an agent', async () => {
    const testBed = await start(withAgents);
    const agent = await slackbotOf(testBed, owner);
    const { tools } = await agent.listTools();
    const answers: string[] = [JSON.stringify(tools)];
    for (const { name, input } of part) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) continue;
      const properties = Object.keys(tool.inputSchema.properties ?? {});
      const given = Object.fromEntries(
        Object.entries(input)
          .filter(([field]) => properties.includes(field))
          .map(([field, ids]) => [field, ids.join(', ')]),
      );
      answers.push(JSON.stringify(await agent.callTool({ name, arguments: given }).catch(String)));
    }
    expect(answers.length).toBeGreaterThan(1);
    expect(await foundOfOthers(testBed, answers.join('\n'))).toEqual([]);
  });
});

test('by a step of a workflow: its options have what belongs to the group', async () => {
  const testBed = await startTestBed({
    ...withSteps,
    prepare: plantOthers,
    env: { ...withSteps.env, ...forKitchen },
  });
  const { functions } = testBed.workspace;
  const options = await Promise.all(
    ['quiz', 'group'].flatMap((input) =>
      ['', 'z', 'canary'].map(async (text) => functions.options(administrator.id, 'assign_quiz', input, text)),
    ),
  );
  expect(JSON.stringify(options)).toContain('Kitchen');
  expect(JSON.stringify(options).match(outsideIds)).toBeNull();
  expect(await foundOfOthers(testBed, JSON.stringify(options))).toEqual([]);
});

test('by Home and Today of everybody', async () => {
  const testBed = await start();
  const { workspace } = testBed;
  for (const { id } of [administrator, people.zoe, people.rosa, people.ada, people.tom, people.ravi]) {
    await workspace.as(id).openHome();
    await workspace.until(() => workspace.home(id));
    await commandReply(testBed, id, '/quiz today');
  }
  expect(await foundOfOthers(testBed)).toEqual([]);
});

test('by a campaign for a channel, its board, its report and its evidence', async () => {
  const testBed = await start();
  const { workspace, quizService } = testBed;
  const line = `/quiz-campaign start ${safetyQuiz} for #training, @ravi, Kitchen within 14d valid 24 months`;
  const preview = await commandReply(testBed, owner, line);
  await workspace.as(owner).click(locationOf(preview), 'modal:all');
  await workspace.as(owner).click(locationOf(preview), 'choose:start');
  await workspace.until(() =>
    workspace.ephemerals(owner).find((message) => textOf(message).includes('Started a campaign')),
  );
  const files = () => workspace.directMessages(owner).flatMap((message) => message.files ?? []);
  for (const [index, verb] of ['report', 'evidence'].entries()) {
    await workspace.as(owner).command(`/quiz-campaign ${verb} workplace`);
    await workspace.until(() => files().length > index);
  }
  const shown = await said(testBed);
  const kitchen = quizService.database.all<{ name: string }>(inKitchen).map(({ name }) => name);
  expect(kitchen.filter((name) => !shown.includes(name))).toEqual([]);
  expect(await foundOfOthers(testBed)).toEqual([]);
  // Of the account, he is in another group. He is in the channel, and was mentioned.
  expect(shown).toContain('Ravi Banerjee · left out: not in the quiz account');
});

test('by an import of people who are here, elsewhere and nowhere', async () => {
  const testBed = await start();
  const { workspace, quizService } = testBed;
  const content =
    'E-mail;First name;Last name;Groups\r\nines@quiz.example;Ines;Marques;\r\ncanary.u-0uts1de@secret.example;Zed;Typed;\r\nrosa@quiz.example;Rosa;Almeida;\r\nmax@quiz.example;Max;Mover;Zinnia\r\n';
  const form = await (await workspace.as(owner).command('/quiz-user import')).view();
  expect((await workspace.as(owner).submit(form, { file: [{ name: 'people.csv', content }] })).errors).toBeUndefined();
  const shown = await workspace.until(() =>
    workspace.views(owner).find((view) => textOf(view).includes('Nothing has changed yet')),
  );
  await workspace.as(owner).click({ view: shown }, 'choose:start');
  await workspace.until(() => workspace.directMessages(owner).some((message) => textOf(message).includes('Finished')));
  const users = quizService.database.all<{ name: string }>(inKitchen).map(({ name }) => name);
  expect(users).toContain('Ines Marques');
  expect(users).not.toContain('Zed Typed');
  expect(changesOutside(testBed).filter((request) => !request.includes('user_name=canary.'))).toEqual([]);
  const typed = /canary\.u-0uts1de@secret\.example|c…@secret\.example/g;
  expect(canariesIn((await said(testBed)).replaceAll(typed, ''))).toEqual([]);
});

test('by people who leave Slack: who is in another group is proposed to nobody', async () => {
  const testBed = await start();
  const { workspace } = testBed;
  await workspace.until(() => workspace.calls.some(({ method }) => method === 'users.list'));
  for (const { id } of [people.ravi, people.rosa]) await workspace.setActive(id, false);
  const ask = async () => textOf(await commandReply(testBed, owner, '/quiz-user suspend-departed'));
  await expect.poll(ask, { timeout: 15_000 }).toContain('Suspend 1 person who has left Slack');
  expect(await foundOfOthers(testBed)).toEqual([]);
});

test(
  'by a submission whose webhook never came: that of others is announced to nobody',
  { timeout: 120_000 },
  async () => {
    const dataDir = temporaryDirectory();
    const hourMs = 3_600_000;
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    await storage.subscriptions.add(
      subscription({
        teamId: enterpriseOfProject()?.id ?? teamId,
        channelId: channels.results.id,
        createdAt: Date.now() - hourMs,
      }),
    );
    await storage.close();
    const testBed = await startTestBed({
      env: { ...forKitchen, ALERTS_CHANNEL: '', DATA_DIR: dataDir },
      clock: fastClock(20),
      prepare(quizService) {
        plantOthers(quizService);
        const date = new Date(Date.now() - hourMs / 2).toISOString().slice(0, 19).replace('T', ' ');
        quizService.database.run(
          "UPDATE responses SET date_submitted = ? WHERE response_id IN ('r-karl', 'r-guest') OR response_id LIKE '%-0uts1de'",
          [date],
        );
      },
    });
    const announced = () => testBed.workspace.messages(channels.results.id).map(textOf).join('\n');
    await testBed.workspace.until(() => /Karl/.test(announced()) && /Gina/.test(announced()), 100_000);
    expect(await foundOfOthers(testBed)).toEqual([]);
  },
);
