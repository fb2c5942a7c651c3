import {
  asNumber,
  asText,
  becomes,
  becomesNull,
  dateOddities,
  inField,
  inRecord,
  inSample,
  isMissing,
  withTail,
} from './changes.ts';
import type { RecordOddity } from './oddity.ts';

export const quizOddities: RecordOddity[] = [
  inField('quiz', 'status', becomes('archived', 'unknown', 'a fourth value, `archived`')),
  inField('quiz', 'status', isMissing),
  ...dateOddities('quiz', 'date_created'),
  inField('quiz', 'date_created', isMissing),
  inField('quiz', 'name', becomesNull),
  inField('quiz', 'name', asNumber, { reach: 'all', sample: { name: '2024' } }),
  inSample('quiz', 'name', {
    name: 'quiz-name-html',
    what: 'HTML: `<p>`, `<strong>`, `&nbsp;`',
    shows: has(/<p>.*&nbsp;/),
  }),
  inField('quiz', 'quiz_id', isMissing),
  inRecord('quiz', {
    name: 'null',
    what: '`null` instead of the record',
    change: () => null,
    shows: (quiz) => quiz === null,
  }),
];

const texts: RecordOddity[] = [
  inSample('question', 'text', {
    name: 'question-text-html',
    what: 'HTML: `<p>`, `<strong>`',
    shows: has(/^<p>.*<strong>/),
  }),
  inSample('question', 'text', { name: 'question-text-nbsp', what: 'HTML entities: `&nbsp;`', shows: has(/&nbsp;/) }),
  inSample('question', 'text', {
    name: 'question-text-image',
    what: 'an image, `<img src="…" alt="…">`',
    shows: has(/<img /),
  }),
  inSample('question', 'text', {
    name: 'question-text-formula',
    what: 'a formula, `<math>` or TeX',
    shows: has(/<math|\\\(/),
  }),
  inSample('option', 'text', {
    name: 'option-text-html',
    what: 'HTML: `<p>`, `<strong>`, `&nbsp;`',
    shows: has(/<p>|<strong>/),
  }),
  inSample('option', 'text', { name: 'option-text-image', what: 'an image without `alt`', shows: has(/<img /) }),
  inSample('option', 'text', { name: 'option-text-formula', what: 'a formula', shows: has(/<math|\\\(/) }),
];

export const questionOddities: RecordOddity[] = [
  ...texts,
  inField(
    'question',
    'type',
    becomes('matching', 'unknown', 'a value that the specification does not name, `matching`'),
  ),
  inField('question', 'points_scored', asText),
  inField('question', 'points_scored', withTail),
  inField('question', 'points_scored', becomesNull),
  inField('question', 'points_available', asText),
  inField('question', 'use_option_points', asText),
  inField('question', 'options', becomesNull),
  inField('question', 'categories', becomes({}, 'object')),
  inField('question', 'files', isMissing),
  inField('question', 'text', becomesNull),
  inField('option', 'selected', asText),
  inField('option', 'correct', becomesNull),
  inField('option', 'text', becomesNull),
  inField('option', 'answer', isMissing),
  inField('option', 'option_points_available', asText),
];

function has(pattern: RegExp) {
  return (value: unknown) => typeof value === 'string' && pattern.test(value);
}
