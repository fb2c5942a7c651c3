import { expect, test } from 'vitest';
import type { Quiz } from '../../../src/quiz-api/records.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { fitsSlack } from '../../../src/slack/views/blocks/message.ts';
import { quizPage, quizzesPage } from '../../../src/features/quizzes/pages.ts';
import { drawn } from '../../support/as-sent.ts';
import { createRecentOwnQuizzes } from '../../../src/features/quizzes/assigned-quizzes.ts';
import type { Directory } from '../../../src/directory/directory.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import { campaignOf } from '../../support/builders/campaigns.ts';
import { quizUser } from '../../support/builders/users.ts';
import type { CampaignEvent } from '../../../src/domain/campaign.ts';
import { campaignQueue } from '../../../src/domain/queues.ts';
import { plainSentence } from '../../../src/domain/said.ts';
import { campaignsAfter, ending } from '../../../src/features/quizzes/running-campaigns.ts';
import { confirmationField, type TextInput } from '../../../src/operations/text-input.ts';
import { openHouse, teamId } from '../../support/house.ts';

const quiz = (name: string, status: Quiz['status'] = 'open'): Quiz => ({
  quiz_id: `id-of-${name.slice(0, 20)}`,
  name,
  status,
  date_created: new Date('2026-01-02T03:04:05Z'),
});
const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
const nothing: ReadonlySet<string> = new Set();

// What each page says stands in test/words/sentences.md. These tests are about order, values of buttons, and what fits.

interface AnyBlock {
  type: string;
  accessory?: { options: { text: { text: string }; value: string }[] };
  elements?: { text: { text: string }; value?: string }[];
}
const blocksOf = (message: { blocks: unknown }) => message.blocks as AnyBlock[];
const menusOf = (message: { blocks: unknown }) =>
  blocksOf(message).flatMap(({ accessory }) => (accessory ? [accessory.options] : []));
const textOf = (message: { blocks: unknown }) => JSON.stringify(message.blocks);

test('a list counts quizzes by status and shows open ones first', () => {
  const message = drawn(
    quizzesPage([quiz('Old', 'closed'), quiz('New'), quiz('Draft', 'in_design')], { filter: {} }),
    nothing,
  );
  const [, list] = message.blocks as [unknown, { text: { text: string } }];
  expect(list.text.text.split('\n').map((line) => /\*(.+)\*/.exec(line)?.[1])).toEqual(['New', 'Draft', 'Old']);
});

test('a quiz with an unknown status or date is listed without it', () => {
  const odd = { ...quiz('Odd', 'in_review'), date_created: null };
  const message = drawn(quizzesPage([odd, quiz('New')], { filter: {} }), nothing);
  expect(message.text).toBe('*2 quizzes*: 1 open, 1 in review');
  expect(textOf(message)).toContain('⚪ *Odd* · in review"');
  const page = quizPage({ quiz: odd, groups: [], takeLink: undefined, use: undefined });
  expect(textOf(drawn(page, everything))).not.toContain('created');
});

test('a long list goes on with lines without menus, as many as Slack takes in a message', () => {
  for (const name of ['Quiz', 'A quiz with a name that goes on and on, as real ones sometimes do']) {
    const message = drawn(
      quizzesPage(
        Array.from({ length: 250 }, (_, n) => quiz(`${name} ${n}`)),
        { filter: {} },
      ),
      everything,
    );
    const menus = menusOf(message).length;
    const lines = textOf(message).match(/🟢/gu)?.length ?? 0;
    expect(fitsSlack(message)).toBe(true);
    expect(menus).toBeGreaterThanOrEqual(30);
    expect(menus).toBeLessThanOrEqual(40);
    expect(textOf(message)).toContain(
      `…and ${250 - lines} more. To narrow the list, type \`/quiz list\` and part of a name.`,
    );
  }
});

test('a menu leaves out an action whose value is longer than Slack takes', () => {
  const [options] = menusOf(
    drawn(quizzesPage([{ ...quiz('New'), quiz_id: 'x'.repeat(115) }], { filter: {} }), everything),
  );
  expect(options?.map(({ text }) => text.text)).toEqual(['Close', 'View']);
});

function openRecent() {
  const asked: string[] = [];
  const clock = { now: 0 };
  let fails = false;
  const api = {
    users: {
      async get(userId: string) {
        asked.push(userId);
        if (fails) throw new Error('the service is away');
        return { ...quizUser({ user_id: userId, groups: [] }), quizzes: [] };
      },
    },
  } as unknown as QuizApi;
  const directory = {
    quizzes: { get: async () => [] },
    users: { get: async () => [] },
    quizGroups: { isComplete: () => true },
  } as unknown as Directory;
  const recent = createRecentOwnQuizzes({ api, directory, takeLink: () => undefined, now: () => clock.now });
  return { asked, clock, recent, fail: (is: boolean) => void (fails = is) };
}

