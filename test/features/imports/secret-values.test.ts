import { expect, test } from 'vitest';
import { areMostlyPasswords, looksLikePassword } from '../../../src/features/imports/columns.ts';
import { isSecretTitle } from '../../../src/features/imports/titles.ts';

test.each([
  'Secret-1!',
  'Summer2026!',
  'Xk29fLq8',
  'hunter2#Hunter',
  'pa$$w0rdX',
  'Tr0ub4dor&3',
  'XzxLSTBDxDSfzAGR',
  'vB7kQ2mZr9TfWc4H',
])('“%s” looks like a password', (text) => {
  expect(looksLikePassword(text)).toBe(true);
});

test.each([
  'Meier',
  'anna@quiz.example',
  '01.12.2026',
  '2026-12-01T08:00:00Z',
  '+49-170-1234567',
  'Bahnhofstr.12',
  'Bahnhofstraße 12',
  'KST-4711',
  'DE89370400440532013000',
  'RSSGLI90A41H501X',
  '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  'https://quiz.example/Anna1?x=Y2',
  'McDonald',
  'DeLaCruzGarcia',
  'iPhoneXSMax',
  'Müller-Lüdenscheidt',
  'Full-Time',
  'ameier01',
  '',
])('“%s” does not', (text) => {
  expect(looksLikePassword(text)).toBe(false);
});

test('a column is one of passwords where most of its cells could be', () => {
  expect(areMostlyPasswords(['Sommer2026', 'Winter2026', ''])).toBe(true);
  expect(areMostlyPasswords(['Sommer2026', 'Küche', 'Lager'])).toBe(false);
  expect(areMostlyPasswords(['', ''])).toBe(false);
});

test.each([
  'Password',
  'Initial password',
  'initialPassword',
  'Passwort',
  'Startpasswort',
  'Kennwort',
  'Mot de passe',
  'MDP',
  'Contraseña',
  'Clave',
  'Wachtwoord',
  'Parola d’ordine',
  'Senha',
  'Palavra-passe',
  'Hasło',
  'PIN',
  'Password [Required]',
  'API key',
])('a column “%s” is dropped', (title) => {
  expect(isSecretTitle(title)).toBe(true);
});

test.each(['Pinneberg', 'Name', 'Spinner', 'Passfoto', 'Secretary', 'E-Mail'])('a column “%s” is not', (title) => {
  expect(isSecretTitle(title)).toBe(false);
});
