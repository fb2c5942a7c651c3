import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveText } from '../../../../src/sandbox/workspace/actor/conversations.ts';
import { escapeText } from '../../../../src/sandbox/workspace/messages.ts';
import { formatHash, parseHash } from '../../../../src/sandbox/workspace/page/ui.ts';
import { niceScale, type Row, sortRows } from '../../../../src/sandbox/workspace/page/block-kit/charts-and-tables.ts';
import { completionsFor, usageOf } from '../../../../src/sandbox/workspace/page/text/completions.ts';
import {
  formatDate,
  type Inline,
  parseInline,
  parseMrkdwn,
  unescapeText,
} from '../../../../src/sandbox/workspace/page/text/mrkdwn.ts';
import type { Channel } from '../../../../src/sandbox/workspace/model.ts';
import { channels, people, userGroups } from '../../../../src/sandbox/workspace/people.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

describe('mrkdwn', () => {
  const cases: [string, Inline[]][] = [
    ['plain &lt;words&gt; &amp; more', [text('plain <words> & more')]],
    [
      '*bold* and _italic_',
      [{ kind: 'bold', children: [text('bold')] }, text(' and '), { kind: 'italic', children: [text('italic')] }],
    ],
    [
      '*bold with _italic_ inside*',
      [
        {
          kind: 'bold',
          children: [text('bold with '), { kind: 'italic', children: [text('italic')] }, text(' inside')],
        },
      ],
    ],
    ['~gone~', [{ kind: 'strike', children: [text('gone')] }]],
    ['2*3*4 and snake_case_name', [text('2*3*4 and snake_case_name')]],
    ['`*not bold*`', [{ kind: 'code', text: '*not bold*' }]],
    [
      '<https://example.com?a=1&amp;b=2|*a* link>',
      [{ kind: 'link', url: 'https://example.com?a=1&b=2', text: '*a* link' }],
    ],
    [
      'see https://example.com/a.',
      [text('see '), { kind: 'link', url: 'https://example.com/a', text: 'https://example.com/a' }, text('.')],
    ],
    ['<@U00000ADA>', [{ kind: 'user', id: 'U00000ADA' }]],
    ['<!subteam^S0KITCHEN|@kitchen-team>', [{ kind: 'userGroup', id: 'S0KITCHEN', name: '@kitchen-team' }]],
    ['<#C0TRAINING|training>', [{ kind: 'channel', id: 'C0TRAINING', name: 'training' }]],
    ['<!channel>', [{ kind: 'broadcast', range: 'channel' }]],
    ['&lt;!channel&gt;', [text('<!channel>')]],
    ['<javascript:alert(1)|click>', [text('click')]],
    [
      '<!date^1793000000^{date_short}|then>',
      [{ kind: 'date', seconds: 1_793_000_000, format: '{date_short}', fallback: 'then' }],
    ],
    [':tada: 10:30:00', [{ kind: 'emoji', name: 'tada' }, text(' 10'), { kind: 'emoji', name: '30' }, text('00')]],
    [
      '*bold `code` bold*',
      [{ kind: 'bold', children: [text('bold '), { kind: 'code', text: 'code' }, text(' bold')] }],
    ],
  ];

  it.each(cases)('parses %s', (source, expected) => {
    expect(parseInline(source)).toEqual(expected);
  });

  it('links a bare URL, up to an escaped angle bracket', () => {
    expect(parseInline('&lt;https://x|y&gt; see https://quiz.example/a?b=1&amp;c=2.')).toEqual([
      text('<'),
      { kind: 'link', url: 'https://x|y', text: 'https://x|y' },
      text('> see '),
      { kind: 'link', url: 'https://quiz.example/a?b=1&c=2', text: 'https://quiz.example/a?b=1&c=2' },
      text('.'),
    ]);
  });

  it('leaves a bare URL in verbatim text alone, inside a style too', () => {
    expect(parseInline('*&lt;https://x|y&gt;*', true)).toEqual([{ kind: 'bold', children: [text('<https://x|y>')] }]);
  });

  it('separates quotes and code blocks from lines', () => {
    expect(parseMrkdwn('one\ntwo\n&gt; said\n>“again”\n```\n*code* &amp; all\n```\nend')).toEqual([
      { kind: 'lines', lines: [[text('one')], [text('two')]] },
      { kind: 'quote', lines: [[text('said')], [text('“again”')]] },
      { kind: 'preformatted', text: '*code* & all' },
      { kind: 'lines', lines: [[text('end')]] },
    ]);
  });
});

describe('any text', () => {
  const markup = fc
    .array(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          '<',
          '>',
          '&',
          '|',
          '*',
          '_',
          '~',
          '`',
          '!channel',
          '@U00000ADA',
          '#C0TRAINING',
          '!date^1^{date}',
        ),
      ),
    )
    .map((parts) => parts.join(''));

  const kindsOf = (inlines: readonly Inline[]): string[] =>
    inlines.flatMap((inline) => ('children' in inline ? [inline.kind, ...kindsOf(inline.children)] : [inline.kind]));

  it('escaped text never mentions anybody', () => {
    fc.assert(
      fc.property(markup, (words) => {
        const kinds = kindsOf(parseInline(escapeText(words)));
        expect(kinds.filter((kind) => ['user', 'channel', 'broadcast', 'date'].includes(kind))).toEqual([]);
      }),
    );
  });

  it('escaping is reversible', () => {
    fc.assert(
      fc.property(markup, (words) => {
        expect(unescapeText(escapeText(words))).toBe(words);
      }),
    );
  });

  it('a typed command contains only the angle brackets of people, channels, links and e-mail addresses', () => {
    fc.assert(
      fc.property(markup, (words) => {
        const left = resolveText(words, { people: [], channels: [], userGroups: [] }).replaceAll(
          /<(?:[@#][A-Z0-9]+(?:\|[^<>]*)?|https?:[^<>]+|mailto:[^<>]+)>/g,
          '',
        );
        expect(left).not.toMatch(/[<>]/);
      }),
    );
  });

  it('an id in lower case is not an id and is escaped', () => {
    expect(resolveText('<#a> <@U1> <#C1|x>', { people: [], channels: [], userGroups: [] })).toBe(
      '&lt;#a&gt; <@U1> <#C1|x>',
    );
  });

  it('any text parses as mrkdwn', () => {
    fc.assert(
      fc.property(markup, (words) => {
        expect(() => parseMrkdwn(words)).not.toThrow();
      }),
    );
  });
});