test('the quizzes of a user are read once a minute, however often they look', async () => {
  const { asked, clock, recent } = openRecent();
  await Promise.all([recent.of('rosa', {}), recent.of('rosa', {}), recent.of('kim', {})]);
  clock.now = 59_999;
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'kim']);
  clock.now = 60_000;
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'kim', 'rosa']);
});

test('a submission has them read anew', async () => {
  const { asked, recent } = openRecent();
  await recent.of('rosa', {});
  recent.forget();
  await recent.of('rosa', {});
  expect(asked).toEqual(['rosa', 'rosa']);
});

test('a failure is not kept', async () => {
  const { asked, recent, fail } = openRecent();
  fail(true);
  await expect(recent.of('rosa', {})).rejects.toThrow('the service is away');
  fail(false);
  await expect(recent.of('rosa', {})).resolves.toMatchObject({ quizzes: [] });
  expect(asked).toEqual(['rosa', 'rosa']);
});

/** Ada, an administrator, has started campaigns for Fire safety with the people of Crew. */
async function open({ campaigns = 1 }: { campaigns?: number } = {}) {
  const account = openHouse();
  account.clock.now = Date.parse('2026-11-23T10:00:00Z');
  const act = async (operation: string, input: TextInput) => account.act('UADA', operation, input);
  /** Confirms the warning, if there is one. */
  const actAll = async (operation: string, input: TextInput) => {
    const first = await act(operation, input);
    return first.kind === 'warned'
      ? {
          warning: plainSentence(first.message),
          outcome: await act(operation, { ...input, [confirmationField]: [first.confirmation] }),
        }
      : { warning: undefined, outcome: first };
  };
  for (let count = 1; count <= campaigns; count += 1) {
    const preview = await act('start-campaign', { quiz: ['Fire safety'], to: ['Crew'], due: [`${count} dec 17:00`] });
    const id = preview.kind === 'done' && preview.result.kind === 'preview' ? preview.result.id : '';
    await actAll('run-campaign', { plan: [id] });
  }
  const running = await (await account.readerFor('UADA')).campaigns.all();
  return {
    ...account,
    /** @returns the warning and the answer */
    async change(operation: string, input: TextInput) {
      const { warning, outcome } = await actAll(operation, input);
      const said = outcome.kind === 'done' && 'message' in outcome.result ? outcome.result.message : undefined;
      return { warning, said: said === undefined ? outcome : plainSentence(said) };
    },
    /** What the campaigns were told of their quiz. */
    async told(): Promise<CampaignEvent[]> {
      const waiting = await Promise.all(
        running.map(async ({ id }) => account.storage.outbox.waiting(campaignQueue(teamId, id), { limit: 10 })),
      );
      return waiting
        .flat()
        .flatMap(({ content }) =>
          content.kind === 'campaign-event' && content.event.kind === 'quiz' ? [content.event] : [],
        );
    },
  };
}

test('a campaign whose quiz is deleted gets to know it', async () => {
  const { readerFor, told } = await open();
  const context = await readerFor('UADA');
  const fire = (await context.directory.quizzes.get(context.call)).find(({ name }) => name === 'Fire safety')!;
  await operationNamed('delete-quiz')!.run(context, { quiz: fire });
  expect(await told()).toEqual([
    { kind: 'quiz', name: 'Fire safety', at: Date.parse('2026-11-23T10:00:00Z'), by: 'UADA', status: 'gone' },
  ]);
});

test('of several campaigns, each person is counted once', async () => {
  const { change, told } = await open({ campaigns: 2 });
  const { warning } = await change('close-quiz', { quiz: ['Fire safety'] });
  expect(warning).toBe(
    '2 campaigns are running for “Fire safety” (due 2 Dec 2026, 17:00, by “Ada”; due 1 Dec 2026, 17:00, by “Ada”): they would pause, and their 6 people get no messages until it’s open again.',
  );
  expect(await told()).toHaveLength(2);
});

test('of one person who still has to take it, it says what becomes of them', () => {
  const running = { campaigns: [campaignOf()], people: 1, areSeen: true };
  expect(plainSentence(campaignsAfter(running, ending))).toBe(' Its campaign ends: 1 person gets no more messages.');
});
