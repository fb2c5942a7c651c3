import { viewOperation } from '../plans/start-plan.ts';

export const showPlan = viewOperation({
  name: 'show-plan',
  command: '/quiz-campaign preview <plan>',
  summary: 'Show everyone in the preview of a campaign',
  title: 'Preview',
  right: 'edit_quizzes',
  of: 'campaign',
  label: 'Campaign',
});
