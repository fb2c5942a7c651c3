import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStartLine } from '../../../../src/features/campaigns/operations/start-campaign.ts';
import { quote } from '../../../../src/operations/typed-text.ts';
import { excuseFromCampaign } from '../../../../src/features/campaigns/operations/excuse-and-include.ts';
import { parseCommandLine } from '../../../support/parse-line.ts';

describe('the likeliest reading', () => {
  test.each([
    ['', {}],
    ['fire safety', { quiz: ['fire safety'] }],
    ['fire for Kitchen', { quiz: ['fire'], to: ['Kitchen'] }],
    [
      '"Fire safety" for channel:C1|kitchen, person:U1|zoe, Night Shift except Rosa due 15 dec 17:00 remind 7d, 1d, overdue 1d escalate 3d to person:U2|lead board channel:C2|training complete when passed',
      {
        quiz: ['Fire safety'],
        to: ['channel:C1|kitchen', 'person:U1|zoe', 'Night Shift'],
        except: ['Rosa'],
        due: ['15 dec 17:00'],
        remind: ['7d', '1d'],
        overdue: ['1d'],
        escalate: ['3d'],
        lead: ['person:U2|lead'],
        board: ['channel:C2|training'],
        complete: ['passed'],
      },
    ],
    ['allow stop signs for Kitchen', { quiz: ['allow stop signs'], to: ['Kitchen'] }],
    ['what we allow for Kitchen', { quiz: ['what we allow'], to: ['Kitchen'] }],
    [
      'fire for Kitchen say "Please do it, person:U1|zoe: due friday" remind 1d',
      { quiz: ['fire'], to: ['Kitchen'], say: ['Please do it, @zoe: due friday'], remind: ['1d'] },
    ],
    ['what to say for Kitchen', { quiz: ['what to say'], to: ['Kitchen'] }],
    ['fire for Kitchen due friday', { quiz: ['fire'], to: ['Kitchen'], due: ['friday'] }],
    [
      'due friday 8am for Kitchen, Bar remind none "Fire safety"',
      { quiz: ['Fire safety'], due: ['friday 8am'], to: ['Kitchen', 'Bar'], remind: ['none'] },
    ],
    ['rules for drivers for Kitchen', { quiz: ['rules for drivers'], to: ['Kitchen'] }],
    ['due diligence for board members', { quiz: ['due diligence'], to: ['board members'] }],
    ['fire for Kitchen board', { quiz: ['fire'], to: ['Kitchen'], board: ['here'] }],
    ['body language for Kitchen', { quiz: ['body language'], to: ['Kitchen'] }],
    ['fire for Kitchen board due friday', { quiz: ['fire'], to: ['Kitchen'], board: ['here'], due: ['friday'] }],
    [
      'fire for Kitchen escalate to Tom Lindqvist board here',
      { quiz: ['fire'], to: ['Kitchen'], lead: ['Tom Lindqvist'], board: ['here'] },
    ],
    [
      'fire for Kitchen escalate 2d to person:U1|ada, Tom Lindqvist and Uma board here',
      {
        quiz: ['fire'],
        to: ['Kitchen'],
        escalate: ['2d'],
        lead: ['person:U1|ada', 'Tom Lindqvist', 'Uma'],
        board: ['here'],
      },
    ],
    [
      'fire for Kitchen remind 2 weeks and 12 hours before overdue every 2 days',
      { quiz: ['fire'], to: ['Kitchen'], remind: ['2 weeks', '12 hours'], overdue: ['2 days'] },
    ],
    [
      'fire for Kitchen overdue daily escalate after 1w',
      { quiz: ['fire'], to: ['Kitchen'], overdue: ['1d'], escalate: ['1w'] },
    ],
    ['fire for “All due friday”, Bar due 1 dec', { quiz: ['fire'], to: ['All due friday', 'Bar'], due: ['1 dec'] }],
  ])('of “%s” is %j', (line, input) => {
    expect(parseStartLine(line)[0]).toEqual(input);
  });
});

test('a name with a word that begins a part is read as a name, too', () => {
  expect(parseStartLine('reports due friday for Kitchen')).toContainEqual({
    quiz: ['reports due friday'],
    to: ['Kitchen'],
  });
  expect(parseStartLine('fire for Friends for life')).toContainEqual({ quiz: ['fire'], to: ['Friends for life'] });
  expect(parseStartLine('fire for everyone except me')).toContainEqual({ quiz: ['fire'], to: ['everyone except me'] });
});

test('a long line has a bounded number of readings', () => {
  expect(parseStartLine('for x except y board due friday remind 1d '.repeat(200)).length).toBeLessThanOrEqual(20);
});

