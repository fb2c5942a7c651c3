import { viewOperation } from '../plans/start-plan.ts';

export const showRows = viewOperation({
  name: 'show-rows',
  command: '/quiz-admin preview <plan>',
  summary: 'Show every row in the preview of many changes',
  title: 'Preview',
  right: 'staff',
  of: 'batch',
  label: 'Change',
});
