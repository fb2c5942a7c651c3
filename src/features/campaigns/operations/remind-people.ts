import { namedList } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { User } from '../../../quiz-api/users.ts';
import { campaignsOf, peopleField, quizzesField } from './campaigns-of-people.ts';
import { namesOf } from './members-named.ts';
import { remindIn, scheduledMessage } from './remind.ts';
import { showMatrix } from './show-matrix.ts';

/** What the matrix offers for people whom a person chooses from it. */
export const remindPeople: Operation = defineOperation({
  name: 'remind-people',
  command: '/quiz-campaign remind-people <people> about [quizzes]',
  summary: 'Remind people of everything they still have to take, in all campaigns',
  title: say`Remind people`,
  access: 'write',
  right: 'edit_quizzes',
  needsPress: () => true,
  submit: 'Remind',
  uses: ['campaigns'],
  fields: { people: peopleField, quizzes: quizzesField },
  action: ({ people, quizzes }) =>
    quizzes?.length
      ? say`remind ${namesOf(people)} of ${quizNames(quizzes)}`
      : say`remind ${namesOf(people)} of everything they have to take`,
  effect: () => say`They would get a reminder for each quiz that they still have to take, at most one message a day.`,
  async run(context, { people, quizzes }) {
    const ids = new Set(people.map(({ user_id }) => user_id));
    const reminded = new Set<string>();
    const about = new Set<string>();
    for (const { campaign } of await campaignsOf(context, people, quizzes)) {
      const reached = await remindIn(context, campaign, ids);
      for (const { userId } of reached) reminded.add(userId);
      if (reached.length > 0) about.add(campaign.quiz.name);
    }
    const next = [runStep(say`View everyone`, showMatrix, {})];
    return reminded.size === 0
      ? { kind: 'done', isNoChange: true, message: nobodyLeft(people), next }
      : { kind: 'done', message: scheduledMessage(namedList([...about]), reminded.size), next };
  },
});

export function quizNames(quizzes: readonly Quiz[]): string {
  return namedList(quizzes.map(({ name }) => name));
}

export function nobodyLeft(people: readonly User[]): string {
  return say`Nobody of ${namesOf(people)} is left to remind in campaigns that you can see.`;
}