const name = fc
  .array(
    fc.constantFrom(
      'for',
      'except',
      'due',
      'friday',
      'remind',
      '1d',
      'board',
      'to',
      'Rosa',
      'Kitchen',
      'and',
      'complete',
      'passed',
      'here',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '));
const parts = fc.record({
  to: fc.array(name, { minLength: 1, maxLength: 4 }),
  except: fc.option(fc.array(name, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  due: fc.option(fc.constantFrom('15 dec 17:00', 'friday', 'in 2 weeks', '2026-12-15'), { nil: undefined }),
  remind: fc.option(fc.uniqueArray(fc.constantFrom('14d', '7d', '1d', '12h'), { minLength: 1 }), { nil: undefined }),
  overdue: fc.option(fc.constantFrom('1d', '12h', '1w'), { nil: undefined }),
  escalate: fc.option(fc.constantFrom('3d', '1w'), { nil: undefined }),
  lead: fc.option(name, { nil: undefined }),
  board: fc.option(fc.constantFrom('here', 'channel:C1|training'), { nil: undefined }),
  complete: fc.option(fc.constantFrom('passed', 'submitted'), { nil: undefined }),
});

test('quoted names and parts are read the same in any order', () => {
  fc.assert(
    fc.property(name, parts, fc.infiniteStream(fc.nat(100)), (quiz, chosen, order) => {
      const { to, except, due, remind, overdue, escalate, lead, board, complete } = chosen;
      const escalation =
        escalate === undefined && lead === undefined
          ? undefined
          : `escalate${escalate === undefined ? '' : ` ${escalate}`}${lead === undefined ? '' : ` to ${quote(lead)}`}`;
      const written = [
        quote(quiz),
        `for ${to.map((each) => quote(each)).join(', ')}`,
        ...(except ? [`except ${except.map((each) => quote(each)).join(' ')}`] : []),
        ...(due ? [`due ${due}`] : []),
        ...(remind ? [`remind ${remind.join(', ')}`] : []),
        ...(overdue ? [`overdue ${overdue}`] : []),
        ...(escalation ? [escalation] : []),
        ...(board ? [`board ${board}`] : []),
        ...(complete ? [`complete when ${complete}`] : []),
      ];
      const [first = '', ...others] = written;
      // The quiz comes first, or behind a part that takes no names.
      const shuffled = others
        .map((text) => ({ text, place: order.next().value ?? 0 }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ text }) => text);
      const behind = shuffled.findIndex((text) => /^(?:due|remind|overdue|board|complete)/.test(text));
      const line =
        behind !== -1 && (order.next().value ?? 0) % 2 === 0
          ? [...shuffled.slice(0, behind + 1), first, ...shuffled.slice(behind + 1)]
          : [first, ...shuffled];
      const given = {
        to,
        except,
        due: due && [due],
        remind,
        overdue: overdue && [overdue],
        escalate: escalate && [escalate],
        lead: lead === undefined ? undefined : [lead],
        board: board && [board],
        complete: complete && [complete],
      };
      expect(parseStartLine(line.join(' '))[0]).toEqual({
        quiz: [quiz],
        ...Object.fromEntries(Object.entries(given).filter(([, texts]) => texts !== undefined)),
      });
    }),
  );
});

test('any line has a reading, and 20 at most', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.string()), { maxLength: 30 }), (words) => {
      const readings = parseStartLine(words.join(' '));
      expect(readings.length).toBeGreaterThan(0);
      expect(readings.length).toBeLessThanOrEqual(20);
    }),
  );
});

describe('the line of an excuse', () => {
  function readingsOf(line: string) {
    const read = parseCommandLine([excuseFromCampaign], '/quiz-campaign', `excuse ${line}`);
    return read.kind === 'operation' ? read : { inputs: [], rescues: [] };
  }

  test.each([
    [
      'fire safety person:U1|rosa because on leave',
      { campaign: ['fire safety'], people: ['person:U1|rosa'], because: ['on leave'] },
    ],
    [
      'fire safety person:U1|rosa, Kim and Sam reason: parental leave',
      { campaign: ['fire safety'], people: ['person:U1|rosa', 'Kim', 'Sam'], because: ['parental leave'] },
    ],
    [
      '"Fire safety" Rosa Almeida because "on leave"',
      { campaign: ['Fire safety'], people: ['Rosa Almeida'], because: ['on leave'] },
    ],
    [
      'Rosa and Kim from fire safety because they left',
      { campaign: ['fire safety'], people: ['Rosa', 'Kim'], because: ['they left'] },
    ],
    ['fire rosa', { campaign: ['fire'], people: ['rosa'] }],
    ['fire', { campaign: ['fire'] }],
    ['', {}],
  ])('“%s” is first read as %j', (line, input) => {
    expect(readingsOf(line).inputs[0]).toEqual(input);
  });

  test('without a mark between them, the people can begin at any word', () => {
    expect(readingsOf('fire safety rosa because ill').inputs.filter(({ because }) => because)).toEqual([
      { campaign: ['fire safety'], people: ['rosa'], because: ['ill'] },
      { campaign: ['fire'], people: ['safety rosa'], because: ['ill'] },
      { campaign: ['rosa'], people: ['fire safety'], because: ['ill'] },
      { campaign: ['safety rosa'], people: ['fire'], because: ['ill'] },
    ]);
  });

  test('a long line has a bounded number of readings', () => {
    const { inputs, rescues } = readingsOf('from x '.repeat(1_000));
    expect(inputs.length + rescues.length).toBeLessThanOrEqual(20);
  });
});
