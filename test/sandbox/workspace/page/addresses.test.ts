import { expect, test } from 'vitest';
import { parseInline } from '../../../../src/sandbox/workspace/page/text/mrkdwn.ts';

test('what looks like an address becomes a link and ends before an escaped angle bracket', () => {
  expect(parseInline('&lt;https://x|y&gt; see https://quiz.example/a?b=1&amp;c=2.')).toEqual([
    { kind: 'text', text: '<' },
    { kind: 'link', url: 'https://x|y', text: 'https://x|y' },
    { kind: 'text', text: '> see ' },
    { kind: 'link', url: 'https://quiz.example/a?b=1&c=2', text: 'https://quiz.example/a?b=1&c=2' },
    { kind: 'text', text: '.' },
  ]);
});

test('in a verbatim text it is left alone, also inside a style', () => {
  expect(parseInline('*&lt;https://x|y&gt;*', true)).toEqual([{ kind: 'bold', children: [{ kind: 'text', text: '<https://x|y>' }] }]);
});
