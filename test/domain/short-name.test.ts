import { expect, test } from 'vitest';
import { respondentName, shortRespondentName } from '../../src/domain/short-name.ts';

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
