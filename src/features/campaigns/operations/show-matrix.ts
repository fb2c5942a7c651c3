import { say } from '../../../domain/said.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/page-number.ts';
import { matrixPage } from '../pages/matrix.ts';
import { matrixPeople, onlyField, parsePeople, seenMatrix } from './seen-matrix.ts';

const pageField = { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true } as const;

/** Who has to take what, in all campaigns that run and that the person sees. */
export const showMatrix: Operation = defineOperation({
  name: 'show-matrix',
  command: '/quiz-campaign matrix [for people] [overdue]',
  synonyms: ['everyone', 'obligations'],
  summary: 'Show who has to take which quiz, and by when, in all campaigns: overdue, or for Kitchen',
  hintForAgents:
    'Costs the quiz service nothing. To remind or excuse people in all their campaigns, use remind-campaign and excuse-campaign without a campaign.',
  title: say`Who has to take what`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  uses: ['campaigns'],
  fields: {
    people: matrixPeople,
    only: onlyField,
    page: pageField,
    columns: { ...pageField, label: 'Page of quizzes' },
  },
  parse: parsePeople,
  async run(context, { people, only, page, columns }) {
    return {
      kind: 'page',
      ...matrixPage({
        ...(await seenMatrix(context, people, only)),
        people,
        only,
        page: readPage(page),
        columns: readPage(columns),
        now: context.now(),
        timeZone: context.timeZone,
      }),
    };
  },
});
