import { expect, test } from 'vitest';
import { respondentName, shortRespondentName, nameOrId } from '../../src/domain/record-names.ts';
import { isBlank } from '../../src/domain/said.ts';
import { fullName, publicName, recordName } from '../../src/directory/names.ts';
import { quizSchema, groupSchema } from '../../src/quiz-api/records.ts';
import { quizUser } from '../support/builders/users.ts';

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
