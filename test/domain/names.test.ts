import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { named, say, isBlank } from '../../src/domain/said.ts';
import { commandEndings, standardNames } from '../../src/domain/own-names.ts';
import { createRename, createRender } from '../../src/words/render.ts';
import { respondentName, shortRespondentName, nameOrId } from '../../src/domain/record-names.ts';
import { fullName, publicName, recordName } from '../../src/directory/names.ts';
import { quizSchema, groupSchema } from '../../src/quiz-api/records.ts';
import { quizUser } from '../support/builders/users.ts';
import { foldAddress, isSameAddress, maskAddresses } from '../../src/domain/address.ts';
import {
  backfillQueue,
  channelQueue,
  digestQueue,
  inboxQueue,
  queuesOf,
  readQueue,
  sweepQueue,
} from '../../src/domain/queues.ts';
import { subscription } from '../support/builders/alerts.ts';

const exam = { commandPrefix: 'exam', botName: 'Examiner' };
const rename = createRename(exam);

/** What people call things, often like a command of the bot. */
const outsideText = fc
  .array(
    fc.oneof(
      fc.constantFrom('/quiz', '/quiz-user', '/quiz-', 'Invigilator', '@Invigilator', '/', 'quiz', ' ', '“', '”', 'a'),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const prefix = fc.stringMatching(/^[a-z0-9](?:[a-z0-9_-]{0,18}[a-z0-9])?$/);
const names = fc.record({
  commandPrefix: prefix,
  botName: fc.constantFrom('Examiner', 'Quiz Bot', '$& Invigilator 2'),
});

test('the endings are those of the commands in the catalog', () => {
  const commands = new Set(catalog.map(({ command }) => command.split(' ')[0]));
  expect(commands).toEqual(new Set(commandEndings.map((ending) => `/${standardNames.commandPrefix}${ending}`)));
});

describe('the names of the bot', () => {
  test.each([
    ['Type `/quiz list`, or /quiz-user find.', 'Type `/exam list`, or /exam-user find.'],
    ['/quiz', '/exam'],
    ['Invite me: /invite @Invigilator', 'Invite me: /invite @Examiner'],
    ['Invigilator’s doctor', 'Examiner’s doctor'],
    ['POST /webhooks/quiz, https://quiz.example/quiz, /quizzes, /quiz-other', undefined],
    ['InvigilatorError, invigilator', undefined],
  ])('are put into “%s”', (text, expected = text) => {
    expect(rename(text)).toBe(expected);
  });

  test('are not put into what came from outside', () => {
    fc.assert(
      fc.property(names, outsideText, outsideText, (own, before, after) => {
        const text = say`/quiz show says ${before} and “${after}” isn’t for Invigilator: ${named(before)}`;
        const { commandPrefix, botName } = own;
        const shown = before.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || 'Unnamed';
        expect(createRender(own)(text, 'label')).toBe(
          `/${commandPrefix} show says ${before} and “${after}” isn’t for ${botName}: ${shown}`,
        );
      }),
    );
  });

  test('change nothing where they are the standard ones', () => {
    fc.assert(
      fc.property(outsideText, (text) => {
        expect(createRename(standardNames)(text)).toBe(text);
      }),
    );
  });
});

const blanks = ['', ' ', '\n\t', '\u200b', '\u2068\u2069', '\u00a0', '\u3164', '\u00ad'];

test.each(blanks)('%j shows nothing, and what it names is called by its ID', (blank) => {
  expect(isBlank(blank)).toBe(true);
  expect(nameOrId('quiz', blank, 'q-1')).toBe('Unnamed quiz q-1');
  expect(nameOrId('field', blank)).toBe('Unnamed field');
  expect(quizSchema.parse({ quiz_id: 'q-1', name: blank })).toMatchObject({ name: 'Unnamed quiz q-1' });
  expect(groupSchema.parse({ group_id: 7, group_name: blank })).toEqual({
    group_id: '7',
    group_name: 'Unnamed group 7',
  });
  const user = quizUser({ user_id: 'u-1', first_name: blank, last_name: blank, user_name: blank });
  expect([publicName(user), recordName(user), fullName(user)]).toEqual(Array(3).fill('Unnamed user u-1'));
});

test.each(['A', '7', '.', '🎓', '日本', 'א', ' x '])('%j is a name', (name) => {
  expect(isBlank(name)).toBe(false);
  expect(nameOrId('quiz', name, 'q-1')).toBe(name);
});

test.each([{ quiz_id: 'q-1' }, { quiz_id: 'q-1', name: null }, { quiz_id: 'q-1', name: '<p>&nbsp;</p>' }])(
  'a quiz such as %j has a name',
  (quiz) => expect(quizSchema.parse(quiz).name).toBe('Unnamed quiz q-1'),
);

const fields = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

test.each<[string, [string, string], Readonly<Record<string, string>>, string]>([
  ['from the name fields', ['Rosa', 'Almeida'], { Name: 'Somebody else' }, 'Rosa Almeida'],
  ['from one name field', ['', 'Almeida'], {}, 'Almeida'],
  [
    'from the full name of the registration form',
    ['', ' '],
    { Department: 'Kitchen', 'Full name:': ' Rosa Almeida ' },
    'Rosa Almeida',
  ],
  [
    'from first and last name of the registration form',
    ['', ''],
    { 'Last Name': 'Almeida', 'First_Name*': 'Rosa' },
    'Rosa Almeida',
  ],
  ['from the labels of other languages', ['', ''], { Vorname: 'Jörg', Nachname: 'Weiß' }, 'Jörg Weiß'],
  ['from labels with accents', ['', ''], { Prénom: 'Zoé', 'Nom de famille': 'Petit' }, 'Zoé Petit'],
  ['not from other fields', ['', ''], { 'Company name': 'Quiz Ltd', 'User name': 'rosa' }, 'Guest'],
  ['never an address in a name field', ['rosa@quiz.example', ''], {}, 'Guest'],
  ['never an address in the registration form', ['', ''], { Name: 'rosa@quiz.example' }, 'Guest'],
  ['nothing', ['', ''], {}, 'Guest'],
])('the name of a respondent is read %s', (_, [first_name, last_name], registration, name) => {
  expect(respondentName({ first_name, last_name, registration_fields: fields(registration) })).toBe(name);
});

test('a name without a character that can be shown is a guest', () => {
  expect(shortRespondentName({ first_name: '\u202E', last_name: '\u0000' })).toBe('Guest');
});

test.each([
  ['Rosa@Quiz.Example', 'rosa@quiz.example', true],
  ['rosa@quiz.example', 'rosa@quiz.example ', false],
  ['eri\u212A@quiz.example', 'erik@quiz.example', false],
  ['I@quiz.example', 'i@quiz.example', true],
  ['\u0130@quiz.example', 'i@quiz.example', false],
  ['\uFF21da@quiz.example', 'ada@quiz.example', false],
  ['Ã@quiz.example', 'ã@quiz.example', false],
])('%s and %s are the same address: %s', (a, b, isSame) => {
  expect(isSameAddress(a, b)).toBe(isSame);
  expect(foldAddress(a) === foldAddress(b)).toBe(isSame);
});

test.each([
  ['rosa@quiz.example', 'r…@quiz.example'],
  ['for “rosa.almeida@quiz.example”, and <tom@quiz.example>.', 'for “r…@quiz.example”, and <t…@quiz.example>.'],
  ['a@b.example,c@d.example', 'a…@b…@d.example'],
  ['élan@quiz.example', 'é…@quiz.example'],
  ['@ada closed it @ noon', '@ada closed it @ noon'],
  ['no address', 'no address'],
])('%s becomes %s', (text, masked) => {
  expect(maskAddresses(text)).toBe(masked);
});

test('masks the texts of a value at any depth, and nothing else', () => {
  const value = {
    at: 1,
    isOpen: true,
    none: null,
    missing: undefined,
    list: [{ value: 'rosa@quiz.example' }],
    name: 'Rosa',
  };
  expect(maskAddresses(value)).toEqual({ ...value, list: [{ value: 'r…@quiz.example' }] });
});

test('leaves no address of more than one letter, wherever it stands', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.string(), fc.string(), (address, before, after) => {
      const [local = ''] = address.split('@');
      fc.pre(/^[\p{L}\p{N}]{2}/u.test(local));
      expect(maskAddresses(`${before} ${address} ${after}`)).not.toContain(`${local}@`);
      expect(maskAddresses(`${before}${address}${after}`)).not.toContain(`${local}@`);
    }),
  );
});

test('takes time in proportion to the length of the text', () => {
  const text = 'a'.repeat(1_000_000);
  expect(maskAddresses(`${text} ${text}@${text}`)).toBe(`${text} a…@${text}`);
});

test('queues keep the names under which they are stored', () => {
  expect([inboxQueue, backfillQueue, sweepQueue]).toEqual(['inbox', 'backfill', 'sweep']);
  expect(queuesOf(subscription())).toEqual(['channel/T1/C1']);
  expect(queuesOf(subscription({ delivery: { kind: 'digest', every: 'hour' } }))).toEqual([
    'channel/T1/C1',
    'digest/T1/s-1',
  ]);
});

test('a name says what the queue is for', () => {
  expect(readQueue(inboxQueue)).toEqual({ kind: 'inbox', teamId: '', id: '' });
  expect(readQueue(channelQueue('T1', 'C1'))).toEqual({ kind: 'channel', teamId: 'T1', id: 'C1' });
  expect(readQueue(digestQueue('T1', 's-1'))).toEqual({ kind: 'digest', teamId: 'T1', id: 's-1' });
});
