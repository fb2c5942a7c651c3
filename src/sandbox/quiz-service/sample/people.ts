import type { UserRecord } from '../store/users.ts';

export type SamplePerson = Pick<UserRecord, 'user_name' | 'first_name' | 'last_name'> & Partial<UserRecord>;

const person = (name: string, details: Partial<UserRecord> = {}): SamplePerson => {
  const [first_name = '', ...rest] = name.split(' ');
  const last_name = rest.join(' ');
  return { user_name: `${first_name.toLowerCase()}@quiz.example`, first_name, last_name, ...details };
};

const trainer = (name: string, details: Partial<UserRecord>): SamplePerson =>
  person(name, { user_type: 'trainer', organization: 'Quiz Example Ltd', time_zone: 'Europe/London', ...details });

export const staff: SamplePerson[] = [
  person('Ada Okafor', {
    user_type: 'administrator',
    organization: 'Quiz Example Ltd',
    time_zone: 'Europe/London',
    notes: 'Owner of the account',
    manage_users: true,
    manage_groups: true,
    edit_quizzes: true,
  }),
  trainer('Tom Lindqvist', {
    manage_users: true,
    manage_groups: true,
    edit_quizzes: true,
    time_zone: 'Europe/Stockholm',
  }),
  trainer('Erin Castellanos', { edit_quizzes: true }),
  trainer('Uma Devi', { manage_users: true, time_zone: 'Asia/Kolkata' }),
  trainer('Gus Hartmann', { manage_groups: true, time_zone: 'Europe/Berlin' }),
  trainer('Nora Fields', {}),
  trainer('Sam Petrov', { edit_quizzes: true, suspended: true, notes: 'Left in spring' }),
];

export const respondents: SamplePerson[] = [
  person('Rosa Almeida', { organization: 'Kitchen', time_zone: 'Europe/Lisbon' }),
  person('Ravi Banerjee', { organization: 'Warehouse', time_zone: 'Asia/Kolkata' }),
  person('Aisha Rahman', { organization: 'Warehouse' }),
  person('Björn Ólafsson', {
    user_name: 'bjorn.olafsson@quiz.example',
    organization: 'Warehouse',
    time_zone: 'Atlantic/Reykjavik',
  }),
  person('Chiara Lombardi', { organization: 'Kitchen', time_zone: 'Europe/Rome' }),
  person('Chioma Eze', { organization: 'Front desk', time_zone: 'Africa/Lagos' }),
  person('Daniel O’Leary', { organization: 'Warehouse', time_zone: 'Europe/Dublin' }),
  person('Elif Yıldız', { organization: 'Kitchen', time_zone: 'Europe/Istanbul' }),
  person('Fatima Zahra Benali', {
    user_name: 'fatima@quiz.example',
    organization: 'Front desk',
    time_zone: 'Africa/Casablanca',
  }),
  person('Gabriel Nunes', { organization: 'Night shift', time_zone: 'America/Sao_Paulo' }),
  person('Hana Kobayashi', { organization: 'Front desk', time_zone: 'Asia/Tokyo' }),
  person('Ivan Horvat', { organization: 'Night shift', time_zone: 'Europe/Zagreb' }),
  person('Jamal Washington', { organization: 'Warehouse', time_zone: 'America/Chicago' }),
  person('Katarzyna Nowak', { organization: 'Kitchen', time_zone: 'Europe/Warsaw' }),
  person('Liam Nguyen', { organization: 'Night shift', time_zone: 'Australia/Sydney' }),
  person('Maya Goldberg', { organization: 'Front desk', time_zone: 'America/New_York' }),
  person('Noah van Dijk', {
    user_name: 'noah.vandijk@quiz.example',
    organization: 'Warehouse',
    time_zone: 'Europe/Amsterdam',
  }),
  person('Oksana Kovalenko', { organization: 'Kitchen', time_zone: 'Europe/Kyiv' }),
  person('Pedro Martínez', { organization: 'Night shift', time_zone: 'America/Mexico_City' }),
  person('Quynh Tran', { organization: 'Kitchen', time_zone: 'Asia/Ho_Chi_Minh', suspended: true }),
  person('Samuel Adeyemi', {
    user_name: 'sadeyemi',
    email_address: 'samuel.adeyemi@quiz.example',
    organization: 'Warehouse',
  }),
  person('Teresa Wójcik', { organization: 'Front desk', time_zone: 'Europe/Warsaw' }),
];

/** People who take quizzes by quiz link and have no user in the account. */
export const guests = [
  { first_name: 'Yusuf', last_name: 'Demir', email_address: 'yusuf.demir@agency.example' },
  { first_name: 'Zoe', last_name: 'Carter', email_address: 'zoe.carter@agency.example' },
  { first_name: 'Wei', last_name: 'Zhang', email_address: 'wei.zhang@partner.example' },
  { first_name: 'Vera', last_name: 'Ionescu', email_address: 'vera.ionescu@partner.example' },
  { first_name: '李', last_name: '娜', email_address: 'li.na@partner.example' },
] as const;

/** The groups. A group has the name of its department. */
export const sampleGroups: string[] = [...new Set(respondents.map(({ organization = '' }) => organization))];

/** Login names that belong to other accounts of the service. */
export const namesTakenElsewhere = ['taken@elsewhere.example', 'admin', 'trainer', 'info@elsewhere.example'];
