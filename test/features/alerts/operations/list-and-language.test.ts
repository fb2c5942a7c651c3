import { describe, expect, test, vi } from 'vitest';
import { listAlerts } from '../../../../src/features/alerts/operations/alerts.ts';
import { operationNamed } from '../../../../src/operations/catalog.ts';
import { subscription } from '../../../support/builders/alerts.ts';
import type { Page } from '../../../../src/operations/page.ts';
import { QuizApiError } from '../../../../src/quiz-api/errors.ts';
import { openHouse } from '../../../support/house.ts';

const setLanguage = operationNamed('set-channel-language')!;
const here = { channel_id: 'C1', channel_name: 'training' };
const there = { channel_id: 'C2', channel_name: 'crew' };

describe('the language of a channel', () => {
  test('is changed, kept and taken back', async () => {
    const context = await openHouse().readerFor('UADA', 'C1');
    const { channelLanguages } = context;
    const choose = async (channel: typeof here, language: string) => setLanguage.run(context, { channel, language });
    const undo = (channel: string, before: string, was: string) => ({
      label: 'Undo',
      operation: 'set-channel-language',
      input: { channel: [channel], language: [before], was: [was] },
    });
    expect(await choose(here, 'de')).toEqual({
      kind: 'done',
      message: 'Changed the language. This channel’s messages will be in German.',
      next: [undo('channel:C1', 'default', 'de')],
    });
    expect(await choose(there, 'fr')).toEqual({
      kind: 'done',
      message: 'Changed the language. Messages in ⁨#crew⁩ will be in French.',
      next: [undo('channel:C2', 'default', 'fr')],
    });
    expect(await choose(here, 'de')).toEqual({
      kind: 'done',
      message: 'This channel’s messages were in German already. Nothing changed.',
      isNoChange: true,
      next: undefined,
    });
    expect(await choose(there, 'fr')).toMatchObject({
      message: 'Messages in ⁨#crew⁩ were in French already. Nothing changed.',
    });
    expect(await choose(here, 'default')).toMatchObject({
      message: 'Changed the language. This channel’s messages will be in English, the default language.',
      next: [undo('channel:C1', 'de', 'default')],
    });
    expect([await channelLanguages.chosen('C1'), await channelLanguages.chosen('C2')]).toEqual(['default', 'fr']);
  });

  test.each([
    ['de', undefined, 'es', false],
    ['de', 'es', 'es', false],
    ['de', 'fr', 'de', false],
    ['de', 'fr', 'es', true],
    ['default', 'fr', 'es', true],
  ])('to %s, by an Undo after %s, is asked for where it is %s now: %j', async (language, was, chosen, isAsked) => {
    const context = await openHouse().readerFor('UADA', 'C1');
    await context.channelLanguages.choose('C1', chosen as 'es');
    expect(await setLanguage.confirm!({ channel: here, language, ...(was && { was }) }, context)).toEqual(
      isAsked
        ? {
            question: 'Since then, someone switched ⁨#training⁩ to messages in Spanish. Change it back all the same?',
            label: 'Set language',
            input: { channel: ['channel:C1'], language: [language] },
          }
        : undefined,
    );
  });

  test.each([
    ['german', { language: ['german'] }],
    ['to German', { language: ['German'] }],
    ['In  Dutch', { language: ['Dutch'] }],
    ['french in channel:C2', { channel: ['channel:C2'], language: ['french'] }],
    ['channel:C2 to polish', { channel: ['channel:C2'], language: ['polish'] }],
    ['to spanish for channel:C2', { channel: ['channel:C2'], language: ['spanish'] }],
    ['person:U1 german', { language: ['person:U1 german'] }],
    ['german of  channel:C2', { channel: ['channel:C2'], language: ['german'] }],
    ['“channel:C2” german', { language: ['channel:C2 german'] }],
    ['german in the channel', { language: ['german in the channel'] }],
    ['into german', { language: ['into german'] }],
    ['', {}],
  ])('“%s” is read as %j', (line, input) => {
    expect(setLanguage.parse!(line)).toEqual([input]);
  });

  test.each([
    ['en', 'in English'],
    ['de', 'in German'],
    ['fr', 'in French'],
    ['es', 'in Spanish'],
    ['nl', 'in Dutch'],
    ['pl', 'in Polish'],
    ['default', 'in the default language'],
  ])('%s is “%s” for those who decide', async (language, words) => {
    const context = await openHouse().readerFor('UADA', 'C1');
    const values = { channel: here, language };
    expect(setLanguage.action!(values)).toBe(`switch ⁨#training⁩ to messages ${words}`);
    expect(await setLanguage.effect!(context, values)).toBe(`Everything the bot posts in ⁨#training⁩ would be ${words}.`);
  });
});

