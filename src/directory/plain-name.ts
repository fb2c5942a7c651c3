/** Letters that Unicode does not take apart, and the signs that phones put in place of typed ones. */
const plainForms: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ħ: 'h', ŧ: 't', ς: 'σ',
  '‘': "'", '’': "'", ʼ: "'", '“': '"', '”': '"', '„': '"', '‐': '-', '–': '-', '—': '-', '−': '-',
};
const notPlain = new RegExp(`[${Object.keys(plainForms).join('')}]`, 'gu');

/**
 * Accents, Hebrew and Arabic vowel points, and marks nobody sees (direction, joining).
 * The vowel signs of Indic scripts and the voicing marks of Japanese tell words apart: they stay.
 */
const marks = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]|\p{Cf}/gv;

const isTypedPlainly = (name: string) => /^[!-~]*(?: [!-~]+)*$/.test(name);

/** The name as it is compared: lower case, without accents, white space folded. */
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
