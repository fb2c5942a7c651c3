import type { User } from '../quiz-api/users.ts';

/** The name of a user that people read: the full name, or the login name if there is none. */
export function fullName(user: Pick<User, 'first_name' | 'last_name' | 'user_name'>): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.user_name;
}

/** Letters that Unicode does not decompose, and the punctuation that phones substitute for typed one. */
const plainForms: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ħ: 'h', ŧ: 't', ς: 'σ',
  '‘': "'", '’': "'", ʼ: "'", '“': '"', '”': '"', '„': '"', '‐': '-', '–': '-', '—': '-', '−': '-',
};
const notPlain = new RegExp(`[${Object.keys(plainForms).join('')}]`, 'gu');

/**
 * Accents, Hebrew and Arabic vowel points, and invisible characters (direction, joining). The vowel signs of Indic scripts
 * and the voicing marks of Japanese distinguish words, so they stay.
 */
const marks = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]|\p{Cf}/gv;

const isTypedPlainly = (name: string) => /^[!-~]*(?: [!-~]+)*$/.test(name);

/** A name in the form in which names are compared: lower case, without accents, with single spaces. */
export function plainName(name: string): string {
  if (isTypedPlainly(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(notPlain, (letter) => plainForms[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