const at = (day: number, hour: number, minute: number): number =>
  new Date(2026, 10, day, hour, minute).getTime() / 1000;

describe('dates', () => {
  const noon = new Date(2026, 10, 20, 12);

  it.each([
    ['{date_short_pretty} at {time}', at(20, 9, 5), 'today at 9:05 AM'],
    ['{date_short_pretty}', at(19, 23, 0), 'yesterday'],
    ['{date_short_pretty}', at(2, 9, 5), 'Nov 2'],
    ['{date_short_pretty}', at(-300, 9, 5), 'Jan 4, 2026'],
    ['{date_long}', at(20, 9, 5), 'Friday, November 20'],
    ['{date_long_pretty}', at(2, 9, 5), 'Monday, November 2'],
    ['{nonsense}', at(20, 9, 5), '{nonsense}'],
  ])('%s', (format, seconds, expected) => {
    expect(
      formatDate(seconds, format, noon, {
        locale: 'en-US',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }).replaceAll('\u202F', ' '),
    ).toBe(expected);
  });
});

describe('completions', () => {
  const commands = [
    { command: '/quiz', usage_hint: 'list | show quiz', description: 'Quizzes' },
    { command: '/quiz-user', usage_hint: '', description: 'People' },
  ];

  const named = {
    commands,
    people: Object.values(people),
    userGroups: Object.values(userGroups),
    channels: Object.values<Channel>(channels),
  };
  const offered = (typed: string) => completionsFor(typed, named).map(({ draft }) => draft);

  it('offer commands while their name is typed', () => {
    expect(offered('/qu')).toEqual(['/quiz ', '/quiz-user ']);
    expect(offered('/quiz list')).toEqual([]);
  });

  it('offer people and enabled user groups after @, by handle and by name', () => {
    expect(offered('/quiz-user show @ro')).toEqual(['/quiz-user show @rosa ']);
    expect(offered('assign food to @kitchen')).toEqual(['assign food to @kitchen-team ']);
    expect(offered('assign food to @winter')).toEqual([]);
    expect(offered('mail me at a@b')).toEqual([]);
  });

  it('offer channels after #, apart from archived ones', () => {
    expect(offered('assign food to #tr')).toEqual(['assign food to #training ', 'assign food to #training-leads ']);
    expect(offered('in #old')).toEqual([]);
  });

  it('offer nothing once a whole name is typed, so that Enter sends', () => {
    expect(offered('assign food to @rosa')).toEqual([]);
    expect(offered('assign food to #training')).toEqual([]);
  });

  it('show the usage of a complete command', () => {
    expect(usageOf('/quiz ', commands)?.usage_hint).toBe('list | show quiz');
    expect(usageOf('/quiz', commands)).toBeUndefined();
  });
});

const number = (value: number) => ({ type: 'raw_number' as const, value, text: `${value}%` });
const word = (words: string) => ({ type: 'raw_text' as const, text: words });
const namesOf = (rows: readonly Row[]): string[] => rows.map((row) => row[0]?.text ?? '');

describe('data tables', () => {
  const rows = [
    [word('Rosa'), number(9)],
    [word('ada'), number(100)],
    [word('Émile'), number(58)],
  ];

  it('sort words alphabetically and numbers by size, in both directions', () => {
    expect(namesOf(sortRows(rows, { column: 0, isDescending: false }))).toEqual(['ada', 'Émile', 'Rosa']);
    expect(namesOf(sortRows(rows, { column: 1, isDescending: true }))).toEqual(['ada', 'Émile', 'Rosa']);
    expect(namesOf(sortRows(rows, { column: -1, isDescending: false }))).toEqual(['Rosa', 'ada', 'Émile']);
  });
});

describe('chart scales', () => {
  it.each([
    [
      [3, 8, 19, 30],
      [0, 10, 20, 30],
    ],
    [
      [0.2, 0.9],
      [0, 0.25, 0.5, 0.75, 1],
    ],
    [
      [-5, 5],
      [-5, 0, 5],
    ],
    [
      [1, 2],
      [0, 1, 2],
    ],
    [
      [3, 9],
      [0, 5, 10],
    ],
    [
      [80, 100],
      [0, 25, 50, 75, 100],
    ],
    [
      [0, 0],
      [0, 1],
    ],
  ])('cover %j with round ticks', (values, ticks) => {
    expect(niceScale(values).ticks).toEqual(ticks);
  });
});

it('the hash contains person and route, in any order', () => {
  expect(parseHash(formatHash('U00000TOM', { kind: 'channel', id: 'C0TRAINING' }))).toEqual({
    person: 'U00000TOM',
    route: { kind: 'channel', id: 'C0TRAINING' },
  });
  expect(parseHash('#/home')).toEqual({ route: { kind: 'home' } });
  expect(parseHash('')).toEqual({});
});
