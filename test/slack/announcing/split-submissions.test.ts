import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListAnnouncement } from '../../../src/domain/announcement.ts';
import { countFitting } from '../../../src/slack/announcing/post.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { sentTexts, problemsOfMessage, problemsOfSize } from '../../support/slack-limits.ts';
import { submission } from '../../support/builders/alerts.ts';

const outside = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'x'.repeat(1_000),
    '&'.repeat(1_000),
    '<!channel> & <https://x|y>',
    'اختبار السلامة '.repeat(20),
    '👩‍🚒'.repeat(150),
    '\u202Egnp.exe',
    '`*_~`\n> x',
    '\u0000',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: -10, max: 1e6, noNaN: true }));
const moments = fc.integer({ min: 0, max: 4e12 });

const submissions = fc
  .record({
    quizId: fc.oneof(
      fc.constantFrom('q-1', 'q-2', 'q'.repeat(3_000)),
      fc.nat(60).map((one) => `q-${one}`),
    ),
    quizName: outside,
    name: outside,
    percentage: number,
    points: number,
    availablePoints: number,
    grade: outside,
    outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'),
    attempt: fc.nat(),
    durationSeconds: number,
    submittedAt: fc.option(moments),
    isBackfilled: fc.boolean(),
  })
  .map(submission);
const items = fc.record({ submission: submissions, showsNames: fc.boolean() });
/** A few different values, or very many similar ones. */
const waiting = fc.oneof(
  fc.array(items, { minLength: 1, maxLength: 80, size: 'max' }),
  fc
    .tuple(fc.array(items, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 500 }))
    .map(([some, count]) => Array.from({ length: count }, (_, index) => some[index % some.length]!)),
);

/** The messages of a list, each with as many items as fit. */
function messagesOf(list: ListAnnouncement): Message[] {
  const messages: Message[] = [];
  for (let left = list; left.items.length > 0;) {
    const fitting = countFitting(left);
    messages.push(announcementMessage({ ...left, items: left.items.slice(0, fitting) } as ListAnnouncement));
    left = { ...left, items: left.items.slice(fitting) } as ListAnnouncement;
  }
  return messages;
}

function linesOf(blocks: unknown): string[] {
  return sentTexts(blocks).flatMap((text) => text.split('\n'));
}

function countIn(texts: readonly string[], pattern: RegExp): number {
  return texts.reduce((sum, text) => sum + Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0), 0);
}

/** Also checks what the workspace counts of a whole message. */
const problemsOf = (message: Message): string[] => [...problemsOfMessage(message), ...problemsOfSize(message)];

test('any number of submissions is split into messages that Slack accepts, and each submission is named once', () => {
  fc.assert(
    fc.property(waiting, (all) => {
      const numbered = all.map(({ submission: one, showsNames }, index) => ({
        submission: { ...one, grade: `#${index}` },
        showsNames,
      }));
      const messages = messagesOf({
        kind: 'submissions',
        items: numbered,
        postedAt: Date.UTC(2026, 10, 21),
      });
      expect(messages.flatMap(problemsOf)).toEqual([]);

      const lines = messages.flatMap(({ blocks }) => linesOf(blocks));
      const named = lines
        .filter((line) => /^(?:✅|❌|📋|🖊️) /u.test(line))
        .map((line) => Number(/grade #(\d+)(?:, [\d,]+(?:st|nd|rd|th) attempt)?(?: · ⏰ late)?$/.exec(line)?.[1]));
      expect(named.toSorted((one, other) => one - other)).toEqual([...numbered.keys()]);
      const submitted = lines
        .filter((line) => /^(?:📬 )?\*.*\* · [\d,]+ submissions?(?: · |$)/u.test(line))
        .map((line) => countIn([line], /\* · ([\d,]+) submissions?(?: · [^*]*)?$/));
      expect(submitted.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    }),
    { numRuns: 25 },
  );
});
