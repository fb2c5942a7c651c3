import { type Database, formatDate } from '../database.ts';
import { addGroup, assign, addQuiz, defaultSettings } from '../store/quizzes.ts';
import { addQuestion, listQuestions } from '../store/questions.ts';
import { addNameTakenElsewhere, addUser, blankUser, type UserRecord } from '../store/users.ts';
import type { Question } from '../taking/scoring.ts';
import { addSampleAttempt, beginAttempt, type Filling, registerAttempt } from './attempts.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { type SampleQuestion, type SampleQuiz, sampleQuizzes } from './quizzes.ts';

type SamplePerson = Pick<UserRecord, 'user_name' | 'first_name' | 'last_name'> & Partial<UserRecord>;

const named = (name: string, details: Partial<UserRecord> = {}): SamplePerson => {
  const [first_name = '', ...rest] = name.split(' ');
  const last_name = rest.join(' ');
  return { user_name: `${first_name.toLowerCase()}@quiz.example`, first_name, last_name, ...details };
};

const trainer = (name: string, details: Partial<UserRecord>): SamplePerson =>
  named(name, { user_type: 'trainer', organization: 'Quiz Example Ltd', time_zone: 'Europe/London', ...details });

export const staff: SamplePerson[] = [
  named('Ada Okafor', {
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

const respondent = (
  name: string,
  organization: string,
  time_zone = 'UTC',
  details: Partial<UserRecord> = {},
): SamplePerson => named(name, { organization, time_zone, ...details });

export const respondents: SamplePerson[] = [
  respondent('Rosa Almeida', 'Kitchen', 'Europe/Lisbon'),
  respondent('Ravi Banerjee', 'Warehouse', 'Asia/Kolkata'),
  respondent('Aisha Rahman', 'Warehouse'),
  respondent('Björn Ólafsson', 'Warehouse', 'Atlantic/Reykjavik', { user_name: 'bjorn.olafsson@quiz.example' }),
  respondent('Chiara Lombardi', 'Kitchen', 'Europe/Rome'),
  respondent('Chioma Eze', 'Front desk', 'Africa/Lagos'),
  respondent('Daniel O’Leary', 'Warehouse', 'Europe/Dublin'),
  respondent('Elif Yıldız', 'Kitchen', 'Europe/Istanbul'),
  respondent('Fatima Zahra Benali', 'Front desk', 'Africa/Casablanca', { user_name: 'fatima@quiz.example' }),
  respondent('Gabriel Nunes', 'Night shift', 'America/Sao_Paulo'),
  respondent('Hana Kobayashi', 'Front desk', 'Asia/Tokyo'),
  respondent('Ivan Horvat', 'Night shift', 'Europe/Zagreb'),
  respondent('Jamal Washington', 'Warehouse', 'America/Chicago'),
  respondent('Katarzyna Nowak', 'Kitchen', 'Europe/Warsaw'),
  respondent('Liam Nguyen', 'Night shift', 'Australia/Sydney'),
  respondent('Maya Goldberg', 'Front desk', 'America/New_York'),
  respondent('Noah van Dijk', 'Warehouse', 'Europe/Amsterdam', { user_name: 'noah.vandijk@quiz.example' }),
  respondent('Oksana Kovalenko', 'Kitchen', 'Europe/Kyiv'),
  respondent('Pedro Martínez', 'Night shift', 'America/Mexico_City'),
  respondent('Quynh Tran', 'Kitchen', 'Asia/Ho_Chi_Minh', { suspended: true }),
  respondent('Samuel Adeyemi', 'Warehouse', 'UTC', {
    user_name: 'sadeyemi',
    email_address: 'samuel.adeyemi@quiz.example',
  }),
  respondent('Teresa Wójcik', 'Front desk', 'Europe/Warsaw'),
];

/** People who take quizzes by quiz link and have no user in the account. */
const guests = [
  { first_name: 'Yusuf', last_name: 'Demir', email_address: 'yusuf.demir@agency.example' },
  { first_name: 'Zoe', last_name: 'Carter', email_address: 'zoe.carter@agency.example' },
  { first_name: 'Wei', last_name: 'Zhang', email_address: 'wei.zhang@partner.example' },
  { first_name: 'Vera', last_name: 'Ionescu', email_address: 'vera.ionescu@partner.example' },
  { first_name: '李', last_name: '娜', email_address: 'li.na@partner.example' },
] as const;

/** The groups. A group has the name of its department. */
export const sampleGroups: string[] = [...new Set(respondents.map(({ organization = '' }) => organization))];

/** Login names that belong to other accounts of the service. */
const namesTakenElsewhere = ['taken@elsewhere.example', 'admin', 'trainer', 'info@elsewhere.example'];

export const dayMs = 24 * 60 * 60 * 1000;

const submittedResponses = 100;

interface TakenQuiz {
  quizId: string;
  quiz: SampleQuiz;
  questions: readonly Question[];
}

interface SampleAccount {
  /** Quizzes that people have taken: open or closed, with questions. */
  takenQuizzes: TakenQuiz[];
  takers: UserRecord[];
}

/** Fills an empty account with people, quizzes, groups and the responses of the last 90 days. */
function addSampleAccount(filling: Filling, ownQuizzes: readonly SampleQuiz[]): SampleAccount {
  const { database, random, nowMs } = filling;
  const quizzes = ownQuizzes.map((quiz) => ({ quiz, quizId: addSampleQuiz(filling, quiz) }));
  const groupIds = sampleGroups.map((name) => {
    const group = { group_id: random.id(), group_name: name };
    addGroup(database, group);
    return group.group_id;
  });
  const trainers = staff.map((person) => addPerson(filling, person)).filter(({ user_type }) => user_type === 'trainer');
  const takers = respondents.map((person) => addPerson(filling, person));
  const takenQuizzes = quizzes
    .filter(({ quiz }) => quiz.status !== 'in_design' && quiz.questions.length > 0)
    .map((taken) => ({ ...taken, questions: listQuestions(database, taken.quizId) }));

  for (const { user_id, organization } of takers) {
    const groupId = groupIds[sampleGroups.indexOf(organization)];
    if (groupId !== undefined) assign(database, 'user_groups', { user_id, group_id: groupId });
  }
  for (const [i, { quizId, quiz }] of takenQuizzes.entries()) {
    const groupId = groupIds[i % groupIds.length];
    if (groupId !== undefined) assign(database, 'group_quizzes', { quiz_id: quizId, group_id: groupId });
    for (const { user_id } of takers) {
      if (random.number() > 0.55) continue;
      const assignedMs = nowMs - random.between(5, Math.min(quiz.ageDays, 90)) * dayMs;
      assign(database, 'user_quizzes', { user_id, quiz_id: quizId, date_assigned: formatDate(assignedMs) });
    }
  }
  // A trainer with quizzes sees only those, and a trainer without groups manages nobody.
  for (const { user_id, manage_users, manage_groups, suspended } of trainers) {
    if (manage_users || manage_groups || suspended)
      for (const groupId of groupIds) assign(database, 'trainer_groups', { user_id, group_id: groupId });
    if (suspended)
      for (const { quizId } of quizzes.slice(0, 2)) assign(database, 'trainer_quizzes', { user_id, quiz_id: quizId });
  }
  addResponses(filling, takenQuizzes, takers);
  return { takenQuizzes, takers };
}

/** Adds responses, oldest first. */
function addResponses(filling: Filling, quizzes: readonly TakenQuiz[], takers: UserRecord[]): void {
  const { random, nowMs } = filling;
  const skills = new Map([...takers, ...guests].map((who) => [who.email_address, 0.45 + 0.5 * random.number()]));
  const starts = Array.from({ length: submittedResponses }, () => nowMs - Math.ceil(random.number() * 90 * dayMs));
  for (const startedMs of starts.toSorted((a, b) => a - b)) {
    const taken = random.pick(quizzes);
    const who = random.number() < 0.2 ? random.pick(guests) : random.pick(takers);
    const skill = skills.get(who.email_address) ?? 0.5;
    addSampleAttempt(filling, { ...taken, who, skill, startedMs });
  }
  const onboarding = quizzes.find(({ quiz }) => quiz.questions.some((question) => question.type === 'file_upload'));
  const rosa = takers[0];
  if (onboarding && rosa) {
    const file = { name: 'code-of-conduct-signed.txt', text: 'I have read the code of conduct.\n\nRosa Almeida\n' };
    addSampleAttempt(filling, { ...onboarding, who: rosa, skill: 0.9, startedMs: nowMs - dayMs, file });
  }
  const unlimited = quizzes.filter(({ quiz }) => quiz.settings.attempts_limit === undefined);
  for (const who of takers.slice(2, 6)) {
    beginAttempt(filling, { ...random.pick(unlimited), who, startedMs: nowMs - 2 * dayMs });
  }
  const [lastQuiz, lastGuest] = [unlimited.at(-1), guests.at(-1)];
  if (lastQuiz && lastGuest) registerAttempt(filling, { ...lastQuiz, who: lastGuest });
}

/** Adds a user with a random id, unless the details have one. */
export function addPerson({ database, random, nowMs }: Filling, person: SamplePerson): UserRecord {
  const user: UserRecord = {
    ...blankUser,
    user_id: random.id(),
    email_address: person.user_name,
    date_created: formatDate(nowMs - random.between(100, 900) * dayMs),
    ...person,
  };
  addUser(database, user, null);
  return user;
}

/** Adds a quiz with its questions. @returns the quiz_id */
export function addSampleQuiz({ database, random, nowMs }: Filling, quiz: SampleQuiz, quizId = random.id()): string {
  const date_created = formatDate(nowMs - quiz.ageDays * dayMs);
  const settings = { ...defaultSettings, ...quiz.settings };
  addQuiz(database, { quiz_id: quizId, name: quiz.name, status: quiz.status, date_created }, settings);
  const categoryIds = new Map(quiz.questions.map(({ category }) => [category, random.id()]));
  for (const question of quiz.questions) {
    addQuestion(database, quizId, toQuestion(question, categoryIds.get(question.category) ?? '', random));
  }
  return quizId;
}

/** Builds a question with random ids. */
export function toQuestion(sample: SampleQuestion, categoryId: string, random: SeededRandom): Question {
  const { type, text, points, category, options = [], hasPartialCredit = false } = sample;
  return {
    question_id: random.id(),
    type,
    version: 1,
    text,
    use_option_points: options.some((option) => option.points !== undefined),
    has_partial_credit: hasPartialCredit,
    points_available: points,
    categories: category === undefined ? [] : [{ category_id: categoryId, name: category }],
    // The REST interface reports a typed answer on the question's options, so an essay needs one.
    options: (type === 'essay' ? [{ text: '', correct: false }] : options).map((option) => ({
      option_id: random.id(),
      version: 1,
      text: option.text,
      correct: option.correct,
      points: 'points' in option ? (option.points ?? 0) : 0,
    })),
  };
}

/** The content of a new account: the sample people and quizzes, nothing, or the sample and more users and responses. */
export type Sample = 'account' | 'empty' | { users: number; responses: number };

/** Fills a new database. The content is the same on every machine. Its dates are relative to `nowMs`. */
export function fillAccount(
  database: Database,
  sample: Sample,
  nowMs: number,
  quizzes: readonly SampleQuiz[] = sampleQuizzes,
): void {
  const filling = { database, random: createSeededRandom(20_260_401), nowMs };
  database.transaction(() => {
    for (const name of namesTakenElsewhere) addNameTakenElsewhere(database, name);
    if (sample === 'empty') return;
    const account = addSampleAccount(filling, quizzes);
    if (sample !== 'account') addCrowd(filling, account, sample);
  });
}

const firstNames = [...staff, ...respondents].map((person) => person.first_name);
const lastNames = [...staff, ...respondents].map((person) => person.last_name);

/** Adds users and responses to the sample account, for load tests. */
function addCrowd(
  filling: Filling,
  { takenQuizzes, takers }: SampleAccount,
  { users, responses }: { users: number; responses: number },
): void {
  const { database, random, nowMs } = filling;
  const crowd = Array.from({ length: users }, (_, i) => {
    const user = crowdUser(i + 1, random, nowMs);
    addUser(database, user, null);
    const { quizId } = random.pick(takenQuizzes);
    assign(database, 'user_quizzes', {
      user_id: user.user_id,
      quiz_id: quizId,
      date_assigned: formatDate(nowMs - random.between(1, 60) * dayMs),
    });
    return user;
  });
  const everybody = [...takers, ...crowd];
  for (let i = 0; i < responses; i += 1) {
    const startedMs = nowMs - Math.ceil(((responses - i) / responses) * 90 * dayMs);
    const skill = 0.4 + 0.55 * random.number();
    addSampleAttempt(filling, { ...random.pick(takenQuizzes), who: random.pick(everybody), skill, startedMs });
  }
}

function crowdUser(number: number, random: SeededRandom, nowMs: number): UserRecord {
  const userName = `person${number}@crowd.example`;
  return {
    ...blankUser,
    user_id: random.id(),
    user_name: userName,
    email_address: userName,
    first_name: random.pick(firstNames),
    last_name: random.pick(lastNames),
    date_created: formatDate(nowMs - random.between(1, 900) * dayMs),
  };
}
