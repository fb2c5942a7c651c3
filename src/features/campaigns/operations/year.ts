import { say } from '../../../domain/said.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/text-input.ts';
import { yearPage } from '../pages/year.ts';
import { matrixPeople, namesIn, pageField, seenMatrix } from './matrix.ts';

/** What comes in the next twelve months, in all campaigns that run and that the person sees. */
export const showYear = defineOperation({
  name: 'show-year',
  command: '/quiz-campaign year [for people]',
  synonyms: ['calendar', 'gaps', 'expiring'],
  summary: 'Show what is due and what expires in the next twelve months, and from when on nobody has a pass',
  hintForAgents:
    'Costs the quiz service nothing. Counts people month by month and quiz by quiz; show-matrix says who they are.',
  title: say`The next twelve months`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { people: matrixPeople, columns: { ...pageField, label: 'Page of quizzes' } },
  parse: namesIn,
  async run(context, { people, columns }) {
    const seen = await seenMatrix(context, people);
    const shown = { people, columns: readPage(columns), now: context.now(), timeZone: context.timeZone };
    return { kind: 'page', ...yearPage({ ...seen, ...shown }) };
  },
});
