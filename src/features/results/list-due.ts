import { say } from '../../domain/said.ts';
import { publicName } from '../../directory/names.ts';
import { matrixOf, needsSomething } from '../../obligations/matrix.ts';
import type { OperationContext } from '../../operations/context.ts';
import { visibleRunning } from '../../operations/fields/campaign.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DuePerson } from '../../operations/operation-result.ts';
import { readPage } from '../../operations/page-number.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import { hasQuiz, isIn } from '../users/belonging.ts';
import { missingStates } from './show-missing.ts';
import { progressOf } from './progress.ts';
import { likeliestFirst, quizzesAtOnce, readQuizzes } from './read-quizzes.ts';

/** Everything that the people of a group still have to take. What campaigns ask for is stored; for the other quizzes, the service is asked. */
export const listDue = defineOperation({
  name: 'list-due',
  command: '/quiz due <group>',
  summary: 'List everything the people of a group still have to take',
  hintForAgents: 'For one quiz, there is show-missing.',
  title: say`What a group has to take`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  submit: 'List',
  uses: ['campaigns'],
  fields: {
    group: { kind: 'group', label: 'Group', byName: true },
    from: { kind: 'text', label: 'From', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(context, { group, from: typedFrom }) {
    const { directory, visibility, call } = context;
    const users = (await directory.users.get(call)).filter(
      (user) => !user.suspended && isIn(user, [group]) && visibility.userByName(user),
    );
    const due = new Map<string, DuePerson>();
    const asked = await campaignsAsk(context, users, due);
    const { wanted, isStillReading } = await assignedBesides(context, users, asked);
    const from = readPage(typedFrom) - 1;
    const read = await readQuizzes(context, wanted.slice(from, from + quizzesAtOnce), async (quiz, responses) => {
      const having = users.filter((user) => isLeft(context, user, quiz, asked));
      for (const [userId, progress] of progressOf(having, responses)) {
        if (!missingStates.has(progress)) continue;
        const user = users.find(({ user_id }) => user_id === userId)!;
        const known = due.get(userId) ?? personOf(user);
        const assigned = [...known.assigned, { quiz: { id: quiz.quiz_id, name: quiz.name }, progress }];
        due.set(userId, { ...known, assigned });
      }
    });
    return {
      kind: 'due',
      group,
      people: users.length,
      due: [...due.values()],
      read,
      left: Math.max(0, wanted.length - from - read),
      nextFrom: from + read + 1,
      isStillReading,
      now: context.now(),
    };
  },
});

function personOf(user: User): DuePerson {
  return { userId: user.user_id, name: publicName(user), obligations: [], assigned: [] };
}

/** Notes what campaigns ask of people, those first who need something most. @returns every pair of a user and a quiz of which a campaign knows */
async function campaignsAsk(
  context: OperationContext<'campaigns'>,
  users: readonly User[],
  due: Map<string, DuePerson>,
): Promise<ReadonlySet<string>> {
  const known = new Map(users.map((user) => [user.user_id, user]));
  const { quizzes, rows } = matrixOf(await visibleRunning(context), context.now(), (userId) => known.has(userId));
  const asked = new Set<string>();
  for (const { userId, cells } of rows) {
    const ofPerson = cells.flatMap((cell, place) => (cell ? [{ cell, quiz: quizzes[place]! }] : []));
    for (const { quiz } of ofPerson) asked.add(pairOf(userId, quiz.id));
    const obligations = ofPerson
      .filter(({ cell }) => needsSomething(cell))
      .map(({ cell: { obligation }, quiz }) => ({ quiz, obligation }));
    if (obligations.length > 0) due.set(userId, { ...personOf(known.get(userId)!), obligations });
  }
  return asked;
}

/** The quizzes that people have besides, and can take: each costs a request. */
async function assignedBesides(
  context: OperationContext,
  users: readonly User[],
  asked: ReadonlySet<string>,
): Promise<{ wanted: Quiz[]; isStillReading: boolean }> {
  const { directory, visibility, call } = context;
  const open = (await directory.quizzes.get(call)).filter((quiz) => quiz.status === 'open' && visibility.quiz(quiz));
  return {
    wanted: likeliestFirst(open.filter((quiz) => users.some((user) => isLeft(context, user, quiz, asked)))),
    isStillReading: open.some(({ quiz_id }) => directory.quizGroups.known(quiz_id) === undefined),
  };
}

/** Whether a user has a quiz, as far as it is known, and no campaign knows how far they are. */
function isLeft(
  { directory }: Pick<OperationContext, 'directory'>,
  user: User,
  { quiz_id }: Quiz,
  asked: ReadonlySet<string>,
): boolean {
  const groups = [...directory.quizGroups.knownInPart(quiz_id)].map((group_id) => ({ group_id }));
  return hasQuiz(user, quiz_id, groups) && !asked.has(pairOf(user.user_id, quiz_id));
}

function pairOf(userId: string, quizId: string): string {
  return `${userId} ${quizId}`;
}
