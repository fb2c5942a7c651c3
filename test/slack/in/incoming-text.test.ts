import { describe, expect, test } from 'vitest';
import { channelOf, readMarkup, readMentions } from '../../../src/slack/in/delivery.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { parseCommandLine } from '../../support/parse-line.ts';
import { commandAndVerb, isTyped } from '../../../src/operations/line/line.ts';

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

/** The pairs that keyboards and phones offer. */
const pairs = ['""', '“”', '„“', '„”', '””', '«»', '»«', '‹›', '›‹', "''", '‘’', '‚‘', '’’', '「」', '『』', '＂＂'];

/** Names that hold the words which part a command line. */
const names = ['Fire to safety', 'Rosa from O’Brien for as of, since passed'];

/** Every verb with its typed things in quotation marks, and the texts that come of them. */
const verbs = catalog.filter(isTyped).flatMap((operation) => {
  const { command, verb } = commandAndVerb(operation);
  return linesOf(operation).map(({ line, texts }) => ({
    name: `${command} ${verb} ${line}`,
    operation,
    command,
    line: `${verb} ${line}`,
    texts,
  }));
});

function linesOf({ name, command, fields }: Operation): { line: string; texts: Record<string, string[]> }[] {
  const [first = '', second = ''] = names;
  const one = [first];
  switch (name) {
    case 'subscribe-channel':
      return [
        { line: '{0} failed', texts: { quiz: one, filter: ['failed'] } },
        { line: 'grade {0} names off', texts: { quiz: [''], filter: ['grade'], limit: one, names: ['off'] } },
      ];
    case 'pause-alerts':
      return [
        { line: '{0}', texts: { subscription: one } },
        { line: '{0} for 2h', texts: { subscription: one, time: ['2h'] } },
      ];
    case 'start-campaign':
      return [{ line: '{0} for {1}, {0} due friday', texts: { quiz: one, to: [second, first], due: ['friday'] } }];
    case 'require-quiz':
      return [{ line: '{0} for {1}, {0} within 14d', texts: { quiz: one, to: [second, first], within: ['14d'] } }];
    case 'excuse-campaign':
      return [{ line: '{0} {1} because {0}', texts: { campaign: one, people: [second], because: one } }];
    case 'remind-campaign':
      return [
        { line: '{0} for {1}', texts: { campaign: one, people: [second] } },
        { line: '{0}, {1} about {1}, {0}', texts: { people: [first, second], campaign: [second, first] } },
      ];
    case 'show-matrix':
      return [
        { line: '{0}', texts: { people: one } },
        { line: 'for {0}, {1} overdue', texts: { people: [first, second], only: ['overdue'] } },
      ];
    case 'show-year':
      return [{ line: 'for {0}, {1}', texts: { people: [first, second] } }];
    case 'change-campaign':
      return [{ line: '{0} valid 6 months', texts: { campaign: one, valid: ['6 months'] } }];
    case 'send-evidence':
      return [{ line: '{0} since 2026-01-01', texts: { campaign: one, since: ['2026-01-01'] } }];
    case 'add-to-campaign':
      return [{ line: '{0}, {1} to {0}', texts: { people: [first, second], campaign: one } }];
    // Its channel or user group is a mention, which needs no marks.
    case 'import-users':
      return [];
    case 'create-user':
      return [
        {
          line: '{0} {1} {0} as trainer',
          texts: { user_name: one, user_type: ['trainer'], first_name: [second], last_name: one },
        },
      ];
  }
  // The filter of some lists is parsed later, with its quotation marks.
  if (fields['filter']?.kind === 'text' && fields['filter'].isParsed) return [];
  if (command.endsWith(' list [filter]') && fields['name']) return [{ line: '{0}', texts: { name: one } }];
  if (name === 'all-results') return [{ line: '{0}', texts: { person: one } }];
  const [, , a, separator, b] = command.replace(/ …$/, '').split(' ');
  const nameOf = (placeholder: string) => placeholder.slice(1, -1);
  const isParsed = (placeholder: string) => placeholder === '[filter]' && fields['quiz'] !== undefined;
  if (a === undefined || name === 'show-audit') return [];
  if (separator === undefined || b === undefined || isParsed(b)) return [{ line: '{0}', texts: { [nameOf(a)]: one } }];
  const both = { line: `{0} ${separator} {1}`, texts: { [nameOf(a)]: one, [nameOf(b)]: [second] } };
  if (fields[nameOf(b)]?.kind !== 'assignees') return [both];
  return [
    both,
    {
      line: `{0} ${separator} {1}, {0};ravi {1}`,
      texts: { [nameOf(a)]: one, [nameOf(b)]: [second, first, 'ravi', second] },
    },
  ];
}

describe.each(pairs)('in %s', (marks) => {
  const [open = '', close = ''] = marks;
  const quoted = (line: string) =>
    line.replaceAll(/\{(\d)\}/g, (_, number: string) => `${open}${names[Number(number)]}${close}`);

  test.each(verbs)('$name', ({ command, operation, line, texts }) => {
    const read = parseCommandLine(catalog, command, quoted(line));
    expect(read).toMatchObject({ kind: 'operation', operation: { name: operation.name } });
    expect(read.kind === 'operation' && read.inputs[0]).toEqual(texts);
  });

  test('a reason', () => {
    const read = parseCommandLine(
      catalog,
      '/quiz',
      `delete ${open}Fire safety${close} --reason ${open}Replaced, gone${close}`,
    );
    expect(read.kind === 'operation' && read.inputs[0]).toEqual({ quiz: ['Fire safety'], reason: ['Replaced, gone'] });
  });

  test('a filter of results', () => {
    const read = parseCommandLine(
      catalog,
      '/quiz',
      `results Fire safety for failed ${open}since passed${close} since 2026-11-01`,
    );
    expect(read.kind === 'operation' && read.inputs[0]).toEqual({
      quiz: ['Fire safety'],
      outcome: ['failed'],
      period: ['since 2026-11-01'],
      person: ['since passed'],
    });
    const named = parseCommandLine(catalog, '/quiz', `results Fire safety for ${open}passed${close}`);
    expect(named.kind === 'operation' && named.inputs[0]).toEqual({ quiz: ['Fire safety'], person: ['passed'] });
  });
});
