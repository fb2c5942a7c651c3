import { expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { announcements, reckon } from './announced.ts';
import { nameOf } from './numbered-person.ts';

const [a, b, c] = [nameOf(1), nameOf(2), nameOf(3)];
/** Sent one after the other, each when the one before was taken. */
const sendings = new Map([[a, { sentAt: 0, takenAt: 1 }], [b, { sentAt: 2, takenAt: 3 }], [c, { sentAt: 4, takenAt: 5 }]]);

const reckoned = (...texts: string[]) => reckon(announcements(texts.map(message)), sendings);

function message(text: string, index: number): Message {
  const sections = text.split('|').map((part) => ({ type: 'section', text: { type: 'mrkdwn', text: part } }));
  return { channel: 'C1', ts: `${index}.0`, user: 'U1', text, blocks: sections as Message['blocks'] & object };
}

test('everybody in messages of one and of several is once, and in order', () => {
  expect(reckoned(`✅ *Rosa ${a}* passed`, `✅ Rosa ${b} · 85 %|❌ Rosa ${c} · 20 %`)).toMatchObject({ lost: 0, doubled: 0, disordered: 0, messages: 2 });
});

test('who has a number of six digits is found as well', () => {
  expect(announcements([message(`${nameOf(100_000)}|${nameOf(99_999)}`, 0)])).toEqual([{ names: ['P100000', 'P99999'], counted: 0 }]);
});

test('who is in no message is lost', () => {
  expect(reckoned(a, c)).toMatchObject({ lost: 1, doubled: 0, missingNames: [b] });
});

test('who is in two messages, or twice in one, is doubled', () => {
  expect(reckoned(a, `${b}|${c}`, c)).toMatchObject({ lost: 0, doubled: 1, repeatedNames: [c] });
  expect(reckoned(`${a}|${b}|${a}|${c}`)).toMatchObject({ lost: 0, doubled: 1, repeatedNames: [a] });
});

test('who is only counted is neither lost nor doubled, as long as the count is right', () => {
  expect(reckoned(`${a}|…and 2 more: *Results* names them.`)).toMatchObject({ lost: 0, doubled: 0, unnamed: 2 });
  expect(reckoned(`${a}|…and 1 more`)).toMatchObject({ lost: 1, doubled: 0 });
  expect(reckoned(`${a}|…and 3 more`)).toMatchObject({ lost: 0, doubled: 1 });
});

test('who was taken before somebody was sent, and comes after them, is out of order', () => {
  expect(reckoned(b, a, c)).toMatchObject({ lost: 0, doubled: 0, disordered: 1, disorderedNames: [a] });
});
