import {
  asNumber,
  asText,
  becomes,
  becomesNull,
  becomesYearOne,
  dateChanges,
  type Fields,
  inFields,
  inRecord,
  inSample,
  isFields,
  isMissing,
  isoChanges,
  type RecordOddity,
  type Resource,
  withTail,
} from './changes.ts';

const isNull = (resource: Resource): RecordOddity =>
  inRecord(resource, {
    name: 'null',
    what: '`null` instead of the record',
    change: () => null,
    shows: (record) => record === null,
  });

const hasNoNames = (resource: Resource): RecordOddity =>
  inRecord(resource, {
    name: 'names-null',
    what: '`first_name` and `last_name` are `null`',
    change: (record) => ({ ...record, first_name: null, last_name: null }),
    shows: (record) => isFields(record) && record['first_name'] === null && record['last_name'] === null,
  });

const hasOnly = (resource: Resource, ...fields: readonly [string, string, string]): RecordOddity =>
  inRecord(resource, {
    name: 'fields-missing',
    what: `all fields but \`${fields[0]}\`, \`${fields[1]}\` and \`${fields[2]}\` are missing`,
    change: (record) => Object.fromEntries(fields.map((field) => [field, record[field]])),
    shows: (record) => isFields(record) && Object.keys(record).length === fields.length,
  });

/** An oddity of a text that the sample data have. */
const inText = (resource: Resource, field: string, name: string, what: string, pattern: RegExp): RecordOddity =>
  inSample(resource, field, {
    name: `${resource}-${name}`,
    what,
    shows: (value) => typeof value === 'string' && pattern.test(value),
  });

export const quizOddities: RecordOddity[] = [
  ...inFields('quiz', {
    status: [becomes('archived', 'unknown', 'a fourth value, `archived`'), isMissing],
    date_created: [...dateChanges, isMissing],
    name: [becomesNull, [asNumber, { reach: 'all', sample: { name: '2024' } }]],
  }),
  inText('quiz', 'name', 'name-html', 'HTML: `<p>`, `<strong>`, `&nbsp;`', /<p>.*&nbsp;/),
  ...inFields('quiz', { quiz_id: [isMissing] }),
  isNull('quiz'),
];