describe('the list', () => {
  const subscriptions = [
    subscription({ id: 's-here' }),
    subscription({ id: 's-ada', channelId: 'C2', ownerId: 'UADA' }),
    subscription({ id: 's-erin', channelId: 'C2', ownerId: 'UERIN', quiz: { id: 'q-gone', name: 'Old quiz' } }),
  ].map((one) => ({ subscription: one, waiting: 0 }));
  const shown = async (by: string, filter?: string) => {
    const context = await openHouse({ subscriptions }).readerFor(by, 'C1');
    const text = JSON.stringify(await listAlerts.run(context, filter === undefined ? {} : { filter }));
    return {
      ids: [...text.matchAll(/"subscription":\["([^"]+)"\]/g)]
        .map(([, id]) => id)
        .filter((id, n, all) => all.indexOf(id) === n),
      isGone: text.includes('its quiz was deleted'),
      elsewhere: /in other channels/.test(text),
    };
  };

  test.each([
    ['UADA', undefined, ['s-here', 's-ada'], true],
    ['UERIN', '  ', ['s-here', 's-erin'], false],
    ['UADA', ' ALL ', ['s-here', 's-ada', 's-erin'], false],
    ['UADA', ' alle ', ['s-here', 's-ada', 's-erin'], false],
  ])('of %s who types %j is %j', async (by, filter, ids, elsewhere) => {
    expect(await shown(by, filter)).toEqual({ ids, isGone: ids.includes('s-erin'), elsewhere });
  });

  test.each([
    [
      'UERIN',
      'all',
      'Only administrators can list the subscriptions of all channels. This channel’s and yours: /quiz-alerts list',
    ],
    ['UADA', 'mine', 'Type /quiz-alerts list, or /quiz-alerts list all. “mine” isn’t an option.'],
    ['UERIN', 'every', 'Type /quiz-alerts list, or /quiz-alerts list all. “every” isn’t an option.'],
  ])('is refused to %s who types %s', async (by, filter, why) => {
    const refusal = shown(by, filter);
    await expect(refusal).rejects.toThrow(why);
    await expect(refusal).rejects.toMatchObject({ field: 'filter' });
  });

  test('says the language of the channel where it is not the usual one', async () => {
    const context = await openHouse({ subscriptions }).readerFor('UADA', 'C1');
    const text = async () => JSON.stringify(await listAlerts.run(context, {}));
    expect(await text()).not.toContain('messages are');
    await context.channelLanguages.choose('C1', 'de');
    expect(await text()).toContain('in German');
  });

  test.each([
    ['no connection', ['The quiz service isn’t answering right now. Try again in a minute.']],
    ['forbidden', ['The quiz service rejects the bot’s API key.']],
    ['firewall', []],
  ] as const)('is shown where the service cannot be asked, and says so: %s', async (reason, notes) => {
    const house = openHouse({ subscriptions });
    const call = { operation: 'list', method: 'GET', path: '/quizzes' } as const;
    house.faults.set('quizzes.list', new QuizApiError(reason, call, 'failed'));
    const page = (await listAlerts.run(await house.readerFor('UERIN', 'C1'), {})) as Page;
    expect(page.heading).toBe('*2 subscriptions*');
    expect(JSON.stringify(page)).not.toContain('deleted');
    expect(page.notes?.filter((note) => typeof note === 'string' && !note.includes('in other channels'))).toEqual(
      notes,
    );
  });

  test('is not shown where the bot has a fault', async () => {
    const house = openHouse({ subscriptions });
    house.faults.set('quizzes.list', new RangeError('a fault'));
    await expect(listAlerts.run(await house.readerFor('UERIN', 'C1'), {})).rejects.toThrow('a fault');
  });

  test.each([
    [undefined, 'You have no subscriptions.'],
    ['C1', 'This channel has no subscriptions.'],
  ])('of nothing says so, in %s', async (channelId, heading) => {
    const context = await openHouse().readerFor('UADA', channelId);
    const of = vi.spyOn(context.channelLanguages, 'of');
    expect(await listAlerts.run(context, {})).toMatchObject({ kind: 'page', heading });
    expect(of.mock.calls).toEqual(channelId === undefined ? [] : [[channelId]]);
  });
});
