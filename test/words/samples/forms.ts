import { warningMessage } from '../../../src/slack/views/outcome.ts';
import { say } from '../../../src/domain/said.ts';
import { everything, rightsOf } from '../../../src/governance/rights/rights.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { canHave, reasonFor } from '../../../src/governance/rights/policy.ts';
import { confirmationOf } from '../../../src/operations/text-input.ts';
import { assignmentWarning } from '../../../src/features/quizzes/assignment-words.ts';
import { unseenQuestionsWarning } from '../../../src/features/quizzes/open-and-close.ts';
import { formView, waitingView } from '../../../src/slack/form/form.ts';
import { actor } from '../../support/builders/users.ts';
import type { Samples } from '../collect.ts';

const owner = { rights: rightsOf(actor(undefined, { isOwner: true })), visibility: everything };
/** Has no flag, so every change needs approval. */
const trainer = { rights: rightsOf(actor({ user_type: 'trainer', manage_groups: true })), visibility: everything };

const byOwner = catalog.filter(({ access, fields }) => access !== 'own' && Object.keys(fields).length > 0);
const byTrainer = catalog.filter(
  (operation) =>
    operation.access !== 'read' &&
    canHave(operation, trainer.rights) &&
    reasonFor(operation, trainer.rights) !== 'none',
);

const assign = operationNamed('assign-quiz')!;
const subscribe = operationNamed('subscribe-channel')!;
const firstAid = { quiz_id: 'q-1', name: 'First aid at work', status: 'in_design', date_created: null };
const closed =
  assignmentWarning({ ...firstAid, name: 'Forklift theory test', status: 'closed' }, ['Sam Petrov', 'Kim Doe']) ?? '';
const inDesign = assignmentWarning(firstAid) ?? '';
const warned = (message: string) => ({ message, confirmation: confirmationOf(message) });

export const samples: Samples = {
  ...Object.fromEntries(
    byOwner.map((operation) => [`An owner opens the form of ${operation.name}`, formView(operation, owner)]),
  ),
  ...Object.fromEntries(
    byTrainer.map((operation) => [
      `A trainer who must ask opens the form of ${operation.name}`,
      formView(operation, trainer),
    ]),
  ),
  'A subscription to a digest of results below a percentage': formView(subscribe, owner, {
    texts: { filter: ['below'], delivery: ['daily'] },
  }),
  'A subscription to results with a grade in threads': formView(subscribe, owner, {
    texts: { filter: ['grade'], delivery: ['thread'] },
  }),
  'A campaign that stands': formView(operationNamed('start-campaign')!, owner, { texts: { runs: ['standing'] } }),
  'A form waits for the quiz service': waitingView(assign),
  'A form waits for large results that others read': waitingView(operationNamed('show-results')!, true),
  'A form says why it did not run': formView(assign, owner, {
    notice: say`The quiz service isn’t answering right now. Try again in a minute.`,
  }),
  'A form warns that a closed quiz goes to suspended people': formView(assign, owner, { warning: warned(closed) }),
  'A form warns that the questions of a quiz cannot be seen': formView(operationNamed('open-quiz')!, owner, {
    warning: warned(unseenQuestionsWarning(firstAid)),
  }),
  'A command assigns a quiz in design': warningMessage(assign, {
    kind: 'warned',
    input: { quiz: ['q-1'], to: ['user:u-1'] },
    ...warned(inDesign),
  }),
  'A command assigns a closed quiz to more people than a button holds': warningMessage(assign, {
    kind: 'warned',
    input: { quiz: ['q-1'], to: Array.from({ length: 50 }, (_, n) => `user:00000000-0000-0000-0000-0000000000${n}`) },
    ...warned(closed),
  }),
};
