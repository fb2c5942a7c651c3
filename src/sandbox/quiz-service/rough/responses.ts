import {
  asNumber,
  asText,
  becomes,
  becomesNull,
  becomesYearOne,
  inField,
  inRecord,
  inSample,
  isMissing,
  isoOddities,
  withTail,
} from './changes.ts';
import { type Fields, isFields, type RecordOddity } from './oddity.ts';
import { numericUserId } from './users.ts';

const values: RecordOddity[] = [
  inField('response', 'status', becomes('in_review', 'unknown', 'a fourth value, `in_review`')),
  inField(
    'response',
    'publish_type',
    becomes('website_embed', 'unknown', 'a value that the specification does not name, `website_embed`'),
  ),
  ...isoOddities('response', 'date_submitted'),
  inField('response', 'date_submitted', becomesYearOne, {
    what: '`"0001-01-01 00:00:00"` until the submission',
    fits: (response) => !isSubmitted(response),
    sample: { status: 'not_submitted' },
  }),
  inField('response', 'pass', becomesNull),
  inField('response', 'pass', asText),
  inField('response', 'pass', isMissing),
  inField('response', 'points', asText),
  inField('response', 'points', becomes(0.1 + 0.2, 'tail'), { fits: isSubmitted }),
  inField('response', 'available_points', asText),
  inField('response', 'percentage_score', asText),
  inField('response', 'percentage_score', withTail, { fits: isSubmitted }),
  inField('response', 'percentage_score', becomesNull),
  inField('response', 'grade', becomes(2, 'number', 'a number, `2`')),
  inField('response', 'grade', becomesNull),
  inField('response', 'duration', asText),
  inField('response', 'duration', isMissing),
  inField('response', 'attempt', asText),
  inField('response', 'attempt', isMissing),
  inField('response', 'access_code', becomes(2026, 'number', 'a number, `2026`')),
  inField('response', 'ip_address', becomesNull),
  inField('response', 'certificate_url', becomesNull),
  inField('response', 'response_report_url', isMissing),
];

const registrationFields: RecordOddity[] = [
  inField('response', 'registration_fields', becomes({}, 'empty-object')),
  inField('response', 'registration_fields', becomesNull),
  inField(
    'response',
    'registration_fields',
    becomes({ Department: 'Kitchen' }, 'by-name', 'an object of values by name'),
  ),
  inField(
    'response',
    'registration_fields',
    becomes([{ name: 'Employee number', value: 10_234 }], 'numbers', 'with a number as `value`'),
  ),
  inField(
    'response',
    'registration_fields',
    becomes([{ name: 'Department', value: ['Kitchen', 'Bar'] }], 'arrays', 'with an array as `value`'),
  ),
];

const people: RecordOddity[] = [
  inField('response', 'user_id', asNumber, { reach: 'all', sample: { user_id: numericUserId } }),
  inRecord('response', {
    name: 'names-null',
    what: '`first_name` and `last_name` are `null`',
    change: (response) => ({ ...response, first_name: null, last_name: null }),
    shows: (response) => isFields(response) && response['first_name'] === null && response['last_name'] === null,
  }),
  inRecord('response', {
    name: 'name-in-registration-fields',
    what: 'the names are empty, and `registration_fields` has the full name',
    fits: isGuest,
    change: (response) => ({
      ...response,
      first_name: '',
      last_name: '',
      registration_fields: [
        { name: 'Full name', value: `${String(response['first_name'])} ${String(response['last_name'])}`.trim() },
      ],
    }),
    shows: (response) =>
      isFields(response) &&
      response['first_name'] === '' &&
      JSON.stringify(response['registration_fields']).includes('"Full name"'),
  }),
  inRecord('response', {
    name: 'guest-without-address',
    what: 'a guest with a first name only: no `last_name`, no `email_address`',
    fits: isGuest,
    change: (response) => ({ ...response, last_name: '', email_address: '' }),
    shows: isNamelessGuest,
  }),
  inRecord('response', {
    name: 'guests-of-the-same-name',
    what: 'different guests with the same first name, without an address',
    reach: 'sample',
    change: (response) => response,
    shows: (response) => isNamelessGuest(response) && response['first_name'] === 'Alex',
  }),
  inRecord('response', {
    name: 'guest-address-as-typed',
    what: '`email_address` of a guest in capitals, with blanks around it',
    fits: isGuest,
    change: (response) => ({ ...response, email_address: ` ${String(response['email_address']).toUpperCase()} ` }),
    shows: (response) => isFields(response) && /^ [^a-z]* $/.test(String(response['email_address'])),
  }),
];

const ungraded: RecordOddity[] = [
  inRecord('response', {
    name: 'survey',
    what: 'submitted, of a survey: no available points, no grade, `pass` is false',
    reach: 'sample',
    change: (response) => response,
    shows: (response) =>
      isFields(response) &&
      isSubmitted(response) &&
      response['available_points'] === 0 &&
      response['grade'] === '' &&
      response['pass'] === false,
  }),
  inRecord('response', {
    name: 'unmarked-essay',
    what: 'submitted, but not marked yet: 0 points, no grade, `pass` is false',
    reach: 'sample',
    change: (response) => response,
    shows: (response) =>
      isFields(response) &&
      isSubmitted(response) &&
      Number(response['available_points']) > 0 &&
      response['points'] === 0 &&
      response['grade'] === '',
  }),
  inSample('response', 'quiz_name', {
    name: 'response-quiz-name-html',
    what: 'HTML: `<p>`, `<strong>`, `&nbsp;`',
    shows: (name) => typeof name === 'string' && /<p>.*&nbsp;/.test(name),
  }),
];

const unreadable: RecordOddity[] = [
  inRecord('response', {
    name: 'fields-missing',
    what: 'all fields but `quiz_id`, `response_id` and `status` are missing',
    change: ({ quiz_id, response_id, status }) => ({ quiz_id, response_id, status }),
    shows: (response) => isFields(response) && Object.keys(response).length === 3,
  }),
  inRecord('response', {
    name: 'with-unknown-fields',
    what: 'with fields that nobody announced',
    change: (response) => ({ ...response, tags: ['vip'], custom: { score_band: 3 } }),
    shows: (response) => isFields(response) && 'custom' in response,
  }),
  inField('response', 'response_id', isMissing),
  inRecord('response', {
    name: 'null',
    what: '`null` instead of the record',
    change: () => null,
    shows: (response) => response === null,
  }),
];

export const responseOddities = [...values, ...registrationFields, ...people, ...ungraded, ...unreadable];

function isSubmitted(response: Fields): boolean {
  return response['status'] === 'submitted';
}

function isGuest(response: Fields): boolean {
  return response['user_id'] === null;
}

function isNamelessGuest(response: unknown): response is Fields {
  return isFields(response) && isGuest(response) && response['email_address'] === '' && response['last_name'] === '';
}
