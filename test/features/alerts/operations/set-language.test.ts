import { describe, expect, test } from 'vitest';
import { createChannelLanguages } from '../../../../src/features/alerts/subscriptions.ts';
import { setLanguage, languageField } from '../../../../src/features/alerts/operations/alerts.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { choiceKind } from '../../../../src/operations/fields/choice.ts';
import { storeOf } from '../../../support/kept-values.ts';

const training = { channel_id: 'C1', channel_name: 'training' };

function setUp(channelId: string | undefined = 'C1') {
  const stored = new Map<string, string>();
  const channelLanguages = createChannelLanguages({ store: storeOf(stored), defaultLanguage: 'fr', now: () => 0 });
  const context = { channelLanguages, channelId } as unknown as OperationContext;
  return { stored, run: async (language: string) => setLanguage.run(context, { channel: training, language }) };
}

describe('the language of a channel', () => {
  test('is changed, and changed back', async () => {
    const { run, stored } = setUp();
    expect(await run('de')).toMatchObject({
      kind: 'done',
      message: 'Changed the language. This channel’s messages will be in German.',
      next: [
        {
          label: 'Undo',
          operation: 'set-channel-language',
          input: { channel: ['channel:C1'], language: ['default'] },
        },
      ],
    });
    expect([...stored]).toEqual([['C1', 'de']]);
    expect(await run('default')).toMatchObject({
      message: 'Changed the language. This channel’s messages will be in French, the default language.',
      next: [{ input: { language: ['de'] } }],
    });
    expect(stored.size).toBe(0);
  });

  test('stays as it is where it was so', async () => {
    const { run } = setUp();
    await run('es');
    expect(await run('es')).toEqual({
      kind: 'done',
      isNoChange: true,
      message: 'This channel’s messages were in Spanish already. Nothing changed.',
    });
  });

  test('names the channel elsewhere', async () => {
    const { run } = setUp('C2');
    expect(await run('nl')).toMatchObject({
      message: 'Changed the language. Messages in ⁨#training⁩ will be in Dutch.',
    });
  });
});

describe('what is typed for it', () => {
  test.each([
    ['', {}],
    ['german', { language: ['german'] }],
    ['to German', { language: ['German'] }],
    ['“Deutsch”', { language: ['Deutsch'] }],
    ['polski channel:C9|kitchen', { language: ['polski'], channel: ['channel:C9|kitchen'] }],
    ['channel:C9|kitchen in polski', { language: ['polski'], channel: ['channel:C9|kitchen'] }],
    ['polski for channel:C9|kitchen', { language: ['polski'], channel: ['channel:C9|kitchen'] }],
  ])('“%s”', (line, input) => {
    expect(setLanguage.parse?.(line)).toEqual([input]);
  });

  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['german', 'de'],
    ['Deutsch', 'de'],
    ['français', 'fr'],
    ['Francais', 'fr'],
    ['Espanol', 'es'],
    ['Castellano', 'es'],
    ['nederlands', 'nl'],
    ['Polish', 'pl'],
    ['English', 'en'],
    ['default', 'default'],
  ])('“%s” is %s', (typed, value) => {
    expect(resolved(typed)).toEqual({ kind: 'value', value });
  });

  test('that the bot doesn’t speak is refused with those it speaks', () => {
    expect(resolved('Klingon')).toMatchObject({
      kind: 'invalid',
      message: 'I don’t speak “Klingon”. Choose English, Deutsch, Français, Español, Nederlands, Polski or default.',
    });
  });
});

const resolved = (typed: string) =>
  choiceKind.resolve([typed], languageField, { rights: new Set() } as unknown as OperationContext);
