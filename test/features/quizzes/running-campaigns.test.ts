import { describe, expect, test } from 'vitest';
import type { CampaignEvent } from '../../../src/domain/campaign.ts';
import { campaignQueue } from '../../../src/domain/queues.ts';
import { plainSentence } from '../../../src/domain/said.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { confirmationField, type TextInput } from '../../../src/operations/text-input.ts';
import { openHouse, teamId } from '../../support/house.ts';

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

const event = { kind: 'quiz', name: 'Fire safety', at: Date.parse('2026-11-23T10:00:00Z'), by: 'UADA' };

describe('a quiz with a running campaign', () => {
  test('is deleted after a person who decides has read what ends', async () => {
    const { readerFor, told } = await open();
    const operation = operationNamed('delete-quiz')!;
    const context = await readerFor('UADA');
    const quiz = (await context.directory.quizzes.get(context.call)).find(({ name }) => name === 'Fire safety')!;
    expect(plainSentence((await operation.effect?.(context, { quiz })) ?? '')).toBe(
      '“Fire safety” would be deleted for good. It has no responses. 1 campaign is running for “Fire safety” (due 1 Dec 2026, 17:00, by “Ada”): it would end, and its 6 people get no more messages.',
    );
    const result = await operation.run(context, { quiz });
    expect('message' in result && plainSentence(result.message ?? '')).toBe(
      'Deleted “Fire safety” and all its responses. Its campaign ends: 6 people get no more messages.',
    );
    expect(await told()).toEqual([{ ...event, status: 'gone' }]);
  });
});

test('of several campaigns, each person is counted once', async () => {
  const { change, told } = await open({ campaigns: 2 });
  const { warning } = await change('close-quiz', { quiz: ['Fire safety'] });
  expect(warning).toBe(
    '2 campaigns are running for “Fire safety” (due 2 Dec 2026, 17:00, by “Ada”; due 1 Dec 2026, 17:00, by “Ada”): they would pause, and their 6 people get no messages until it’s open again.',
  );
  expect(await told()).toHaveLength(2);
});

test('a quiz without a running campaign is closed at once', async () => {
  const { change, told } = await open();
  expect(await change('close-quiz', { quiz: ['Ladders'] })).toEqual({
    warning: undefined,
    said: 'Closed “Ladders”. Nobody can take it until you open it again.',
  });
  expect(await told()).toEqual([]);
});
