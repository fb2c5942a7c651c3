import { afterPress, section, sections, stepButtons } from '../../../../src/slack/views/blocks/message.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutIsolates, say, clip, shortName } from '../../../../src/domain/said.ts';
import { clipMarkup } from '../../../../src/slack/connection/outgoing.ts';
import { asSent, drawn } from '../../../support/as-sent.ts';
import { runStep } from '../../../../src/operations/page.ts';
import { notMe, snoozeReminders } from '../../../../src/features/campaigns/operations/own-answers.ts';
import { problemsOfMessage } from '../../../support/slack-limits.ts';

/** Unescapes a text as Slack's clients do: https://docs.slack.dev/messaging/formatting-message-text */
function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('text from outside', () => {
  test('cannot mention, link or make a date', () => {
    expect(asSent(say`*${'<!channel> & <https://x|y>'}*`, 'markup')).toBe(
      '*&lt;!channel&gt; &amp; &lt;https://x|y&gt;*',
    );
  });

  test('keeps every character and contains no raw angle bracket', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }).map(withoutIsolates), (text) => {
        const mrkdwn = withoutIsolates(asSent(say`${text}`, 'markup'));
        expect(mrkdwn).not.toMatch(/[<>]/);
        expect(mrkdwn.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
        expect(unescape(mrkdwn)).toBe(text);
      }),
    );
  });

  test('is verbatim, so that Slack does not look for links and mentions', () => {
    expect(section('https://x.example @channel').text).toMatchObject({ verbatim: true });
  });
});

describe('a name', () => {
  test('is shown on one line', () => {
    expect(shortName('Fire\nsafety\r\n\tbasics\u2028now')).toBe('Fire safety basics now');
  });

  test('cannot change the direction of the text after it', () => {
    expect(shortName('quiz \u202Egnp.exe')).toBe('quiz  gnp.exe');
  });

  test('keeps right-to-left script and emoji', () => {
    expect(shortName('اختبار السلامة 👩‍🚒')).toBe('اختبار السلامة 👩‍🚒');
  });

  test('is cut if it has 10,000 characters', () => {
    expect(shortName('x'.repeat(10_000))).toHaveLength(150);
  });

  test('is never cut inside a visible character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '👩‍🚒', '🇳🇱', 'ß', 'क्षि')),
        fc.integer({ min: 2, max: 40 }),
        (characters, most) => {
          const whole = characters.join('');
          const cut = clip(whole, most);
          expect(cut.length).toBeLessThanOrEqual(most);
          const segments = [...new Intl.Segmenter().segment(whole)].map(({ segment }) => segment);
          const kept = cut.endsWith('…') ? cut.slice(0, -1) : cut;
          expect(segments.join('').startsWith(kept)).toBe(true);
          let rest = kept;
          for (const segment of segments) {
            if (!rest.startsWith(segment)) break;
            rest = rest.slice(segment.length);
          }
          expect(rest).toBe('');
        },
      ),
    );
  });
});

test('lines share sections of at most 3,000 characters', () => {
  const lines = Array.from({ length: 100 }, (_, line) => say`${'&'.repeat(60)} ${line}`);
  const blocks = sections(lines);
  expect(
    blocks
      .map((block) => asSent(block.text?.text ?? '', 'markup'))
      .join('\n')
      .split('\n'),
  ).toHaveLength(100);
  for (const block of blocks) expect(asSent(block.text?.text ?? '', 'markup').length).toBeLessThanOrEqual(3_000);
});

test('markup is never cut inside an escaped character, a date or a mention', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('&amp;', '&lt;', 'a', '👩', '<!date^1^{time}^x>', '<@U123>')),
      fc.integer({ min: 1, max: 60 }),
      (parts, most) => {
        const whole = parts.join('');
        const cut = clipMarkup(whole, most);
        expect(cut.length).toBeLessThanOrEqual(most);
        const lengths = parts.map((_, index) => parts.slice(0, index + 1).join('').length);
        const kept = parts.slice(0, lengths.filter((length) => length <= cut.length - 1).length);
        expect(cut).toBe(whole.length <= most ? whole : `${kept.join('')}…`);
      },
    ),
  );
});

test.each([20, 33, 40, 60, 90])(
  'a table of names from right to left, %i letters each, fits with the marks that they get where they are sent',
  (length) => {
    const name = 'اختبار السلامة '.repeat(10).slice(0, length).trim();
    for (const cell of [name, say`⏰ ${name} ${name}`]) {
      const cells = Array.from({ length: 100 }, () => cell);
      const columns = ['Person', 'Quiz', 'Grade'].map((title) => ({ title, cells }));
      const message = drawn({
        heading: say`📋 *Attempts*`,
        parts: [{ table: { caption: say`Attempts, the last submitted first`, columns, lines: cells } }],
      });
      expect(problemsOfMessage(message)).toEqual([]);
      expect(message.blocks.some(({ type }) => type === 'data_table')).toBe(true);
    }
  },
);

test('what takes the place of a row of buttons takes the place of the note of one of them, too', () => {
  const input = { campaigns: ['c-1'] };
  const steps = [
    { ...runStep(say`Not me`, notMe, input), opens: 'row' },
    { ...runStep(say`Snooze until tomorrow`, snoozeReminders, input), opens: 'button' },
  ] as const;
  const [first, second] = stepButtons(steps);
  const asked = drawn({ heading: say`Please take it.`, steps: [...steps] }).blocks;
  const snoozed = afterPress(asked, second!, { message: say`Tomorrow, then.` }, 'button');
  expect(JSON.stringify(snoozed)).toContain('Tomorrow, then.');
  const answered = afterPress(snoozed, first!, { message: say`It isn’t for you.` }, 'row');
  expect(JSON.stringify(answered)).toContain('It isn’t for you.');
  expect(JSON.stringify(answered)).not.toContain('Tomorrow, then.');
});
