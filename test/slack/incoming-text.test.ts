import { describe, expect, test } from 'vitest';
import { channelOf, readMarkup, readMentions } from '../../src/slack/in/delivery.ts';

describe('what somebody typed in Slack', () => {
  test.each([
    ['<@U123|rosa>', 'person:U123|rosa'],
    ['<@W123>', 'person:W123'],
    ['<@U123|>', 'person:U123'],
    ['<@U123|rosa almeida>', 'person:U123'],
    ['<@U1|a><@U2|b>', 'person:U1|a person:U2|b'],
    ['<#C123|training> and <#G1>', 'channel:C123|training and channel:G1'],
    ['<!subteam^S123|@kitchen-team> <!subteam^S1>', 'usergroup:S123|kitchen-team usergroup:S1'],
    ['<#D123>', '<#D123>'],
    ['<@u123>', '<@u123>'],
    ['<!channel>', '<!channel>'],
    ['&lt;@U123&gt; &amp;amp;', '<@U123> &amp;'],
    [
      '<https://quiz.example/a|quiz.example> <mailto:rosa@quiz.example|rosa@quiz.example>',
      'quiz.example rosa@quiz.example',
    ],
    ['<https://quiz.example/a>', 'https://quiz.example/a'],
  ])('is read without markup: %s', (typed, read) => {
    expect(readMarkup(typed)).toBe(read);
  });

  test('is read twice as it is read once where it is not escaped', () => {
    expect(readMentions('person:U123|rosa &lt;@U1&gt;')).toBe('person:U123|rosa &lt;@U1&gt;');
  });
});

test('a direct message is no channel, also one of several people', () => {
  expect(['C1', 'G1', 'D1', undefined].map((id) => channelOf(id))).toEqual(['C1', 'G1', undefined, undefined]);
  expect([channelOf('C1', 'mpdm-ada--erin-1'), channelOf('C1', 'training'), channelOf('G1', 'privategroup')]).toEqual([
    undefined,
    'C1',
    'G1',
  ]);
});