const texts: RecordOddity[] = [
  inText('question', 'text', 'text-html', 'HTML: `<p>`, `<strong>`', /^<p>.*<strong>/),
  inText('question', 'text', 'text-nbsp', 'HTML entities: `&nbsp;`', /&nbsp;/),
  inText('question', 'text', 'text-image', 'an image, `<img src="…" alt="…">`', /<img /),
  inText('question', 'text', 'text-formula', 'a formula, `<math>` or TeX', /<math|\\\(/),
  inText('option', 'text', 'text-html', 'HTML: `<p>`, `<strong>`, `&nbsp;`', /<p>|<strong>/),
  inText('option', 'text', 'text-image', 'an image without `alt`', /<img /),
  inText('option', 'text', 'text-formula', 'a formula', /<math|\\\(/),
];

export const questionOddities: RecordOddity[] = [
  ...texts,
  ...inFields('question', {
    type: [becomes('matching', 'unknown', 'a value that the specification does not name, `matching`')],
    points_scored: [asText, withTail, becomesNull],
    points_available: [asText],
    use_option_points: [asText],
    options: [becomesNull],
    categories: [becomes({}, 'object')],
    files: [isMissing],
    text: [becomesNull],
  }),
  ...inFields('option', {
    selected: [asText],
    correct: [becomesNull],
    text: [becomesNull],
    answer: [isMissing],
    option_points_available: [asText],
  }),
];

/** The id of the sample user that is sent as a number. */
export const numericUserId = '700401';

const trainer = { user_type: 'trainer', manage_users: true, manage_groups: true, edit_quizzes: true };

const userFields: RecordOddity[] = [
  ...inFields('user', {
    user_type: [becomes('account_owner', 'unknown', 'a fourth value, `account_owner`')],
    date_created: dateChanges,
    user_id: [[asNumber, { reach: 'all', sample: { user_id: numericUserId } }]],
    user_name: [[asNumber, { reach: 'all', sample: { user_name: '20417' } }], becomesNull],
  }),
  hasNoNames('user'),
  ...inFields('user', {
    email_address: [becomesNull],
    organization: [becomes(4711, 'number', 'a number, `4711`')],
    suspended: [asText],
    manage_users: [[asText, { fits: isStaff, sample: trainer }]],
    edit_quizzes: [[becomesNull, { fits: isStaff, sample: trainer }]],
    quizzes: [becomesNull],
  }),
  hasOnly('user', 'user_id', 'user_name', 'user_type'),
];

const unreadableUsers: RecordOddity[] = [
  ...inFields('user', { user_id: [isMissing] }),
  isNull('user'),
  inRecord('user', {
    name: 'id-only',
    what: 'the `user_id` instead of the record',
    change: (user) => user['user_id'],
    shows: (user) => typeof user === 'string',
  }),
];

/** The item shapes that the specification leaves open. */
const itemShapes = [
  {
    name: 'ids',
    what: 'ids',
    item: (id: unknown) => id,
    shows: (item: unknown) => typeof item === 'string' && isId(item),
  },
  {
    name: 'names',
    what: 'names',
    item: (_: unknown, name: unknown) => name,
    shows: (item: unknown) => typeof item === 'string' && !isId(item),
  },
  {
    name: 'id-objects',
    what: 'objects with `id`',
    item: (id: unknown) => ({ id }),
    shows: (item: unknown) => isFields(item) && typeof item['id'] === 'string',
  },
  {
    name: 'unreadable',
    what: 'objects without an id, `{"ref": 7}`',
    item: () => ({ ref: 7 }),
    shows: (item: unknown) => isFields(item) && item['ref'] === 7,
  },
];

const itemFields = [
  { field: 'groups', idField: 'group_id', nameField: 'group_name', sample: {} },
  { field: 'trainerquizzes', idField: 'quiz_id', nameField: 'name', sample: trainer },
  { field: 'trainergroups', idField: 'group_id', nameField: 'group_name', sample: trainer },
];

const userItems: RecordOddity[] = itemFields.flatMap(({ field, idField, nameField, sample }) => {
  const changes = itemShapes.map(({ name, what, item, shows }) => ({
    name,
    what,
    apply: (items: unknown) => itemsIn(items).map((fields) => item(fields[idField], fields[nameField])),
    shows: (items: unknown) => Array.isArray(items) && items.length > 0 && items.every(shows),
  }));
  const fits = (user: Fields) => itemsIn(user[field]).length > 0;
  return inFields('user', { [field]: changes.map((change) => [change, { source: 'open', fits, sample }] as const) });
});

const assignedQuizzes: RecordOddity[] = [
  ...inFields('assigned_quiz', {
    date_assigned: [becomesNull, becomesYearOne],
    name: [becomesNull],
    quiz_id: [isMissing],
  }),
  inSample('user', 'quizzes', {
    name: 'user-quizzes-by-group-only',
    what: 'empty, although a group of the user has quizzes',
    source: 'seen',
    shows: (quizzes, user) => isEmpty(quizzes) && !isStaff(user) && itemsIn(user['groups']).length > 0,
  }),
];

export const userOddities = [...userFields, ...unreadableUsers, ...userItems, ...assignedQuizzes];

export const groupOddities: RecordOddity[] = [
  ...inFields('group', {
    group_name: [becomesNull, [asNumber, { reach: 'all', sample: { group_name: '2026' } }]],
    group_id: [isMissing],
  }),
  isNull('group'),
];

function isStaff(user: Fields): boolean {
  return user['user_type'] !== 'respondent';
}

function itemsIn(items: unknown): Fields[] {
  return Array.isArray(items) ? items.filter(isFields) : [];
}

function isEmpty(items: unknown): boolean {
  return Array.isArray(items) && items.length === 0;
}

function isId(text: string): boolean {
  return /^[\da-f-]{36}$/.test(text);
}

const values = inFields('response', {
  status: [becomes('in_review', 'unknown', 'a fourth value, `in_review`')],
  publish_type: [becomes('website_embed', 'unknown', 'a value that the specification does not name, `website_embed`')],
  date_submitted: [
    ...isoChanges,
    [
      becomesYearOne,
      {
        what: '`"0001-01-01 00:00:00"` until the submission',
        fits: (response) => !isSubmitted(response),
        sample: { status: 'not_submitted' },
      },
    ],
  ],
  pass: [becomesNull, asText, isMissing],
  points: [asText, [becomes(0.1 + 0.2, 'tail'), { fits: isSubmitted }]],
  available_points: [asText],
  percentage_score: [asText, [withTail, { fits: isSubmitted }], becomesNull],
  grade: [becomes(2, 'number', 'a number, `2`'), becomesNull],
  duration: [asText, isMissing],
  attempt: [asText, isMissing],
  access_code: [becomes(2026, 'number', 'a number, `2026`')],
  ip_address: [becomesNull],
  certificate_url: [becomesNull],
  response_report_url: [isMissing],
  registration_fields: [
    becomes({}, 'empty-object'),
    becomesNull,
    becomes({ Department: 'Kitchen' }, 'by-name', 'an object of values by name'),
    becomes([{ name: 'Employee number', value: 10_234 }], 'numbers', 'with a number as `value`'),
    becomes([{ name: 'Department', value: ['Kitchen', 'Bar'] }], 'arrays', 'with an array as `value`'),
  ],
  user_id: [[asNumber, { reach: 'all', sample: { user_id: numericUserId } }]],
});

const people: RecordOddity[] = [
  hasNoNames('response'),
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
  inText('response', 'quiz_name', 'quiz-name-html', 'HTML: `<p>`, `<strong>`, `&nbsp;`', /<p>.*&nbsp;/),
];

const unreadable: RecordOddity[] = [
  hasOnly('response', 'quiz_id', 'response_id', 'status'),
  inRecord('response', {
    name: 'with-unknown-fields',
    what: 'with fields that nobody announced',
    change: (response) => ({ ...response, tags: ['vip'], custom: { score_band: 3 } }),
    shows: (response) => isFields(response) && 'custom' in response,
  }),
  ...inFields('response', { response_id: [isMissing] }),
  isNull('response'),
];

export const responseOddities = [...values, ...people, ...ungraded, ...unreadable];

function isSubmitted(response: Fields): boolean {
  return response['status'] === 'submitted';
}

function isGuest(response: Fields): boolean {
  return response['user_id'] === null;
}

function isNamelessGuest(response: unknown): response is Fields {
  return isFields(response) && isGuest(response) && response['email_address'] === '' && response['last_name'] === '';
}
