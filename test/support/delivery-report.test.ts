import { expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { compareDelivery, readAnnouncements } from './delivery-report.ts';
import { numberedName } from './event.ts';

const [a, b, c] = [numberedName(1), numberedName(2), numberedName(3)];
/** Each event is sent after the previous one was accepted. */
const sendings = new Map([
  [a, { sentAt: 0, takenAt: 1 }],
  [b, { sentAt: 2, takenAt: 3 }],
  [c, { sentAt: 4, takenAt: 5 }],
]);

const reportOn = (...texts: string[]) => compareDelivery(readAnnouncements(texts.map(message)), sendings);

function message(text: string, index: number): Message {
  const sections = text.split('|').map((part) => ({ type: 'section', text: { type: 'mrkdwn', text: part } }));
  return { channel: 'C1', ts: `${index}.0`, user: 'U1', text, blocks: sections as Message['blocks'] & object };
}

test('accepts single and combined messages that name each respondent once, in order', () => {
  expect(reportOn(`✅ *Rosa ${a}* passed`, `✅ Rosa ${b} · 85%|❌ Rosa ${c} · 20%`)).toMatchObject({
    lost: 0,
    duplicated: 0,
    outOfOrder: 0,
    messages: 2,
  });
});

test('finds names with six digits', () => {
  expect(readAnnouncements([message(`${numberedName(100_000)}|${numberedName(99_999)}`, 0)])).toEqual([
    { names: ['P100000', 'P99999'], counted: 0 },
  ]);
});

test('reports a respondent in no message as lost', () => {
  expect(reportOn(a, c)).toMatchObject({ lost: 1, duplicated: 0, missingNames: [b] });
});

test('reports a respondent named twice, in one message or two, as duplicated', () => {
  expect(reportOn(a, `${b}|${c}`, c)).toMatchObject({ lost: 0, duplicated: 1, repeatedNames: [c] });
  expect(reportOn(`${a}|${b}|${a}|${c}`)).toMatchObject({ lost: 0, duplicated: 1, repeatedNames: [a] });
});

test('accepts respondents that are only counted, if the count is correct', () => {
  expect(reportOn(`${a}|…and 2 more: *Results* names them.`)).toMatchObject({ lost: 0, duplicated: 0, unnamed: 2 });
  expect(reportOn(`${a}|…and 1 more`)).toMatchObject({ lost: 1, duplicated: 0 });
  expect(reportOn(`${a}|…and 3 more`)).toMatchObject({ lost: 0, duplicated: 1 });
});

test('reports a respondent as out of order who is announced after a later one', () => {
  expect(reportOn(b, a, c)).toMatchObject({ lost: 0, duplicated: 0, outOfOrder: 1, outOfOrderNames: [a] });
});
