import { type Database, formatDate } from '../database.ts';
import { addSampleAccount, dayMs, type SampleAccount } from './account.ts';
import { addSampleAttempt } from './attempts.ts';
import { type SampleQuiz, sampleQuizzes } from './quizzes.ts';
import { type SeededRandom, createSeededRandom } from './seeded-random.ts';
import { namesTakenElsewhere, respondents, samplePeople, type SamplePeople, staff } from './people.ts';
import { assignQuizToUser } from '../store/assignments.ts';
import { addNameTakenElsewhere, addUser, blankUser, type UserRecord } from '../store/users.ts';

/** The content of a new account: the sample people and quizzes, nothing, or the sample and more users and responses. */
export type Sample = 'account' | 'empty' | { users: number; responses: number };

const usualSeed = 20_260_401;

/** Fills a new database. The content is the same on every machine. Its dates are relative to `nowMs`. */
export function fillAccount(
  database: Database,
  sample: Sample,
  nowMs: number,
  {
    quizzes = sampleQuizzes,
    people = samplePeople,
    seed = usualSeed,
  }: {
    quizzes?: readonly SampleQuiz[] | undefined;
    people?: SamplePeople | undefined;
    seed?: number | undefined;
  } = {},
): void {
  const random = createSeededRandom(seed);
  database.transaction(() => {
    for (const name of namesTakenElsewhere) addNameTakenElsewhere(database, name);
    if (sample === 'empty') return;
    const account = addSampleAccount(database, random, nowMs, quizzes, people);
    if (sample !== 'account') addCrowd(database, account, sample, random, nowMs);
  });
}

const firstNames = [...staff, ...respondents].map((person) => person.first_name);
const lastNames = [...staff, ...respondents].map((person) => person.last_name);

/** Adds users and responses to the sample account, for load tests. */
function addCrowd(
  database: Database,
  { takenQuizzes, takers }: SampleAccount,
  { users, responses }: { users: number; responses: number },
  random: SeededRandom,
  nowMs: number,
): void {
  const crowd = Array.from({ length: users }, (_, i) => {
    const user = crowdUser(i + 1, random, nowMs);
    addUser(database, user, null);
    const { quizId } = random.pick(takenQuizzes);
    assignQuizToUser(database, user.user_id, quizId, formatDate(nowMs - random.between(1, 60) * dayMs));
    return user;
  });
  const everybody = [...takers, ...crowd];
  for (let i = 0; i < responses; i += 1) {
    const startedMs = nowMs - Math.ceil(((responses - i) / responses) * 90 * dayMs);
    const skill = 0.4 + 0.55 * random.number();
    addSampleAttempt(database, random, { ...random.pick(takenQuizzes), who: random.pick(everybody), skill, startedMs });
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
