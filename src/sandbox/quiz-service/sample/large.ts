import type { Database } from '../database.ts';
import { formatDate } from '../dates.ts';
import { assignQuizToUser } from '../store/assignments.ts';
import { addUser, blankUser, type UserRecord } from '../store/users.ts';
import { dayMs, type SampleAccount } from './account.ts';
import { addSampleAttempt } from './attempts.ts';
import type { Chance } from './chance.ts';
import { respondents, staff } from './people.ts';

const firstNames = [...staff, ...respondents].map((person) => person.first_name);
const lastNames = [...staff, ...respondents].map((person) => person.last_name);

/** Adds respondents and responses to the sample account, for load tests. */
export function addCrowd(
  database: Database,
  { takenQuizzes, takers }: SampleAccount,
  { users, responses }: { users: number; responses: number },
  chance: Chance,
  nowMs: number,
): void {
  const crowd = Array.from({ length: users }, (_, i) => {
    const user = crowdUser(i + 1, chance, nowMs);
    addUser(database, user, null);
    const { quizId } = chance.pick(takenQuizzes);
    assignQuizToUser(database, user.user_id, quizId, formatDate(nowMs - chance.between(1, 60) * dayMs));
    return user;
  });
  const everybody = [...takers, ...crowd];
  for (let i = 0; i < responses; i += 1) {
    const startedMs = nowMs - Math.ceil(((responses - i) / responses) * 90 * dayMs);
    const skill = 0.4 + 0.55 * chance.number();
    addSampleAttempt(database, chance, { ...chance.pick(takenQuizzes), who: chance.pick(everybody), skill, startedMs });
  }
}

function crowdUser(number: number, chance: Chance, nowMs: number): UserRecord {
  const userName = `person${number}@crowd.example`;
  return {
    ...blankUser,
    user_id: chance.id(),
    user_name: userName,
    email_address: userName,
    first_name: chance.pick(firstNames),
    last_name: chance.pick(lastNames),
    date_created: formatDate(nowMs - chance.between(1, 900) * dayMs),
  };
}
