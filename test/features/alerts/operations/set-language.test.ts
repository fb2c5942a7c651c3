import { describe, expect, test } from 'vitest';
import { setLanguage, languageField } from '../../../../src/features/alerts/operations/alerts.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { choiceKind } from '../../../../src/operations/fields/choice.ts';

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
